//! The kit against the crash-test consumer: the plain one and each conforming variation are right, each fault makes its
//! requirements fail and no unrelated one. What the faults were caught by is kept in `vectors/faults.json`.

mod crash_dummy;
mod support;

use arc_conformance::caught::Caught;
use arc_conformance::plan::Selection;
use arc_conformance::privacy::Log;
use arc_conformance::profile::Profile;
use arc_conformance::requirement::{self, Level};
use arc_conformance::run_event::Summary;
use arc_conformance::runner::End;
use arc_conformance::spawned::Spawned;
use arc_conformance::stage::Fleet;
use arc_conformance::verdict::Verdict;
use crash_dummy::{Behaviour, Dummy, Fault, Null, Variation};
use futures_util::stream::{self, StreamExt as _};
use support::{caught, judge, only, profile, stage};
use tokio::net::TcpListener;
use tokio::runtime::Handle;

/// A million requests are made and read here, and a fifth of the time went into the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Consumers that are judged at the same time: most of a run is spent waiting for deadlines.
const SIDE_BY_SIDE: usize = 16;

/// Does the same with each item, some at a time, spread over the processors. What comes of it stands in the items' order;
/// none waits for an earlier one to end.
async fn each<T, R, F>(items: impl IntoIterator<Item = T>, run: fn(T) -> F) -> Vec<R>
where
    T: Send + 'static,
    R: Send + 'static,
    F: Future<Output = R> + 'static,
{
    let on_its_thread = |(at, item)| tokio::task::spawn_blocking(move || (at, Handle::current().block_on(run(item))));
    let ran = stream::iter(items.into_iter().enumerate()).map(on_its_thread).buffer_unordered(SIDE_BY_SIDE);
    let mut ran: Vec<(usize, R)> = ran.map(|result| result.expect("no run panics")).collect().await;
    ran.sort_unstable_by_key(|(at, _)| *at);
    ran.into_iter().map(|(_, result)| result).collect()
}

