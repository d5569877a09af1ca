//! The smallest HTTP/1.1 client that will do, so that the load costs little beside what it measures.

use std::fmt::Write as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// One keep-alive connection.
pub(crate) struct Connection {
    stream: TcpStream,
    token: String,
    buffer: Vec<u8>,
    head: String,
}

/// One reply.
pub(crate) struct Shot {
    pub(crate) status: u16,
    body: Vec<u8>,
}

impl Shot {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

impl Connection {
    pub(crate) async fn open(address: &str, token: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, token: token.to_owned(), buffer: Vec::new(), head: String::new() }
    }

    pub(crate) async fn send(&mut self, method: &str, path: &str, body: &str) -> Shot {
        self.head.clear();
        write!(
            self.head,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        )
        .unwrap();
        self.stream.write_all(self.head.as_bytes()).await.unwrap();
        self.reply().await
    }

    async fn reply(&mut self) -> Shot {
        self.buffer.clear();
        let head_end = loop {
            self.stream.read_buf(&mut self.buffer).await.unwrap();
            if let Some(at) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") {
                break at + 4;
            }
        };
        let head = std::str::from_utf8(&self.buffer[..head_end]).unwrap();
        let status = head[9..12].parse().unwrap();
        let length =
            head.split("content-length: ").nth(1).unwrap().split('\r').next().unwrap().parse::<usize>().unwrap();
        while self.buffer.len() < head_end + length {
            self.stream.read_buf(&mut self.buffer).await.unwrap();
        }
        Shot { status, body: self.buffer[head_end..].to_vec() }
    }
}

/// The status of the reply to one request on a connection of its own.
pub(crate) async fn request(address: &str, head: &str) -> u16 {
    let mut connection = Connection::open(address, "").await;
    connection.stream.write_all(head.as_bytes()).await.unwrap();
    connection.reply().await.status
}
