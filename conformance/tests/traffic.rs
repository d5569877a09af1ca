//! The kit's own traffic, held against the validator: what a conforming consumer takes is valid, and what it refuses in the
//! scenarios about the envelope and the answer specification is invalid. The consumer is the crash-test one, which shares
//! no code with the validator; where the two disagree, a scenario sends something else than it means.

mod crash_dummy;
mod support;

use arc_conformance::exchange::{Auth, Exchange, Reply};
use arc_conformance::scenario::{self, Scenario, interpreter};
use arc_conformance::stage::Stage;
use arc_conformance::verdict::Verdict;
use arc_conformance::{generate, smoke, trace};
use crash_dummy::{Behaviour, Dummy};
use futures_util::stream::{self, StreamExt as _};

/// Scenarios of these families refuse events for what one event alone shows, but for the answers that they send.
const ENVELOPE: [&str; 2] = ["env-", "ask-"];

/// What was found in the traffic.
#[derive(Default)]
struct Traffic {
    taken: usize,
    refused: usize,
    problems: Vec<String>,
}

impl Traffic {
    fn read(&mut self, scenario: &Scenario, exchange: &Exchange) {
        let request = &exchange.request;
        let (Reply::Http { status, .. }, Some(body), Auth::Token) = (&exchange.reply, &request.body, request.auth)
        else {
            return;
        };
        if !request.url.ends_with("/v1/events") {
            return;
        }
        let event = arc_validator::parse(body);
        let is_about_one_event = ENVELOPE.iter().any(|family| scenario.id.starts_with(family));
        let text = String::from_utf8_lossy(body);
        match (status, event) {
            (200..=299, Err(invalid)) => {
                self.problems.push(format!("{}: taken, but {invalid}: {text}", scenario.id));
            }
            (400, Ok(event))
                if is_about_one_event && event.event_type() != arc_validator::event::EventType::Submitted =>
            {
                self.problems.push(format!("{}: refused, but valid: {text}", scenario.id));
            }
            (200..=299, Ok(_)) => self.taken += 1,
            (400, Err(_)) => self.refused += 1,
            _ => {}
        }
    }
}

/// Plays every scenario and 50 random lifecycles.
async fn traffic(stage: &Stage) -> Traffic {
    let random = generate::lifecycles(7, 50);
    let random: Vec<Scenario> = random.iter().filter_map(generate::Lifecycle::scenario).collect();
    let golden = scenario::golden();
    let can_be_played = |scenario: &&Scenario| scenario.needs.iter().all(|need| stage.offers.contains(need));
    let played = stream::iter(golden.iter().chain(&random).filter(can_be_played)).map(|scenario| async move {
        let (found, exchanges) = trace::of(interpreter::play(stage, scenario)).await;
        (scenario, found, exchanges)
    });
    let mut played = std::pin::pin!(played.buffer_unordered(64));
    let mut traffic = Traffic::default();
    while let Some((scenario, found, exchanges)) = played.next().await {
        let red = found.checks.iter().find(|check| check.verdict > Verdict::Pass);
        assert_eq!(red, None, "{}", scenario.id);
        for exchange in &exchanges {
            traffic.read(scenario, exchange);
        }
    }
    traffic
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_kit_means_what_it_sends() {
    let dummy = Dummy::start(Behaviour::plain()).await;
    let mut stage = support::stage(dummy.url(), dummy.token(), support::profile(&[], true));
    stage.offers = smoke::look(&stage).await.offers;
    let traffic = traffic(&stage).await;
    assert!(traffic.problems.is_empty(), "{} problems\n{}", traffic.problems.len(), traffic.problems.join("\n"));
    assert!(traffic.taken > 500, "{} taken", traffic.taken);
    assert!(traffic.refused > 200, "{} refused", traffic.refused);
}
