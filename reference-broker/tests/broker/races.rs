//! Many at once.

use crate::support::*;
use serde_json::Value;
use std::collections::HashMap;

const CONDITIONS: usize = 500;
const RIVALS: usize = 64;

/// 64 different answers to each of 500 questions, through both doors, all at once.
#[tokio::test(flavor = "multi_thread")]
async fn each_of_many_conditions_has_one_winner() {
    let server = Server::start().await;
    let mut asked = Vec::new();
    for i in 0..CONDITIONS {
        asked.push(server.ask(&format!("k{i}")).await);
    }
    let waiters: Vec<_> = asked
        .iter()
        .map(|asked| {
            let (client, path) = (server.client.clone(), path_of(asked, "/wait?timeout=300"));
            tokio::spawn(async move { client.get(&path).await })
        })
        .collect();
    let mut rivals = Vec::new();
    for rival in 0..RIVALS {
        let (client, asked) = (server.client.clone(), asked.clone());
        rivals.push(tokio::spawn(async move { answer_all(&client, &asked, rival).await }));
    }
    let mut winners: HashMap<usize, String> = HashMap::new();
    for rival in rivals {
        for (condition, response_id) in rival.await.unwrap() {
            assert_eq!(winners.insert(condition, response_id), None, "condition {condition} has two winners");
        }
    }
    assert_eq!(winners.len(), CONDITIONS);
    for (condition, waiter) in waiters.into_iter().enumerate() {
        let reply = waiter.await.unwrap();
        assert_eq!(reply.body["response"]["response_id"].as_str(), Some(winners[&condition].as_str()));
    }
}

/// Answers every question, each rival in an order of its own, and returns those that it won.
async fn answer_all(client: &Client, asked: &[Value], rival: usize) -> Vec<(usize, String)> {
    let mut won = Vec::new();
    for step in 0..asked.len() {
        let condition = (step * 7 + rival * 3) % asked.len();
        let (question, id) = (&asked[condition], format!("r{rival}"));
        let choice = ["allow_once", "deny"][rival % 2];
        let reply = if (rival + step).is_multiple_of(2) {
            client.event(&answer(question, &id, choice)).await
        } else {
            client.post(&path_of(question, "/respond"), &respond(question, &id, choice)).await
        };
        match reply.status {
            200 => won.push((condition, id)),
            status => assert_eq!(status, 409, "{reply:?}"),
        }
    }
    won
}

#[tokio::test]
async fn copies_of_one_answer_are_one_acceptance() {
    let server = Server::start().await;
    let asked = server.ask("k").await;
    let calls: Vec<_> = (0..32)
        .map(|_| {
            let (client, body, path) =
                (server.client.clone(), respond(&asked, "r1", "deny"), path_of(&asked, "/respond"));
            tokio::spawn(async move { client.post(&path, &body).await })
        })
        .collect();
    let mut bodies = std::collections::HashSet::new();
    for call in calls {
        let reply = call.await.unwrap();
        assert_eq!(reply.status, 200);
        bodies.insert(reply.body.to_string());
    }
    assert_eq!(bodies.len(), 1);
}

#[tokio::test]
async fn an_update_and_an_answer_at_once_leave_one_truth() {
    let server = Server::start().await;
    for round in 0..50 {
        let asked = server.ask(&format!("k{round}")).await;
        let update = updated(&format!("k{round}"), one_way("Now?"));
        let answer = answer(&asked, "r1", "deny");
        let (updated, answered) = tokio::join!(server.event(&update), server.event(&answer));
        match (updated.status, answered.status) {
            (404, 200) => assert_eq!(server.status(&asked).await, "answered"),
            (200, 400) => assert_eq!(server.status(&asked).await, "superseded"),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn no_wake_up_is_lost_between_the_check_and_the_wait() {
    let server = Server::start().await;
    for round in 0..300 {
        let asked = server.ask(&format!("k{round}")).await;
        let path = path_of(&asked, "/wait?timeout=300");
        let (client, body) = (server.client.clone(), answer(&asked, "r1", "deny"));
        let answering = tokio::spawn(async move { client.event(&body).await });
        assert_eq!(server.get(&path).await.body["status"], "answered");
        assert_eq!(answering.await.unwrap().status, 200);
    }
}
