//! What the pages show is so: every command of a `console` block is run, and prints what stands below it.
//!
//! A block is a session of a shell at the top of the repository: `$ ` begins a command, `> ` goes on with it, everything else is
//! output. `[..]` stands for what changes within a line, `...` for lines. A command that does not succeed is followed by
//! `echo $?`. A block whose fence names a file (` ```json event.json `) is that file from there on. Each page has one shell, and a folder of
//! its own that shows the repository; port 47821 is a free one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::thread;

/// The port that pages name.
const PORT: &str = "47821";

/// Pages that have to show how they are used.
const GUIDES: [&str; 4] = ["README.md", "validator/README.md", "reference-broker/README.md", "conformance/README.md"];

/// Between the outputs of two commands; the exit code follows.
const MARK: &str = "\u{1}exit ";

struct Page {
    path: String,
    text: String,
}

/// A fenced block of a page: what stands after its fence, and its lines.
struct Block<'a> {
    info: &'a str,
    line: usize,
    lines: Vec<&'a str>,
}

struct Shown {
    line: usize,
    command: String,
    output: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// Every page of the repository.
fn pages() -> Vec<Page> {
    let folders = ["", "docs", "validator", "reference-broker", "conformance", "vectors"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let paths = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "md"));
    let page = |path: PathBuf| Page {
        text: fs::read_to_string(&path).unwrap(),
        path: path.strip_prefix(root()).unwrap().display().to_string(),
    };
    paths.map(page).collect()
}

impl Page {
    fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut lines = (1..).zip(self.text.lines());
        while let Some((line, text)) = lines.next() {
            let Some(info) = text.strip_prefix("```") else { continue };
            let inside = lines.by_ref().map(|(_, text)| text).take_while(|text| *text != "```").collect();
            blocks.push(Block { info, line, lines: inside });
        }
        blocks
    }

    fn steps(&self) -> Vec<Shown> {
        self.blocks().iter().flat_map(|block| block.steps(&self.path)).collect()
    }
}

impl Block<'_> {
    /// What a reader does with it: runs its commands, or has its file.
    fn steps(&self, path: &str) -> Vec<Shown> {
        match self.file() {
            Some(name) => {
                vec![Shown { line: self.line, command: format!("cp .page/{name} {name}"), output: String::new() }]
            }
            None if self.info == "console" => self.session(path),
            None => Vec::new(),
        }
    }

    fn session(&self, path: &str) -> Vec<Shown> {
        let mut session: Vec<Shown> = Vec::new();
        for (line, text) in (self.line + 1..).zip(&self.lines) {
            if let Some(command) = text.strip_prefix("$ ") {
                session.push(Shown { line, command: command.to_owned(), output: String::new() });
                continue;
            }
            let shown = session.last_mut().unwrap_or_else(|| panic!("{path}:{line} shows no command"));
            match text.strip_prefix("> ") {
                Some(more) if shown.output.is_empty() => shown.command = format!("{}\n{more}", shown.command),
                _ => shown.output.extend([text, "\n"]),
            }
        }
        session
    }

    /// The file that the fence names.
    fn file(&self) -> Option<&str> {
        self.info.split_once(' ').map(|(_, name)| name)
    }
}

/// Where the three programs are. A run of this package's tests alone does not build the other two.
fn programs() -> &'static Path {
    static FOLDER: LazyLock<&Path> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_BIN_EXE_arc-conform")).parent().unwrap();
        if !["arc-validate", "arc-broker"].iter().all(|program| folder.join(program).exists()) {
            let mut build = Command::new(env!("CARGO"));
            build.args([
                "build",
                "-p",
                "arc-validator",
                "-p",
                "arc-reference-broker",
                "--bins",
                "--offline",
                "--locked",
            ]);
            if folder.ends_with("release") {
                build.arg("--release");
            }
            assert!(build.current_dir(root()).status().unwrap().success(), "the programs cannot be built");
        }
        folder
    });
    *FOLDER
}

/// A folder that looks like the repository and has the page's files.
fn folder_for(page: &Page) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(root()).unwrap().map(Result::unwrap) {
        // What cargo built is no part of the repository, and what starts with a dot is not meant to be seen.
        if !entry.file_name().to_str().unwrap().starts_with('.') && entry.file_name() != "target" {
            symlink(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
    }
    let files = folder.path().join(".page");
    fs::create_dir(&files).unwrap();
    for (name, block) in page.blocks().iter().filter_map(|block| Some((block.file()?, block))) {
        fs::write(files.join(name), block.lines.join("\n") + "\n").unwrap();
    }
    folder
}

fn free_port() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string()
}

