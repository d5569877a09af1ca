//! What the event schema says of one place in one event: the nodes that apply there, taken together.

use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::LazyLock;

pub(crate) const SOURCE: &str = include_str!("../../../../schemas/arc-0.2.schema.json");

static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(SOURCE).expect("a test reads the embedded schema"));

/// The nodes of the schema that hold for one value: its own, and those behind conditions which the value meets.
#[derive(Debug, Clone)]
pub(super) struct Nodes(Vec<&'static Value>);

impl Nodes {
    /// For a whole event.
    pub(super) fn of_event(event: &Value) -> Self {
        Self::of(vec![&*SCHEMA], event)
    }

    fn of(nodes: Vec<&'static Value>, value: &Value) -> Self {
        let mut all = Vec::new();
        let mut open = nodes;
        while let Some(node) = open.pop() {
            let target = node["$ref"].as_str().and_then(|to| SCHEMA.pointer(to.trim_start_matches('#')));
            open.extend(target);
            let conditions = node["allOf"].as_array().into_iter().flatten();
            open.extend(conditions.filter(|c| is_met(&c["if"], value)).filter_map(|c| c.get("then")));
            all.push(node);
        }
        Self(all)
    }

    /// For a member; `None` where it may not stand there.
    pub(super) fn member(&self, name: &str, value: &Value) -> Option<Self> {
        let nodes: Vec<&Value> = self.0.iter().filter_map(|node| node["properties"].get(name)).collect();
        let is_permitted = nodes.iter().all(|node| **node != Value::Bool(false));
        is_permitted.then(|| Self::of(nodes, value))
    }

    /// For an item of a list.
    pub(super) fn item(&self, value: &Value) -> Self {
        Self::of(self.0.iter().filter_map(|node| node.get("items")).collect(), value)
    }

    /// The names of all members that the schema knows here, also of those that may not stand here.
    pub(super) fn names(&self) -> BTreeSet<&'static str> {
        let members = self.0.iter().filter_map(|node| node["properties"].as_object());
        members.flat_map(|members| members.keys().map(String::as_str)).collect()
    }

    /// Whether the value would do without the member.
    pub(super) fn does_without(&self, name: &str, value: &Value) -> bool {
        let requires = |node: &'static Value, name: &str| list(&node["required"]).any(|required| required == name);
        let has = |other: &str| other != name && value.get(other).is_some();
        let one_of_holds = |node: &'static Value| {
            let choices = node["oneOf"].as_array();
            choices.is_none_or(|choices| choices.iter().filter(|c| list(&c["required"]).all(has)).count() == 1)
        };
        self.0.iter().all(|node| !requires(node, name) && one_of_holds(node))
    }

    /// What a keyword says, where it stands.
    pub(super) fn says(&self, keyword: &str) -> Option<&'static Value> {
        self.0.iter().find_map(|node| node.get(keyword))
    }

    pub(super) fn number(&self, keyword: &str) -> Option<usize> {
        self.says(keyword)?.as_u64().and_then(|n| usize::try_from(n).ok())
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        self.says("type").is_some_and(|own| own == name)
    }
}

fn list(value: &'static Value) -> impl Iterator<Item = &'static str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Whether each member that a condition names has one of its values.
fn is_met(condition: &Value, value: &Value) -> bool {
    condition["properties"].as_object().into_iter().flatten().all(|(name, wanted)| {
        let given = &value[name];
        wanted.get("const") == Some(given) || wanted["enum"].as_array().is_some_and(|values| values.contains(given))
    })
}
