//! The kit against the crash-test consumer: the plain one and each conforming variation are right, each fault makes its
//! requirements fail and no unrelated one. What the faults were caught by is kept in `vectors/faults.json`.

mod crash_dummy;
mod support;

use arc_conformance::plan::Selection;
use arc_conformance::profile::Profile;
use arc_conformance::requirement::{self, Level};
use arc_conformance::run_event::Summary;
use arc_conformance::runner::End;
use arc_conformance::verdict::Verdict;
use crash_dummy::{Behaviour, Dummy, Fault, Null, Variation};
use futures_util::stream::{self, StreamExt as _};
use support::caught::{self, Caught};
use support::{judge, profile};
use tokio::runtime::Handle;

/// Consumers that are judged at the same time: most of a run is spent waiting for deadlines.
const SIDE_BY_SIDE: usize = 16;

/// Does the same with each item, some at a time, spread over the processors.
async fn each<T, R, F>(items: impl IntoIterator<Item = T>, run: fn(T) -> F) -> Vec<R>
where
    T: Send + 'static,
    R: Send + 'static,
    F: Future<Output = R> + 'static,
{
    let on_its_thread = |item| tokio::task::spawn_blocking(move || Handle::current().block_on(run(item)));
    let ran = stream::iter(items).map(on_its_thread).buffered(SIDE_BY_SIDE);
    ran.map(|result| result.expect("no run panics")).collect().await
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

async fn judged(behaviour: Behaviour, profile: Profile, selection: Selection) -> Result<Box<Summary>, String> {
    let dummy = Dummy::start(behaviour).await;
    match judge(dummy.url(), dummy.token(), profile, selection).await {
        End::Judged(summary) => Ok(summary),
        End::Unreachable(why) => Err(why),
    }
}

/// Requirements with this verdict, as `ANS-06`.
fn with(summary: &Summary, verdict: Verdict) -> Vec<&'static str> {
    let judgements = summary.judgements.iter().filter(|j| j.verdict == verdict);
    judgements.map(|j| j.requirement.id.as_str()).collect()
}

fn first_evidence(summary: &Summary, id: &str) -> String {
    let judgement = &summary.judgements[requirement::position(id)];
    judgement.evidence.first().map(|e| format!("{e:#?}")).unwrap_or_default()
}

/// At ten requests a second the whole kit takes minutes: what is played then are the deadlines and one of each family.
fn selection(variation: Variation) -> Selection {
    let mut selection = Selection::default();
    if variation == Variation::RateLimited {
        selection.only = ["LIF-01", "ANS-14", "ANS-15", "ANS-07", "HTP-06"].map(str::to_owned).to_vec();
    }
    selection
}

async fn conforms(variation: Option<Variation>) -> Vec<String> {
    let behaviour = variation.map_or(Behaviour::plain(), Behaviour::variation);
    let name = variation.map_or("plain", Variation::name);
    let interactions = variation.is_none_or(Variation::declares_interactions);
    let profile = profile(variation.map_or(&[][..], Variation::profile), interactions);
    let not_followed = variation.map_or(&[][..], Variation::shoulds_not_followed);
    let selection = variation.map(selection).unwrap_or_default();
    let is_whole = selection.only.is_empty();
    let summary = match judged(behaviour, profile, selection).await {
        Ok(summary) => summary,
        Err(why) => return vec![format!("{name} is not judged: {why}")],
    };
    let mut problems = Vec::new();
    for verdict in [Verdict::Fail, Verdict::Inconclusive, Verdict::KitError] {
        for id in with(&summary, verdict).into_iter().filter(|id| !not_followed.contains(id)) {
            problems.push(format!("{name}: {id} is {}\n{}", verdict.as_str(), first_evidence(&summary, id)));
        }
    }
    let holds = |line: &str| line.contains(" holds");
    if is_whole && !summary.claims.iter().all(|claim| holds(&claim.line)) {
        problems.push(format!("{name}: {:?}", summary.claims));
    }
    problems
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_plain_consumer_and_every_conforming_variation_are_right() {
    let variations = Variation::ALL.iter().copied().map(Some).chain([None]);
    assert_none(&each(variations, conforms).await.concat());
}

async fn is_caught(fault: Fault) -> (Vec<String>, Caught) {
    let name = fault.name();
    let summary = match judged(Behaviour::fault(fault), profile(&[], true), Selection::default()).await {
        Ok(summary) => summary,
        // A consumer that does not take a plain event and a plain question is no ARC endpoint: that is a verdict, too.
        Err(why) => return (vec![format!("{name} is not judged: {why}")], Caught::default()),
    };
    let failed = with(&summary, Verdict::Fail);
    let mut problems = Vec::new();
    for id in fault.requirements().iter().filter(|id| !failed.contains(id)) {
        problems.push(format!("{name} ({}): {id} does not fail, but {failed:?}", fault.does()));
    }
    for id in failed.iter().filter(|id| !fault.may_break(id)) {
        problems.push(format!("{name} ({}): {id} fails, too\n{}", fault.does(), first_evidence(&summary, id)));
    }
    let is_must = |id: &&&str| requirement::find(id).is_some_and(|r| r.level == Level::Must);
    let breaks_claim = fault.requirements().iter().filter(is_must).any(|id| failed.contains(id));
    if breaks_claim && summary.claims.iter().all(|claim| claim.line.contains(" holds")) {
        problems.push(format!("{name}: every claim holds"));
    }
    (problems, Caught::by(name, fault.does(), fault.requirements(), &summary))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_is_caught_by_the_checks_that_claim_it() {
    let (problems, caught): (Vec<_>, Vec<_>) = each(Fault::ALL.iter().copied(), is_caught).await.into_iter().unzip();
    assert_none(&problems.concat());
    caught::settle(&caught);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_acknowledges_everything_holds_no_claim() {
    let server = Null::Always200.start().await;
    let End::Judged(summary) = judge(server.url(), server.token(), profile(&[], false), Selection::default()).await
    else {
        panic!("it replies with JSON objects");
    };
    assert!(summary.claims.iter().all(|claim| claim.line.contains("does not hold")), "{:?}", summary.claims);
}

async fn lives(variation: Option<Variation>) -> Vec<String> {
    let dummy = Dummy::start(variation.map_or(Behaviour::plain(), Behaviour::variation)).await;
    let profile = profile(variation.map_or(&[][..], Variation::profile), false);
    let End::Judged(summary) = support::live(dummy.url(), dummy.token(), profile, 7, 16).await else {
        return vec![format!("{variation:?} is not judged")];
    };
    let failed = with(&summary, Verdict::Fail).into_iter();
    failed.map(|id| format!("{variation:?}: {id} {}", first_evidence(&summary, id))).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_lifecycles_are_right_about_right_consumers() {
    let variations = Variation::ALL.iter().copied().filter(|v| *v != Variation::RateLimited).map(Some).chain([None]);
    assert_none(&each(variations, lives).await.concat());
}
