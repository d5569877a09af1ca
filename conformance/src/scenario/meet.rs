//! Different events at the same moment, through both doors; the history of calls is held against a sequential condition.

use super::expand::Scope;
use super::interpreter::{Halt, Play};
use super::judge::{self, Finding};
use super::outgoing::Outgoing;
use super::step::Meet;
use crate::exchange::{Auth, Exchange, Request};
use crate::history::{self, Act, Operation};
use futures_util::future::join_all;

/// A call, and what it does.
struct Player {
    act: Act,
    request: Request,
    outgoing: Outgoing,
}

impl Play<'_> {
    pub(super) async fn meet_others(&mut self, meet: &Meet) -> Result<(), Halt> {
        let players = self.players(meet)?;
        let mut exchanges = self.at_once(&players).await;
        // Afterwards the answers are retried, one by one: what was acknowledged has to stay so.
        let retries: Vec<&Player> = players.iter().filter(|player| matches!(player.act, Act::Answer(_))).collect();
        let mut acts: Vec<Act> = players.iter().map(|player| player.act).collect();
        for player in retries {
            acts.push(player.act);
            exchanges.push(self.stage.client.send(player.request.clone()).await);
        }
        let is_open = |exchange: &&Exchange| {
            matches!(judge::outcome(&self.stage.profile, &[], true, &exchange.reply), Finding::Open(_))
        };
        if let Some(exchange) = exchanges.iter().find(is_open) {
            let finding = Finding::Open(exchange.reply.describe());
            return Err(Halt::Inconclusive(Box::new(self.shown_evidence(&finding, exchange, "one of those who met"))));
        }
        self.explain(meet, &acts, &exchanges)
    }

    fn players(&self, meet: &Meet) -> Result<Vec<Player>, Halt> {
        let mut players = Vec::new();
        for (at, message) in meet.posts.iter().enumerate() {
            let outgoing = self.build(message, &[], at)?;
            let act = match outgoing.event_type.as_str() {
                "response.submitted" => Act::Answer(at),
                "request.updated" | "request.created" => Act::Update,
                _ => Act::Resolve,
            };
            players.push(Player { act, request: outgoing.request(self.stage.events_url()), outgoing });
        }
        let names = self.names.clone();
        let scope = Scope { names: &names, key: names.key("a"), to: "q", index: 0 };
        for (at, respond) in meet.responds.iter().enumerate() {
            let path = scope.expand_path(&respond.path).map_err(|e| self.unresolved(e))?;
            let body = scope.expand(&respond.body).map_err(|e| self.unresolved(e))?;
            let body = body.map(|body| body.to_string().into_bytes());
            let request = Request { method: "POST", url: self.route(&path)?, auth: Auth::Token, body, chunked: false };
            let act = Act::Answer(meet.posts.len() + at);
            players.push(Player { act, request, outgoing: Outgoing::nothing() });
        }
        Ok(players)
    }

    /// One slot for all, so that none waits for another.
    async fn at_once(&self, players: &[Player]) -> Vec<Exchange> {
        let _slot = self.stage.client.pace().slot().await;
        let exchanges = join_all(players.iter().map(|player| self.stage.client.send_now(player.request.clone()))).await;
        for (player, exchange) in players.iter().zip(&exchanges) {
            self.track(&player.outgoing, exchange);
        }
        exchanges
    }

    fn explain(&mut self, meet: &Meet, acts: &[Act], exchanges: &[Exchange]) -> Result<(), Halt> {
        let operation = |(act, exchange): (&Act, &Exchange)| Operation {
            act: *act,
            succeeded: self.is_success(exchange),
            began: exchange.began,
            ended: exchange.ended,
        };
        let operations: Vec<Operation> = acts.iter().zip(exchanges).map(operation).collect();
        let offending = history::offending(&operations);
        let finding = if offending.is_empty() { Finding::Right } else { wrong(&operations, exchanges, &offending) };
        let shown = offending.last().map_or(&exchanges[0], |at| &exchanges[*at]);
        let is_right = self.note(&meet.expectation, vec![finding], shown, "those who met");
        if is_right { Ok(()) } else { Err(Halt::Failed) }
    }
}

/// The smallest interleaving that no order explains.
fn wrong(operations: &[Operation], exchanges: &[Exchange], offending: &[usize]) -> Finding {
    let start = exchanges.iter().map(|exchange| exchange.began).min().unwrap_or(0);
    let line = |at: &usize| {
        let Operation { act, began, ended, .. } = operations[*at];
        let status = exchanges[*at].reply.status().unwrap_or(0);
        let door = exchanges[*at].request.url.as_str();
        format!("{act:?} at {door} from {} to {} ms: {status}", began - start, ended - start)
    };
    let lines: Vec<String> = offending.iter().map(line).collect();
    Finding::Wrong {
        permitted:
            "replies that some order of these calls explains: the first valid answer wins, and nothing is answered \
                    after a resolution or a changed question"
                .to_owned(),
        got: Some(format!("no order explains [{}], the last of which", lines.join("; "))),
    }
}
