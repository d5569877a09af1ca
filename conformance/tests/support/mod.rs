//! Runs the kit as a library.

#![allow(dead_code, reason = "each test program uses a part of it")]

use arc_conformance::client::Client;
use arc_conformance::pace::Pace;
use arc_conformance::plan::Selection;
use arc_conformance::profile::{Outcome, Profile};
use arc_conformance::run_event::Reporter;
use arc_conformance::runner::{self, End, Plan};
use arc_conformance::secret::{Redactor, Token};
use arc_conformance::stage::Stage;
use arc_conformance::{fresh, scenario};
use std::collections::BTreeSet;
use std::time::Duration;

/// Judges a consumer that speaks AgentNotify's binding, but for the refusals of its own profile.
pub(crate) async fn judge(url: &str, token: &str, refusals: &[(&str, u16)], selection: Selection) -> End {
    judge_telling(url, token, refusals, selection, &mut []).await
}

/// The same, with reporters.
pub(crate) async fn judge_telling(
    url: &str,
    token: &str,
    refusals: &[(&str, u16)],
    selection: Selection,
    reporters: &mut [Box<dyn Reporter>],
) -> End {
    let mut profile = Profile::agentnotify();
    for (outcome, status) in refusals {
        assert_eq!(*outcome, "rejected");
        profile.outcomes.get_mut(&Outcome::Rejected).expect("the profile has it").statuses.push(*status);
    }
    let token = Token::new(token);
    let pace = Pace::new(16, Duration::from_secs(60));
    let redactor = Redactor::new(&token);
    let client = Client::new(profile.authorization.clone(), token, Duration::from_secs(10), pace).expect("a client");
    let claims = vec!["consumer".to_owned(), "agentnotify-http".to_owned()];
    let plan = Plan { scenarios: scenario::golden(), selection, claims, jobs: 16 };
    let base = url.to_owned();
    let mut stage = Stage { client, profile, base, run: fresh::hex(6), redactor, offers: BTreeSet::new() };
    runner::run(&mut stage, &plan, reporters).await.expect("reporters that do not fail")
}
