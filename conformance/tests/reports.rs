//! Every report format on one failing run: told as the runner tells it, with whatever a consumer might say.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use arc_conformance::claim::Claim;
use arc_conformance::exchange::{Auth, Exchange, Reply, Request};
use arc_conformance::known_failures::KnownFailures;
use arc_conformance::report::{Badge, ClaimJson, Html, Json, Junit, Markdown, Svg, Terminal};
use arc_conformance::requirement;
use arc_conformance::run_event::{Judged, Reporter, RunEvent, Summary};
use arc_conformance::secret::{Redactor, Token};
use arc_conformance::smoke::Smoke;
use arc_conformance::trace::Story;
use arc_conformance::verdict::{Check, Evidence, Verdict, sum};
use serde_json::{Value, json};
use std::time::Duration;

/// What a hostile consumer says: markup of every format, control and invisible characters, and what it was entrusted with.
const NASTY: &str = "</pre><script>alert('x')</script> ]]> | ` \" & \u{1b}[31m \u{202e}right to left\u{2066} \u{0}\u{fffe} \
                     [a](javascript:b) tok-canary nonce-canary \n::error::owned\n<!-- <img src=x onerror=y>";

const TARGET: &str = "http://127.0.0.1:47821/v1/events";

/// A scenario as it was played.
struct Played {
    scenario: &'static str,
    checks: Vec<Check>,
    story: Story,
}

/// The shared run.
struct Recorded {
    smoke: Smoke,
    played: Vec<Played>,
    summary: Summary,
}

fn redactor() -> Redactor {
    let redactor = Redactor::new(&Token::new("tok-canary"));
    redactor.learn("nonce-canary", "<nonce>");
    redactor
}

fn exchange(at: i64, event_type: &str, reply: Reply) -> Exchange {
    let digest = "0123456789abcdef".repeat(4);
    let response = json!({ "nonce": "nonce-canary", "digest": digest, "choice_id": "deny" });
    let body = json!({ "event_type": event_type, "event_id": format!("e{at}"), "response": response }).to_string();
    let request = Request {
        method: "POST",
        url: TARGET.to_owned(),
        auth: Auth::Token,
        body: Some(body.into_bytes()),
        chunked: false,
    };
    Exchange { request, reply, began: 1_000 + at, ended: 1_000 + at + 5, resent: false }
}

fn http(status: u16, body: &str) -> Reply {
    Reply::Http { status, body: body.as_bytes().to_vec() }
}

fn check(requirement: &str, verdict: Verdict, scenario: &str, got: &str) -> Check {
    let evidence = Evidence { scenario: scenario.to_owned(), got: got.to_owned(), ..Evidence::default() };
    let evidence = (verdict != Verdict::Pass).then_some(evidence);
    Check { requirement: requirement.to_owned(), verdict, evidence }
}

/// A violation whose evidence is an exchange, with the exchanges before it.
fn violation(requirement: &str, scenario: &'static str, reply: Reply) -> Played {
    let redactor = redactor();
    let exchanges = vec![
        exchange(0, "request.created", http(201, NASTY)),
        exchange(10, "response.submitted", reply),
        exchange(12, "response.submitted", Reply::TimedOut),
    ];
    let offending = &exchanges[1];
    let evidence = Evidence {
        scenario: scenario.to_owned(),
        step: "3: one digit changed".to_owned(),
        sent: offending.sent(&redactor),
        permitted: "rejected (400)".to_owned(),
        got: offending.got(&redactor),
        curl: offending.curl(&redactor),
        ..Evidence::default()
    };
    let check = Check { requirement: requirement.to_owned(), verdict: Verdict::Fail, evidence: Some(evidence) };
    let checks = vec![check];
    let story = Story::tell(exchanges, &checks, &redactor);
    Played { scenario, checks, story }
}

fn played(scenario: &'static str, checks: Vec<Check>) -> Played {
    Played { scenario, checks, story: Story::default() }
}

