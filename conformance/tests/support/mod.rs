//! Runs the kit as a library.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub(crate) mod caught;

use arc_conformance::client::Client;
use arc_conformance::pace::Pace;
use arc_conformance::plan::Selection;
use arc_conformance::profile::{Outcome, Profile};
use arc_conformance::runner::{self, End, Plan};
use arc_conformance::secret::{Redactor, Token};
use arc_conformance::stage::{Fleet, Stage};
use arc_conformance::{fresh, generate, scenario};
use std::collections::BTreeSet;
use std::time::Duration;

/// AgentNotify's binding, but for further statuses of refusals, with or without the interactions routes.
pub(crate) fn profile(refusals: &[(&str, u16)], interactions: bool) -> Profile {
    let mut profile = Profile::agentnotify();
    for (outcome, status) in refusals {
        assert_eq!(*outcome, "rejected");
        profile.outcomes.get_mut(&Outcome::Rejected).expect("the profile has it").statuses.push(*status);
    }
    profile.declares.extend(interactions.then(|| "interactions".to_owned()));
    profile
}

/// Judges a consumer for its binding's claims and for what it declares.
pub(crate) async fn judge(url: &str, token: &str, profile: Profile, selection: Selection) -> End {
    judge_on(stage(url, token, profile), &[], selection).await
}

/// The same on a stage that is set otherwise, for further claims.
pub(crate) async fn judge_on(mut stage: Stage, further: &[&str], selection: Selection) -> End {
    let mut claims = vec!["consumer".to_owned(), "agentnotify-http".to_owned()];
    claims.extend(stage.profile.declares.iter().cloned());
    claims.extend(further.iter().map(|claim| (*claim).to_owned()));
    let plan = Plan { scenarios: scenario::golden(), selection, claims, jobs: 16, ..Plan::default() };
    runner::run(&mut stage, &plan, &mut []).await.expect("reporters that do not fail")
}

/// Plays random lifecycles alone.
pub(crate) async fn live(url: &str, token: &str, profile: Profile, seed: u64, cases: usize) -> End {
    let lifecycles = generate::lifecycles(seed, cases);
    let plan = Plan { seed: Some(seed), lifecycles, jobs: 16, ..Plan::default() };
    runner::run(&mut stage(url, token, profile), &plan, &mut []).await.expect("reporters that do not fail")
}

/// What a run needs to talk to a consumer.
pub(crate) fn stage(url: &str, token: &str, profile: Profile) -> Stage {
    let token = Token::new(token);
    let pace = Pace::new(16, Duration::from_secs(60));
    let redactor = Redactor::new(&token);
    let client = Client::new(profile.authorization.clone(), token, Duration::from_secs(10), pace).expect("a client");
    let (base, run, offers, fleet) = (url.to_owned(), fresh::hex(6), BTreeSet::new(), Fleet::default());
    Stage { client, profile, base, run, redactor, offers, spawned: None, log: None, fleet }
}

/// A selection of these requirements, families or claims.
pub(crate) fn only(words: &[&str]) -> Selection {
    Selection { only: words.iter().map(|word| (*word).to_owned()).collect(), ..Selection::default() }
}
