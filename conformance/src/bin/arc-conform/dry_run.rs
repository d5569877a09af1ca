//! `arc-conform run --dry-run`: what would be asked.

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::list;
use arc_conformance::generate::Lifecycle;
use arc_conformance::plan::Cost;
use arc_conformance::runner::Plan;
use arc_conformance::scenario::Scenario;
use std::fmt::Write as _;
use std::process::ExitCode;

pub(crate) fn print(args: &RunArgs, plan: &Plan) -> Result<ExitCode, Failure> {
    let random: Vec<Scenario> = plan.lifecycles.iter().filter_map(Lifecycle::scenario).collect();
    let (on, off) = plan.partition(&random);
    let mut text = String::new();
    let (mut requests, mut checks, mut seconds) = (0, 0, 0.0_f64);
    for scenario in &on {
        let cost = Cost::of(scenario);
        requests += cost.requests;
        checks += cost.checks;
        seconds = seconds.max(cost.seconds);
        let Scenario { id, title, .. } = scenario;
        let _ =
            writeln!(text, "{id:<40} {:>4} requests  {}  {title}", cost.requests, scenario.requirements().join(" "));
    }
    let _ = writeln!(
        text,
        "\n{} of {} scenarios for {}: at least {requests} requests and {checks} checks; deadlines take {seconds:.1} s{}.",
        on.len(),
        on.len() + off.len(),
        if plan.claims.is_empty() { "no claim".to_owned() } else { plan.claims.join(", ") },
        at_rate(args, requests),
    );
    text.push_str("Nothing was asked.\n");
    list::print(&text)
}

#[expect(clippy::cast_precision_loss, reason = "a number of requests is far below 2^52")]
fn at_rate(args: &RunArgs, requests: usize) -> String {
    let Some(rate) = args.pace.rate else { return String::new() };
    format!("; at {rate} requests/s {:.1} s", requests as f64 / rate)
}