fn recorded() -> Recorded {
    use Verdict::{Disabled, Inconclusive, KitError, NotApplicable, Pass};
    let nasty = redactor().clean(&http(200, NASTY).describe());
    let mut played = vec![
        violation("ANS-06", "ans-digest", http(200, NASTY)),
        violation("HTP-06", "htp-body", http(500, NASTY)),
        violation("NON-02", "non-guess", http(200, NASTY)),
        played(
            "lif-slow",
            vec![check("LIF-10", Inconclusive, "lif-slow", &nasty), check("LIF-01", Pass, "lif-slow", "")],
        ),
        played("dig-odd", vec![check("DIG-01", KitError, "dig-odd", "a held call broke down")]),
        played(
            "ans-nonce",
            ["ANS-07", "ANS-17", "NON-01"]
                .map(|id| check(id, NotApplicable, "ans-nonce", "the consumer issues no nonce"))
                .to_vec(),
        ),
    ];
    let judged = |played: &[Played]| played.iter().flat_map(|p| p.checks.clone()).collect::<Vec<_>>();
    let named: Vec<String> = judged(&played).into_iter().map(|check| check.requirement).collect();
    let others = requirement::all().iter().filter(|r| !named.contains(&r.id) && r.family() != "ENV");
    let checks = others.map(|r| check(&r.id, Pass, "the-others", "")).collect();
    played.push(Played { scenario: "the-others", checks, story: Story::default() });
    let mut checks = judged(&played);
    let off = requirement::all().iter().filter(|r| r.family() == "ENV");
    checks.extend(off.map(|r| check(&r.id, Disabled, "env-all", "switched off by the user")));
    let judgements = sum(&checks);
    let claims = ["consumer", "agentnotify-http"].map(|claim| Claim::weigh(claim, &judgements, false)).to_vec();
    let summary = Summary {
        judgements,
        claims,
        requests: 1_234,
        rate_limited: 5,
        minimal: Some(json!({ "id": "lifecycle-7-3" })),
        took: Duration::from_millis(4_200),
        known: None,
    };
    let list = json!({ "known_failures": [
        { "requirement": "HTP-06", "reason": "ticket 7 <b>", "expires": "2026-12-31" },
        { "requirement": "ANS-09", "reason": "ticket 8", "expires": "2026-12-31" },
    ] });
    let list = KnownFailures::parse(&list.to_string()).unwrap();
    let known = Some(list.settle(summary.asked(), "2026-08-26"));
    let smoke = Smoke { line: "reachable, token accepted; nonce not issued".to_owned(), ..Smoke::default() };
    Recorded { smoke, played, summary: Summary { known, ..summary } }
}

/// Tells the run to a reporter.
fn tell(run: &Recorded, reporter: &mut dyn Reporter) {
    let (judged, profile) = (Judged::Consumer, "AgentNotify HTTP binding");
    let began = RunEvent::Began { judged, target: TARGET, profile, run: "run0", seed: Some(7), scenarios: 8 };
    reporter.take(&began).unwrap();
    reporter.take(&RunEvent::Smoked(&run.smoke)).unwrap();
    for Played { scenario, checks, story } in &run.played {
        let took = Duration::from_millis(20);
        reporter.take(&RunEvent::Played { scenario, checks, took, story }).unwrap();
    }
    reporter.take(&RunEvent::Ended(&run.summary)).unwrap();
}

/// What a format makes of the run: no secret, and nothing that a terminal or a browser would act on.
fn text(report: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    report(&mut out);
    let text = String::from_utf8(out).unwrap();
    assert!(!text.contains("canary"), "{text}");
    let raw =
        text.chars().find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202e}' | '\u{2066}' | '\u{fffe}'));
    assert_eq!(raw, None, "{text}");
    text
}

/// Takes out what changes with each release and each vector.
fn stable(text: &str) -> String {
    let vectors = arc_conformance::scenario::fingerprint();
    text.replace(&vectors, "VECTORS").replace(&vectors[..12], "VECTORS").replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn terminal() {
    let text = text(|out| tell(&recorded(), &mut Terminal::new(anstream::StripStream::new(out))));
    insta::assert_snapshot!(stable(&text));
}

#[test]
fn json() {
    let text = text(|out| tell(&recorded(), &mut Json::new(out)));
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(arc_conformance::schema::check(include_str!("../../schemas/report.schema.json"), &report), Ok(()));
    insta::assert_snapshot!(stable(&text));
}

#[test]
fn junit() {
    let text = text(|out| tell(&recorded(), &mut Junit::new(out)));
    let document = roxmltree::Document::parse(&text).unwrap();
    let suites = document.root_element();
    let count = |node: roxmltree::Node<'_, '_>, name: &str| node.descendants().filter(|n| n.has_tag_name(name)).count();
    for suite in suites.descendants().filter(|n| n.has_tag_name("testsuite") || n.has_tag_name("testsuites")) {
        for (attribute, element) in
            [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        {
            let said: usize = suite.attribute(attribute).unwrap().parse().unwrap();
            assert_eq!(said, count(suite, element), "{attribute} of {:?}", suite.attribute("name"));
        }
    }
    let mut names: Vec<_> =
        suites.descendants().filter_map(|n| Some((n.attribute("classname")?, n.attribute("name")?))).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "each case has a name of its own");
    insta::assert_snapshot!(stable(&text));
}

/// The elements of the page: none of them runs or loads anything.
const ELEMENTS: &[&str] = &[
    "!doctype",
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "a",
    "header",
    "main",
    "footer",
    "nav",
    "section",
    "article",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "dl",
    "dt",
    "dd",
    "div",
    "span",
    "small",
    "strong",
    "code",
    "ul",
    "ol",
    "li",
    "figure",
    "figcaption",
    "details",
    "summary",
    "pre",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
];

#[test]
fn html() {
    let text = text(|out| tell(&recorded(), &mut Html::new(out)));
    // Whatever was said is escaped, so each `<` begins an element of the template's own.
    for tag in text.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(ELEMENTS.contains(&name.trim_start_matches('/')), "{tag}");
        for attribute in attributes.split('"').step_by(2) {
            let attribute = attribute.trim();
            assert!(!attribute.starts_with("on") && !attribute.starts_with("src"), "{tag}");
        }
    }
    assert!(!text.contains("url(") && !text.contains("@import"), "nothing is loaded");
    let links = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut anchors: Vec<&str> = text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for link in links {
        let anchor = link.strip_prefix('#').unwrap_or_else(|| panic!("{link} leads out of the page"));
        assert!(anchors.contains(&anchor), "{anchor}");
    }
    let all = anchors.len();
    anchors.sort_unstable();
    anchors.dedup();
    assert_eq!(anchors.len(), all, "each id is there once");
    insta::assert_snapshot!(stable(&text));
}

