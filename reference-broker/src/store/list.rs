//! Lists, newest first, page by page.

use super::rows;
use crate::engine::{Condition, Question};
use crate::id::number;
use rusqlite::{Connection, Result, Row, ToSql};

/// Which rows are wanted; every member narrows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter {
    pub(crate) status: Option<&'static str>,
    pub(crate) agent: Option<String>,
    pub(crate) project: Option<String>,
    pub(crate) session: Option<String>,
    /// Rows that are older than the one with this id.
    pub(crate) before: Option<String>,
    pub(crate) limit: usize,
}

/// Some rows, and where the next page begins.
#[derive(Debug)]
pub(crate) struct Page<T> {
    pub(crate) rows: Vec<T>,
    /// The id to go on before; none on the last page.
    pub(crate) next: Option<String>,
}

/// Questions. `seq` orders them: no two share it, however fast they were asked.
pub(super) fn questions(connection: &Connection, filter: &Filter) -> Result<Option<Page<Question>>> {
    let mut narrow = Narrow::default();
    narrow.by("status = ?", filter.status);
    narrow.by("agent = ?", filter.agent.as_deref());
    list(connection, "questions", narrow, filter, rows::question, |question| &question.id)
}

/// Notifications.
pub(super) fn conditions(connection: &Connection, filter: &Filter) -> Result<Option<Page<Condition>>> {
    let mut narrow = Narrow::default();
    match filter.status {
        Some("active") => narrow.sql.push_str(" AND resolved_at IS NULL"),
        Some(_) => narrow.sql.push_str(" AND resolved_at IS NOT NULL"),
        None => {}
    }
    narrow.by("sender_id = ?", filter.agent.as_deref());
    list(connection, "conditions", narrow, filter, rows::condition, |condition| &condition.id)
}

/// A WHERE clause in the making.
#[derive(Default)]
struct Narrow<'a> {
    sql: String,
    values: Vec<Box<dyn ToSql + 'a>>,
}

impl<'a> Narrow<'a> {
    fn by(&mut self, condition: &str, value: Option<impl ToSql + 'a>) {
        if let Some(value) = value {
            self.sql.push_str(" AND ");
            self.sql.push_str(condition);
            self.values.push(Box::new(value));
        }
    }
}

/// None where the page is to begin before a row that is not there.
fn list<'a, T>(
    connection: &Connection,
    table: &str,
    mut narrow: Narrow<'a>,
    filter: &'a Filter,
    read: fn(&Row<'_>) -> Result<T>,
    id: fn(&T) -> &String,
) -> Result<Option<Page<T>>> {
    if let Some(before) = &filter.before {
        let find = format!("SELECT 1 FROM {table} WHERE seq = ?1 AND id = ?2");
        if !connection.prepare_cached(&find)?.exists((number(before), before))? {
            return Ok(None);
        }
        narrow.by("seq < ?", number(before));
    }
    narrow.by("project = ?", filter.project.as_deref());
    narrow.by("session_id = ?", filter.session.as_deref());
    // One more than asked for tells whether there is another page.
    let limit = filter.limit + 1;
    let sql = format!("SELECT * FROM {table} WHERE true{} ORDER BY seq DESC LIMIT {limit}", narrow.sql);
    let mut statement = connection.prepare_cached(&sql)?;
    let values = rusqlite::params_from_iter(narrow.values);
    let mut rows = statement.query_map(values, read)?.collect::<Result<Vec<_>>>()?;
    let has_more = rows.len() > filter.limit;
    rows.truncate(filter.limit);
    let next = rows.last().filter(|_| has_more).map(|row| id(row).clone());
    Ok(Some(Page { rows, next }))
}
