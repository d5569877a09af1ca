//! The program in a process of its own.

use crate::support::{Client, TOKEN, http};
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A broker in a process of its own, killed when dropped.
pub(crate) struct Program {
    pub(crate) child: Child,
    pub(crate) client: Client,
}

pub(crate) fn command(dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arc-broker"));
    command.args(["--rate-limit", "0", "--log", "error"]);
    command.args(["--listen", "127.0.0.1:0", "--db"]).arg(dir.join("b.db")).arg("--token-file").arg(dir.join("token"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Program {
    /// Starts it on the database in `dir`, with the token that the tests use, and reads the line it prints.
    pub(crate) fn start(dir: &Path) -> Self {
        Self::spawn(dir, &mut command(dir))
    }

    pub(crate) fn spawn(dir: &Path, command: &mut Command) -> Self {
        let token = dir.join("token");
        std::fs::write(&token, TOKEN).unwrap();
        std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
        let mut child = command.spawn().unwrap();
        let line = first_line(&mut child);
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap();
        let url = url.trim_end_matches(';').to_owned();
        assert!(line.contains("token") && !line.contains(TOKEN), "{line}");
        Self { child, client: Client { http: http(), url } }
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, and the exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        signal(&self.child, "TERM");
        self.child.wait().unwrap().code()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    if line.is_empty() {
        child.stderr.as_mut().unwrap().read_to_string(&mut line).unwrap();
    }
    line
}

pub(crate) fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap().success());
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