fn assert_none(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

async fn judged(behaviour: Behaviour, profile: Profile, selection: Selection) -> Result<Box<Summary>, String> {
    let dummy = Dummy::start(behaviour).await;
    summary(judge(dummy.url(), dummy.token(), profile, selection).await)
}

fn summary(end: End) -> Result<Box<Summary>, String> {
    match end {
        End::Judged(summary) => Ok(summary),
        End::Unreachable(why) => Err(why),
    }
}

/// Judged with a log, for the claim private-logs.
async fn judged_by_log(behaviour: Behaviour) -> Result<Box<Summary>, String> {
    let log = tempfile::NamedTempFile::new().expect("a temporary file");
    let dummy = Dummy::fleet(behaviour, 1, Some(log.path().to_owned())).await;
    let mut stage = stage(dummy.url(), dummy.token(), profile(&[], true));
    stage.log = Some(Log::open(log.path().to_owned()));
    summary(support::judge_on(stage, &["private-logs"], only(&["private-logs", "ANS-09"])).await)
}

/// Judged with crashes, for the claim durable: what is killed is a door in front of the consumer.
async fn judged_by_crashes(behaviour: Behaviour) -> Result<Box<Summary>, String> {
    let dummy = Dummy::start(behaviour).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let to = dummy.url().trim_start_matches("http://");
    let command = format!(
        "env ARC_TEST_DOOR={address} ARC_TEST_TO={to} ARC_TEST_TOKEN={} '{}' --exact the_door_of_the_crash_tests",
        dummy.token(),
        std::env::current_exe().expect("this program").display(),
    );
    let url = format!("http://{address}");
    let mut stage = stage(&url, dummy.token(), profile(&[], true));
    stage.spawned = Some(Spawned::start(&command, &url).await?);
    summary(support::judge_on(stage, &["durable"], only(&["durable", "ANS-13"])).await)
}

/// Not a test of its own: what the consumer's crashes kill. The matrix starts this program with these variables set.
#[tokio::test]
async fn the_door_of_the_crash_tests() {
    let variable = |name| std::env::var(name);
    let (Ok(at), Ok(to), Ok(token)) = (variable("ARC_TEST_DOOR"), variable("ARC_TEST_TO"), variable("ARC_TEST_TOKEN"))
    else {
        return;
    };
    crash_dummy::open_door(&at, &to, &token).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plain_consumer_survives_crashes_and_keeps_its_log_clean() {
    for judged in [judged_by_crashes(Behaviour::plain()).await, judged_by_log(Behaviour::plain()).await] {
        let summary = judged.expect("it is judged");
        assert_eq!(with(&summary, Verdict::Fail), Vec::<&str>::new());
        let last = summary.claims.last().expect("a claim");
        assert!(last.line.contains(" holds"), "{}", last.line);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fleet_behind_one_store_is_one_consumer() {
    let dummy = Dummy::fleet(Behaviour::plain(), 3, None).await;
    let mut stage = stage(dummy.url(), dummy.token(), profile(&[], true));
    stage.fleet = Fleet::new(dummy.urls()[1..].to_vec());
    let summary = summary(support::judge_on(stage, &[], Selection::default()).await).expect("it is judged");
    assert!(summary.claims.iter().all(|claim| claim.line.contains(" holds")), "{:?}", summary.claims);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fleet_that_shares_no_store_or_decides_apart_is_found_out() {
    let (one, other) = (Dummy::start(Behaviour::plain()).await, Dummy::start(Behaviour::plain()).await);
    let mut apart = stage(one.url(), one.token(), profile(&[], false));
    apart.fleet = Fleet::new(vec![other.url().to_owned()]);
    let why = summary(support::judge_on(apart, &[], only(&["ANS"])).await);
    assert!(why.as_ref().is_err() || !with(why.as_ref().unwrap(), Verdict::Fail).is_empty(), "{why:?}");

    let dummy = Dummy::fleet(Behaviour::fault(Fault::SecondAnswerWinsRaces), 2, None).await;
    let mut shown = String::new();
    // Chance says through which doors those came whose interleaving is shown.
    for _ in 0..8 {
        let mut stage = stage(dummy.url(), dummy.token(), profile(&[], true));
        stage.fleet = Fleet::new(dummy.urls()[1..].to_vec());
        let summary = summary(support::judge_on(stage, &[], only(&["ans-meet-update", "ANS-10"])).await).unwrap();
        shown = format!("{:?}", summary.judgements[requirement::position("ANS-10")].evidence);
        if dummy.urls().iter().all(|url| shown.contains(url.as_str())) {
            return;
        }
    }
    panic!("one door alone is named: {shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_runs_at_once_do_not_disturb_each_other() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let run = || async { summary(judge(dummy.url(), dummy.token(), profile(&[], true), Selection::default()).await) };
    let (one, other) = futures_util::future::join(run(), run()).await;
    for summary in [one.unwrap(), other.unwrap()] {
        assert!(summary.claims.iter().all(|claim| claim.line.contains(" holds")), "{:?}", summary.claims);
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

/// Judges, and once more where a requirement that is looked at came to no verdict: a machine that is busy otherwise may
/// miss a moment, and that is neither a pass nor a failure.
async fn with_verdicts<F>(judge: impl Fn() -> F, is_looked_at: impl Fn(&str) -> bool) -> Result<Box<Summary>, String>
where
    F: Future<Output = Result<Box<Summary>, String>>,
{
    let first = judge().await;
    let is_open = |summary: &Summary| with(summary, Verdict::Inconclusive).into_iter().any(&is_looked_at);
    if first.as_ref().is_ok_and(|summary| is_open(summary)) { judge().await } else { first }
}

/// Where few requests a second are taken the whole kit takes minutes: what is played then are the lifecycle, the deadlines,
/// races, and one of each other family.
fn limited() -> Selection {
    only(&["LIF", "ANS-14", "ANS-15", "ANS-07", "ans-race", "HTP-03", "HTP-04", "HTP-06", "HTP-07", "INT-07", "DIG-01"])
}

async fn conforms(variation: Option<Variation>) -> Vec<String> {
    let behaviour = variation.map_or(Behaviour::plain(), Behaviour::variation);
    let name = variation.map_or("plain", Variation::name);
    let interactions = variation.is_none_or(Variation::declares_interactions);
    let profile = profile(variation.map_or(&[][..], Variation::profile), interactions);
    let not_followed = variation.map_or(&[][..], Variation::shoulds_not_followed);
    let is_limited = variation == Some(Variation::RateLimited);
    let selection = if is_limited { limited() } else { Selection::default() };
    let is_whole = selection.only.is_empty();
    let judge = || judged(behaviour, profile.clone(), selection.clone());
    let summary = match with_verdicts(judge, |_| true).await {
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
    let mut variations: Vec<_> = Variation::ALL.iter().copied().map(Some).chain([None]).collect();
    // A minute of waiting, in which the others come and go.
    variations.sort_by_key(|variation| *variation != Some(Variation::RateLimited));
    assert_none(&each(variations, conforms).await.concat());
}

async fn judged_with(fault: Fault) -> Result<Box<Summary>, String> {
    let behaviour = Behaviour::fault(fault);
    if fault.needs_restart() {
        judged_by_crashes(behaviour).await
    } else if fault.needs_log() {
        judged_by_log(behaviour).await
    } else {
        let selection = if fault == Fault::RateLimitSilent { limited() } else { Selection::default() };
        judged(behaviour, profile(&[], true), selection).await
    }
}

async fn is_caught(fault: Fault) -> (Vec<String>, Caught) {
    let name = fault.name();
    let summary = match with_verdicts(|| judged_with(fault), |id| fault.requirements().contains(&id)).await {
        Ok(summary) => summary,
        // A consumer that does not take a plain event and a plain question is no ARC endpoint: that is a verdict, too.
        Err(why) => return (vec![format!("{name} is not judged: {why}")], Caught::default()),
    };
    let failed = with(&summary, Verdict::Fail);
    let mut problems = Vec::new();
    for id in fault.requirements().iter().filter(|id| !failed.contains(id)) {
        let shown = first_evidence(&summary, id);
        problems.push(format!("{name} ({}): {id} does not fail, but {failed:?}\n{shown}", fault.does()));
    }
    for id in failed.iter().filter(|id| !fault.may_break(id)) {
        problems.push(format!("{name} ({}): {id} fails, too\n{}", fault.does(), first_evidence(&summary, id)));
    }
    let is_must = |id: &&&str| requirement::find(id).is_some_and(|r| r.level == Level::Must);
    let breaks_claim = fault.requirements().iter().filter(is_must).any(|id| failed.contains(id));
    if breaks_claim && summary.claims.iter().all(|claim| claim.line.contains(" holds")) {
        problems.push(format!("{name}: every claim holds"));
    }
    (problems, caught::by(name, fault.does(), fault.requirements(), &summary))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_is_caught_by_the_checks_that_claim_it() {
    let (problems, caught): (Vec<_>, Vec<_>) = each(Fault::ALL.iter().copied(), is_caught).await.into_iter().unzip();
    assert_none(&problems.concat());
    caught::settle(caught);
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
