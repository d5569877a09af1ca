//! The crash-test consumer itself: plain it behaves by the contract, a variation too, and a fault changes exactly what
//! it says.

mod crash_dummy;
#[path = "crash_dummy/probe/mod.rs"]
mod probe;

use crash_dummy::{Behaviour, Dummy, Fault, Null, Variation};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// So many dummies run at a time: each is asked everything at once, and a process may hold only so many connections.
const AT_A_TIME: usize = 16;

async fn unmet(behaviour: Behaviour, wanted: impl Fn(&str, bool) -> bool) -> Vec<(&'static str, String)> {
    let dummy = Dummy::start(behaviour).await;
    probe::unmet(dummy.url(), dummy.token(), wanted).await
}

/// Runs one check for each item, some at a time; panics with every complaint.
async fn each<T: Copy + Send + 'static, F: Future<Output = Option<String>> + Send + 'static>(
    items: &[T],
    check: fn(T) -> F,
) {
    let permits = Arc::new(Semaphore::new(AT_A_TIME));
    let mut running = JoinSet::new();
    for item in items.iter().copied() {
        let permits = permits.clone();
        running.spawn(async move {
            let _permit = permits.acquire().await.expect("the semaphore stays open");
            check(item).await
        });
    }
    let complaints: Vec<_> = running.join_all().await.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plain_it_meets_every_requirement() {
    assert_eq!(unmet(Behaviour::plain(), |_, _| true).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_variation_conforms() {
    each(Variation::ALL, |variation| async move {
        let is_wanted = |requirement: &str, is_timed: bool| {
            let is_binding = requirement.starts_with("INT") || requirement == "HTP-05";
            let is_declared = variation.keeps_binding() && variation.declares_interactions();
            let is_slow = variation == Variation::RateLimited;
            let oversleeps = variation == Variation::WaitOversleepsOnce && is_timed;
            let is_measurable = !oversleeps && (!is_slow || (!is_timed && requirement.starts_with("HTP")));
            let is_followed = !variation.shoulds_not_followed().contains(&requirement);
            is_measurable && is_followed && (is_declared || !is_binding)
        };
        let unmet = unmet(Behaviour::variation(variation), is_wanted).await;
        (!unmet.is_empty()).then(|| format!("{}: {unmet:?}", variation.name()))
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fault_breaks_what_it_says_and_nothing_else() {
    // What shows after a crash or in a log only, the matrix alone can see.
    let is_probed = |fault: &Fault| !fault.needs_restart() && !fault.needs_log();
    let probed: Vec<Fault> = Fault::ALL.iter().copied().filter(is_probed).collect();
    each(&probed, |fault| async move {
        let unmet =
            unmet(Behaviour::fault(fault), |requirement, is_timed| !is_timed || fault.may_break(requirement)).await;
        let missed: Vec<_> =
            fault.requirements().iter().filter(|must| !unmet.iter().any(|(unmet, _)| unmet == *must)).collect();
        let unrelated: Vec<_> = unmet.iter().filter(|(unmet, _)| !fault.may_break(unmet)).collect();
        let is_exact = missed.is_empty() && unrelated.is_empty();
        (!is_exact).then(|| format!("{}: not shown {missed:?}, unrelated {unrelated:?}", fault.name()))
    })
    .await;
}

#[test]
fn every_requirement_has_a_fault() {
    let catalogue: serde_json::Value =
        serde_json::from_str(include_str!("../../vectors/requirements.json")).expect("the catalogue is JSON");
    for requirement in catalogue["requirements"].as_array().expect("a list") {
        let id = requirement["id"].as_str().expect("an id");
        let is_judged = requirement["claim"] != "producer";
        let has_fault = Fault::ALL.iter().any(|fault| fault.requirements().contains(&id));
        assert_eq!(has_fault, is_judged, "{id}");
    }
}

#[test]
fn every_fault_names_its_sentence() {
    for fault in Fault::ALL {
        assert!(!fault.sentence().is_empty() && !fault.does().is_empty(), "{}", fault.name());
    }
}

#[tokio::test]
async fn a_null_consumer_meets_next_to_nothing() {
    for null in [Null::Always200, Null::Always400, Null::Always404, Null::Always500, Null::Close, Null::Html] {
        let server = null.start().await;
        let unmet = probe::unmet(server.url(), server.token(), |requirement, _| requirement == "HTP-02").await;
        assert_eq!(unmet.len(), 1, "{null:?}");
    }
}