/// What each command printed, on both streams, and its exit code.
fn run(page: &Page, session: &[Shown]) -> Vec<(String, String)> {
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap());
    let (folder, port) = (folder_for(page), free_port());
    let mut script = String::new();
    for shown in session {
        let command = shown.command.replace(PORT, &port);
        let _ = write!(script, "{command}\n{{ code=$?; printf '{MARK}%s\\n' $code; (exit $code); }}\n");
    }
    let (said, home) = (folder.path().join(".said"), folder.path().join(".home"));
    fs::create_dir(&home).unwrap();
    let file = File::create(&said).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path()).process_group(0);
    shell.env_clear().env("PATH", path).env("HOME", home).env("TMPDIR", folder.path()).env("LANG", "C.UTF-8");
    shell
        .env("ARC_BROKER_LISTEN", format!("127.0.0.1:{port}"))
        .env("ARC_BROKER_URL", format!("http://127.0.0.1:{port}"));
    shell.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
    let mut shell = shell.spawn().unwrap();
    shell.wait().unwrap();
    // Whatever was left in the background.
    let group = format!("-{}", shell.id());
    Command::new("kill").args(["-TERM", "--", &group]).stderr(Stdio::null()).status().unwrap();

    let said = fs::read_to_string(&said).unwrap().replace(&port, PORT);
    let mut printed = Vec::new();
    let mut rest = said.as_str();
    while let Some((output, after)) = rest.split_once(MARK) {
        let (code, after) = after.split_once('\n').unwrap();
        // A reply of curl has no line end of its own.
        let end = if output.is_empty() || output.ends_with('\n') { "" } else { "\n" };
        printed.push((format!("{output}{end}"), code.to_owned()));
        rest = after;
    }
    assert_eq!(printed.len(), session.len(), "{}: the shell broke off: {said}", page.path);
    printed
}

/// What of a page is not so.
fn wrong(page: &Page) -> Vec<String> {
    let session = page.steps();
    if session.is_empty() {
        return Vec::new();
    }
    let mut wrong = Vec::new();
    let asserts = snapbox::Assert::new().normalize_paths(false);
    let next = session.iter().skip(1).map(|shown| shown.command.as_str()).chain([""]);
    for ((shown, next), (output, code)) in session.iter().zip(next).zip(run(page, &session)) {
        let place = format!("{}:{} $ {}", page.path, shown.line, shown.command);
        if code != "0" && next != "echo $?" {
            wrong.push(format!("{place}\nends with {code}, and the page does not show it: {output}"));
        }
        let (output, expected) = (snapbox::Data::text(output), snapbox::Data::text(shown.output.clone()));
        if let Err(error) = asserts.try_eq(None, output, snapbox::IntoData::into_data(expected)) {
            wrong.push(format!("{place}\n{error}"));
        }
    }
    wrong
}

#[test]
fn every_documented_command_does_what_its_page_shows() {
    let pages = pages();
    let wrong: Vec<String> = thread::scope(|scope| {
        let running: Vec<_> = pages.iter().map(|page| scope.spawn(move || wrong(page))).collect();
        running.into_iter().flat_map(|page| page.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_guide_shows_commands() {
    let pages = pages();
    for guide in GUIDES {
        let page = pages.iter().find(|page| page.path == guide).unwrap_or_else(|| panic!("there is no {guide}"));
        assert!(page.steps().len() > 2, "{guide}");
    }
}

#[test]
fn a_page_that_is_wrong_is_noticed() {
    let wrong_of = |text: &str| wrong(&Page { path: "page.md".to_owned(), text: text.to_owned() });
    let block = |session: &str| format!("```console\n{session}\n```\n");
    assert_eq!(wrong_of(&block("$ echo one; echo two 3\none\ntwo [..]")), Vec::<String>::new());
    assert_eq!(wrong_of(&block("$ cat \\\n> note.txt\nhello")).len(), 2, "no such file, and not this output");
    assert_eq!(
        wrong_of(&("```text note.txt\nhello\n```\n".to_owned() + &block("$ cat note.txt\nhello"))),
        Vec::<String>::new()
    );
    assert_eq!(wrong_of(&block("$ echo one\ntwo")).len(), 1);
    assert_eq!(wrong_of(&block("$ false")).len(), 1);
    assert_eq!(wrong_of(&block("$ false\n$ echo $?\n1")), Vec::<String>::new());
}