/// The page is what it is without scripts, in both colour schemes, and its colours can be told apart (WCAG AA: 4.5 to 1).
#[test]
fn html_colours_have_contrast() {
    let css = include_str!("../templates/report.css");
    let schemes: Vec<&str> = css.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap()).collect();
    assert_eq!(schemes.len(), 2, "light and dark");
    for scheme in schemes {
        let color = |name: &str| {
            let hex = scheme.split(&format!("--{name}: #")).nth(1).unwrap_or_else(|| panic!("no colour {name}"));
            u32::from_str_radix(&hex[..6], 16).unwrap()
        };
        for ground in ["bg", "card", "wash-fail"] {
            for ink in ["fg", "soft", "link", "pass", "fail", "open", "none"] {
                let contrast = contrast(color(ink), color(ground));
                assert!(contrast >= 4.5, "{ink} on {ground}: {contrast:.2}");
            }
        }
    }
}

#[test]
fn badge_colours_have_contrast() {
    let source = include_str!("../src/report/badge.rs");
    let fills: Vec<&str> =
        source.split("\"#").skip(1).map(|rest| &rest[..6]).filter(|hex| u32::from_str_radix(hex, 16).is_ok()).collect();
    assert_eq!(fills.len(), 4, "{fills:?}");
    for fill in fills {
        assert!(contrast(0x00ff_ffff, u32::from_str_radix(fill, 16).unwrap()) >= 4.5, "{fill}");
    }
}

fn contrast(a: u32, b: u32) -> f64 {
    let channel = |color: u32, shift: u32| {
        let value = f64::from((color >> shift) & 0xff) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = |color: u32| 0.2126 * channel(color, 16) + 0.7152 * channel(color, 8) + 0.0722 * channel(color, 0);
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

#[test]
fn markdown() {
    let text = text(|out| tell(&recorded(), &mut Markdown::new(out)));
    assert!(!text.contains("<script") || text.lines().filter(|l| l.contains("<script")).all(|l| l.starts_with("    ")));
    insta::assert_snapshot!(stable(&text));
}

#[test]
fn badge() {
    insta::assert_snapshot!(stable(&text(|out| tell(&recorded(), &mut Badge::new(out)))));
}

#[test]
fn badge_svg() {
    let text = text(|out| tell(&recorded(), &mut Svg::new(out)));
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(document.root_element().tag_name().name(), "svg");
    insta::assert_snapshot!(stable(&text));
}

#[test]
fn claim() {
    let text = text(|out| tell(&recorded(), &mut ClaimJson::new(out)));
    let file = arc_conformance::claim_file::ClaimFile::parse(&text).unwrap();
    assert_eq!(file.problems(), Vec::<String>::new());
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["time"] = "TIME".into();
    insta::assert_snapshot!(stable(&format!("{value:#}")));
}

/// A consumer that cannot be judged is told as such in every format, never as success.
#[test]
fn trouble_is_told_in_every_format() {
    let run = Recorded {
        smoke: Smoke {
            trouble: Some(format!("token: {}", redactor().clean(&http(401, NASTY).describe()))),
            ..Smoke::default()
        },
        played: Vec::new(),
        summary: Summary::default(),
    };
    let line = run.smoke.trouble.clone().unwrap();
    let smoke = Smoke { line, ..run.smoke };
    let told = |reporter: &mut dyn Reporter| {
        let judged = Judged::Consumer;
        let began = RunEvent::Began { judged, target: TARGET, profile: "p", run: "r", seed: None, scenarios: 1 };
        reporter.take(&began).unwrap();
        reporter.take(&RunEvent::Smoked(&smoke)).unwrap();
    };
    let html = text(|out| told(&mut Html::new(out)));
    assert!(html.contains("Not judged") && !html.contains("<script"), "{html}");
    let junit = text(|out| told(&mut Junit::new(out)));
    assert_eq!(roxmltree::Document::parse(&junit).unwrap().root_element().attribute("errors"), Some("1"));
    let report: Value = serde_json::from_str(&text(|out| told(&mut Json::new(out)))).unwrap();
    assert_eq!(arc_conformance::schema::check(include_str!("../../schemas/report.schema.json"), &report), Ok(()));
    assert!(report["trouble"].as_str().unwrap().starts_with("token"));
    assert!(text(|out| told(&mut Markdown::new(out))).contains("Not judged"));
    assert!(text(|out| told(&mut Badge::new(out))).contains("not judged"));
    assert!(text(|out| told(&mut Svg::new(out))).contains("not judged"));
}
