//! What a play finds: each exchange is judged, and noted for the requirements that its step proves.

use super::Expectation;
use super::expand::{Scope, Unresolved};
use super::interpreter::{Halt, Play};
use super::judge::{self, Finding};
use crate::exchange::Exchange;
use crate::profile::Outcome;
use crate::verdict::{Check, Evidence, Verdict};

impl Play<'_> {
    /// Judges an exchange: the outcome, then the members, then the exact status. Set-up is only demanded.
    pub(super) fn judge(
        &mut self,
        expectation: &Expectation,
        scope: &Scope<'_>,
        exchange: &Exchange,
        what: &str,
    ) -> Result<(), Halt> {
        let profile = &self.stage.profile;
        let outcome = judge::outcome(profile, expectation.outcomes(), expectation.or_closed, &exchange.reply);
        let mut findings = vec![outcome];
        if findings[0] == Finding::Right {
            let members = judge::members(profile, expectation, scope, exchange);
            findings.extend(members.map_err(|e| self.unresolved(e))?);
        }
        if expectation.given {
            return self.demand(findings, exchange, what);
        }
        if let Some(open) = findings.iter().find(|finding| matches!(finding, Finding::Open(_))) {
            return Err(Halt::Inconclusive(Box::new(self.shown_evidence(open, exchange, what))));
        }
        if !self.note(expectation, findings, exchange, what) {
            return Err(Halt::Failed);
        }
        if self.stage.profile.is_route(&exchange.request.url) {
            self.note_route(expectation, exchange, what);
        } else {
            self.note_exact(expectation.exact(), exchange, what);
        }
        Ok(())
    }

    /// Set-up comes out, or what rests on it is inconclusive.
    fn demand(&self, findings: Vec<Finding>, exchange: &Exchange, what: &str) -> Result<(), Halt> {
        match findings.into_iter().find(|finding| *finding != Finding::Right) {
            None => Ok(()),
            Some(finding) => {
                let mut evidence = self.shown_evidence(&finding, exchange, what);
                evidence.step.push_str(" (set-up)");
                Err(Halt::Inconclusive(Box::new(evidence)))
            }
        }
    }

    /// Notes findings for each requirement that the step proves. `false` where one of them is not right.
    pub(super) fn note(
        &mut self,
        expectation: &Expectation,
        findings: Vec<Finding>,
        exchange: &Exchange,
        what: &str,
    ) -> bool {
        let proves = if expectation.proves.is_empty() { &self.scenario.proves } else { &expectation.proves };
        let mut is_right = true;
        for finding in findings {
            is_right &= finding == Finding::Right;
            for requirement in proves {
                let check = self.check(requirement, &finding, exchange, what);
                self.checks.push(check);
            }
        }
        is_right
    }

    /// Notes whether the binding's exact status came.
    pub(super) fn note_exact(&mut self, permitted: &[Outcome], exchange: &Exchange, what: &str) {
        if let Some((requirement, finding)) = judge::exact(&self.stage.profile, permitted, exchange) {
            let check = self.check(requirement, &finding, exchange, what);
            self.checks.push(check);
        }
    }

    /// The interactions routes have exact statuses of their own: the requirements that a step proves say which.
    fn note_route(&mut self, expectation: &Expectation, exchange: &Exchange, what: &str) {
        if let Some((_, finding)) = judge::exact(&self.stage.profile, expectation.exact(), exchange) {
            self.note(expectation, vec![finding], exchange, what);
        }
    }

    fn check(&self, requirement: &str, finding: &Finding, exchange: &Exchange, what: &str) -> Check {
        let verdict = match finding {
            Finding::Right => Verdict::Pass,
            Finding::Wrong { .. } => Verdict::Fail,
            Finding::Open(_) => Verdict::Inconclusive,
        };
        let evidence = (verdict != Verdict::Pass).then(|| self.shown_evidence(finding, exchange, what));
        Check { requirement: requirement.to_owned(), verdict, evidence }
    }

    /// The place in the scenario.
    pub(super) fn evidence(&self) -> Evidence {
        Evidence { scenario: self.scenario.id.clone(), step: self.at.to_string(), ..Evidence::default() }
    }

    pub(super) fn shown_evidence(&self, finding: &Finding, exchange: &Exchange, what: &str) -> Evidence {
        let redactor = &self.stage.redactor;
        let mut evidence = self.evidence();
        if !what.is_empty() {
            evidence.step = format!("{}: {what}", evidence.step);
        }
        evidence.sent = exchange.sent(redactor);
        evidence.got = exchange.got(redactor);
        evidence.curl = exchange.curl(redactor);
        match finding {
            Finding::Right => {}
            Finding::Open(why) => evidence.got = redactor.clean(why),
            Finding::Wrong { permitted, got } => {
                evidence.permitted = redactor.clean(permitted);
                if let Some(got) = got {
                    evidence.got = format!("{} in {}", redactor.clean(got), evidence.got);
                }
            }
        }
        evidence
    }

    /// The checks made so far, and one of that verdict for each requirement that the scenario proves.
    pub(super) fn ended_by(mut self, verdict: Verdict, evidence: &Evidence) -> Vec<Check> {
        for requirement in self.scenario.requirements() {
            let evidence = Some(evidence.clone());
            self.checks.push(Check { requirement: requirement.to_owned(), verdict, evidence });
        }
        self.checks
    }

    pub(super) fn unresolved(&self, unresolved: Unresolved) -> Halt {
        match unresolved {
            Unresolved::Mistake(mistake) => Halt::Mistake(mistake),
            Unresolved::Unseen(got) => Halt::Inconclusive(Box::new(Evidence { got, ..self.evidence() })),
        }
    }
}
