//! Calls a route other than the event endpoint.

use super::expand::Scope;
use super::interpreter::{Halt, Play};
use super::outgoing::Outgoing;
use super::step::{Call, Method};
use crate::exchange::{Auth, Request};

impl Play<'_> {
    pub(super) async fn call(&mut self, call: &Call) -> Result<(), Halt> {
        let names = self.names.clone();
        let scope = Scope { names: &names, key: names.key("a"), to: "q", index: 0 };
        let path = scope.expand_text(&call.path.clone().into()).map_err(|e| self.unresolved(e))?;
        let body = match &call.body {
            Some(template) => scope.expand(template).map_err(|e| self.unresolved(e))?.map(|body| body.to_string()),
            None => None,
        };
        let Some(routes) = &self.stage.profile.interactions else {
            return Err(Halt::Mistake("the profile names no interactions routes".to_owned()));
        };
        let method = if call.method == Method::Get { "GET" } else { "POST" };
        let body = body.map(String::into_bytes);
        let url = format!("{}{routes}{path}", self.stage.base);
        let request = Request { method, url, auth: call.auth, body: body.clone(), chunked: false };
        let exchange = self.stage.client.send(request).await;
        let outgoing = Outgoing {
            body: body.unwrap_or_default(),
            auth: Auth::Token,
            chunked: false,
            key: Some(scope.key.clone()),
            event_type: String::new(),
            deadline: None,
            expires_at: None,
        };
        self.settle(outgoing, &call.expectation, &exchange, None)
    }
}
