//! What `--help` teaches beside the options: what the program is for, and examples.

pub(crate) const ABOUT: &str = "\
Judges implementations of the Attention Request Contract (ARC) 0.2, requirement by requirement.

`run` judges a consumer at a URL, `producer` judges a command that emits events. Both say which claims hold, show what was \
sent and what came where a requirement is not met, and end with an exit code that a release can be gated on.";

const EXIT_CODES: &str = "\
Exit codes:
  0 every requested claim holds        3 the target cannot be reached or is no ARC endpoint
  1 violations                         4 inconclusive, or nothing ran
  2 usage or configuration             5 the kit itself is at fault
  130, 143 interrupted (SIGINT, SIGTERM): what was under way came to its end, the reports are written";

/// Examples of a command that judges, and what its exit code says.
pub(crate) fn judging(examples: &str) -> String {
    format!("{examples}\n\n{EXIT_CODES}")
}

pub(crate) const EXAMPLES: &str = "\
Examples:
  arc-conform run                                     judges the embedded reference broker: a first look
  arc-conform run http://127.0.0.1:47821 --token-file token
  arc-conform run http://127.0.0.1:47821 --report html=report.html --report claim=claim.json
  arc-conform producer -- ./ask-for-release.sh        judges a command that emits events
  arc-conform explain ANS-06                          what a requirement says and how it is judged";

pub(crate) const RUN_EXAMPLES: &str = "\
Examples:
  arc-conform run                                     judges the embedded reference broker
  arc-conform run http://127.0.0.1:47821 --token-file token.txt
  ARC_TOKEN=… arc-conform run http://127.0.0.1:47821/v1/events --report json=report.json
  arc-conform run http://127.0.0.1:47821 --only ANS --only DIG-02
  arc-conform run http://127.0.0.1:47821 --rate 25/s --budget 5m
  arc-conform run --dry-run --only ANS                what would be asked, without asking
  arc-conform run http://127.0.0.1:8080 --token t --spawn './consumer --port 8080'   kills and restarts it (claim durable)

A part of the scenarios (--only, --skip, --budget) never makes a claim hold: what is left out is open.";

pub(crate) const PRODUCER_EXAMPLES: &str = "\
Examples:
  arc-conform producer -- ./ask-for-release.sh
  arc-conform producer --script silence --limit 30s -- python3 agent.py
  arc-conform producer --report html=report.html -- sh -c 'my-agent --notify $ARC_URL --key $ARC_TOKEN'

The command is run once for each script, with ARC_URL (http://127.0.0.1:PORT) and ARC_TOKEN in its environment. It posts its
events to $ARC_URL/v1/events with `Authorization: Bearer $ARC_TOKEN` and waits for an answer at
$ARC_URL/v1/interactions/{id}/wait or by asking $ARC_URL/v1/interactions/{id}. Questions with a deadline a few seconds ahead
let the silent scripts come to a verdict.";

pub(crate) const REPLAY_EXAMPLES: &str = "\
Examples:
  arc-conform replay arc-conform-failures/lifecycle-7-3.json http://127.0.0.1:47821 --token-file token";

pub(crate) const EXPORT_EXAMPLES: &str = "\
Examples:
  arc-conform vectors export arc-vectors      vectors/ and schemas/ as files, to test with from any language";

pub(crate) const CHALLENGE_EXAMPLES: &str = "\
Examples:
  arc-conform run http://127.0.0.1:47821 --token-file token --report json=report.json
  arc-conform challenge ANS-06 --from report.json > challenge.md";
