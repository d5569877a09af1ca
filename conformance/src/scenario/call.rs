//! Calls a route other than the event endpoint.

use super::expand::Scope;
use super::interpreter::{Halt, Play};
use super::outgoing::Outgoing;
use super::step::{Call, Method};
use crate::exchange::{Auth, Request};
use serde_json::Value;

impl Play<'_> {
    pub(super) async fn call(&mut self, call: &Call) -> Result<(), Halt> {
        let method = if call.method == Method::Get { "GET" } else { "POST" };
        let request = self.route_request(method, &call.path, call.body.as_ref())?;
        let request = Request { auth: call.auth, ..request };
        let body = request.body.clone();
        let exchange = self.stage.client.send(request).await;
        let outgoing = Outgoing { body: body.unwrap_or_default(), ..Outgoing::nothing() };
        self.track(&outgoing, &exchange);
        self.settle(outgoing, &call.expectation, &exchange, None)
    }

    /// A request to an interactions route, with the token.
    pub(super) fn route_request(
        &self,
        method: &'static str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Request, Halt> {
        let scope = Scope { names: &self.names, key: self.names.key("a"), to: "q", index: 0 };
        let path = scope.expand_path(path).map_err(|e| self.unresolved(e))?;
        let body = body.map_or(Ok(None), |body| scope.expand(body)).map_err(|e| self.unresolved(e))?;
        let body = body.map(|body| body.to_string().into_bytes());
        Ok(Request { method, url: self.route(&path)?, auth: Auth::Token, body, chunked: false })
    }

    /// The URL of an interactions route.
    pub(super) fn route(&self, path: &str) -> Result<String, Halt> {
        let Some(routes) = &self.stage.profile.interactions else {
            return Err(Halt::Mistake("the profile names no interactions routes".to_owned()));
        };
        Ok(format!("{}{routes}{path}", self.stage.door()))
    }
}
