//! Different calls at the same moment, through both doors; their history is held against a sequential condition.

use super::interpreter::{Halt, Play};
use super::judge::{self, Finding};
use super::outgoing::Outgoing;
use super::step::Meet;
use crate::exchange::{Exchange, Request};
use crate::history::{self, Act, Operation};
use futures_util::future::join_all;
use serde_json::json;

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
        if let Some(path) = &meet.look {
            let shown = self.stage.client.send(self.route_request("GET", path, None)?).await;
            if let Some(act) = self.seen(&shown) {
                acts.push(act);
                exchanges.push(shown);
            }
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
        // It goes first: who looks at the question before an answer and ends it after one is found out.
        if let Some(path) = &meet.cancel {
            let request = self.route_request("POST", path, Some(&json!({})))?;
            players.push(Player { act: Act::Cancel, request, outgoing: Outgoing::nothing() });
        }
        for (at, message) in meet.posts.iter().enumerate() {
            let outgoing = self.build(message, &[], at)?;
            let act = match outgoing.event_type.as_str() {
                "response.submitted" => Act::Answer(at),
                "request.updated" | "request.created" => Act::Update,
                _ => Act::Resolve,
            };
            players.push(Player { act, request: outgoing.request(self.stage.events_url()), outgoing });
        }
        for (at, respond) in meet.responds.iter().enumerate() {
            let request = self.route_request("POST", &respond.path, Some(&respond.body))?;
            let act = Act::Answer(meet.posts.len() + at);
            players.push(Player { act, request, outgoing: Outgoing::nothing() });
        }
        Ok(players)
    }

    /// What a look at the question showed, where it showed something: its route is judged elsewhere.
    fn seen(&self, exchange: &Exchange) -> Option<Act> {
        let body = self.viewed(exchange);
        let state = self.stage.profile.member("state", &body).filter(|_| self.is_success(exchange))?;
        Some(Act::Look(state == "answered"))
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
            "replies that some order of these calls explains: the first valid answer wins and stays, and nothing is \
                    answered after a resolution, a cancellation or a changed question"
                .to_owned(),
        got: Some(format!("no order explains [{}], the last of which", lines.join("; "))),
    }
}
