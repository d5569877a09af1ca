//! The replies to what is no HTTP.
//!
//! Hyper answers a request that it cannot read by itself, with a bare status and no body, and has no hook for it. Here such a
//! reply is given the body that every other refusal has, on its way to the socket.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection on which no refusal goes out without its reason.
pub(crate) struct Explained<S> {
    stream: S,
    /// What is still to be written in the place of a bare reply.
    left: Vec<u8>,
}

impl<S: AsyncWrite + Unpin> Explained<S> {
    pub(crate) const fn new(stream: S) -> Self {
        Self { stream, left: Vec::new() }
    }

    fn poll_left(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.left.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.left))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.left.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

/// The reply for a bare one; none where the bytes are anything else. Every reply of the routes has a body.
fn explained(reply: &[u8]) -> Option<Vec<u8>> {
    let head = reply.strip_prefix(b"HTTP/1.1 4").filter(|_| reply.ends_with(b"\r\n\r\n"))?;
    let head = std::str::from_utf8(head).ok().filter(|head| head.contains("content-length: 0\r\n"))?;
    let why = match head.get(..2)? {
        "00" => "this is not an HTTP/1.1 request",
        "14" => "the path is too long",
        "31" => "the header is too large",
        _ => return None,
    };
    let body = format!("{{\"error\":\"{why}\"}}");
    let length = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    Some(format!("HTTP/1.1 4{}{body}", head.replacen("content-length: 0\r\n", &length, 1)).into_bytes())
}

impl<S: AsyncRead + Unpin> AsyncRead for Explained<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Explained<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_left(context))?;
        if let [bare] = parts
            && let Some(reply) = explained(bare)
        {
            // It goes out with the flush that hyper does next.
            self.left = reply;
            return Poll::Ready(Ok(bare.len()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_left(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_left(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_bare_refusal_is_given_words() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        let reply = String::from_utf8(explained(bare).unwrap()).unwrap();
        let (head, body) = reply.split_once("\r\n\r\n").unwrap();
        assert_eq!(body, r#"{"error":"the header is too large"}"#);
        assert!(head.contains(&format!("\r\ncontent-length: {}", body.len())), "{head}");
        for other in [
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n",
            "{\"error\":\"HTTP/1.1 400 content-length: 0\r\n\r\n",
        ] {
            assert_eq!(explained(other.as_bytes()), None, "{other}");
        }
    }
}
