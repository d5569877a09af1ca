//! Calls a route other than the event endpoint.

use super::expand::Scope;
use super::interpreter::{Halt, Play};
use super::outgoing::Outgoing;
use super::step::{Call, Method};
use crate::exchange::Request;

impl Play<'_> {
    pub(super) async fn call(&mut self, call: &Call) -> Result<(), Halt> {
        let names = self.names.clone();
        let scope = Scope { names: &names, key: names.key("a"), to: "q", index: 0 };
        let path = scope.expand_path(&call.path).map_err(|e| self.unresolved(e))?;
        let body = match &call.body {
            Some(template) => scope.expand(template).map_err(|e| self.unresolved(e))?.map(|body| body.to_string()),
            None => None,
        };
        let url = self.route(&path)?;
        let method = if call.method == Method::Get { "GET" } else { "POST" };
        let body = body.map(String::into_bytes);
        let request = Request { method, url, auth: call.auth, body: body.clone(), chunked: false };
        let exchange = self.stage.client.send(request).await;
        let outgoing = Outgoing { body: body.unwrap_or_default(), ..Outgoing::nothing() };
        self.track(&outgoing, &exchange);
        self.settle(outgoing, &call.expectation, &exchange, None)
    }

    /// The URL of an interactions route.
    pub(super) fn route(&self, path: &str) -> Result<String, Halt> {
        let Some(routes) = &self.stage.profile.interactions else {
            return Err(Halt::Mistake("the profile names no interactions routes".to_owned()));
        };
        Ok(format!("{}{routes}{path}", self.stage.door()))
    }
}
