//! The HTTP server. Each case has its own endpoint: the first part of the path is its number.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use base64::Engine as _;
use serde_json::{Value as Json, json};
use smithy_waiters_conformance::Http;

use crate::case::{Reaction, Scene, Task};
use crate::judge::{Outcome, judge};
use crate::play::{Observation, Play};
use crate::results::CaseOfRecord;
use crate::runner::End;

/// The longest request that is read.
const LONGEST: usize = 1 << 20;

/// How often a request that hangs looks for the end of the wait.
const GLANCE: Duration = Duration::from_millis(20);

/// The longest time to wait for a byte of a request.
const SILENCE: Duration = Duration::from_secs(60);

/// A server on a port of this machine, with the cases that it plays.
#[derive(Clone, Debug)]
pub struct Server {
    address: SocketAddr,
    plays: Arc<Mutex<Vec<Play>>>,
}

/// A request.
struct Received {
    method: String,
    path: String,
    body: Vec<u8>,
    /// The access key of a signed request.
    key: Option<String>,
}

impl Server {
    /// Starts a server. Port 0 is any free port.
    ///
    /// # Errors
    ///
    /// Fails if the port is in use or cannot be opened.
    pub fn start(port: u16) -> Result<Self> {
        Self::with_control(port, Arc::new(Vec::new()))
    }

    fn with_control(port: u16, tasks: Arc<Vec<Task>>) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = listener.map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => {
                anyhow!("port {port} is in use: choose another one with `--port`")
            }
            _ => anyhow!(error).context(format!("cannot listen on port {port}")),
        })?;
        let server = Self {
            address: listener.local_addr()?,
            plays: Arc::default(),
        };
        for task in &*tasks {
            server.open(task.script.clone());
        }
        let shared = server.clone();
        thread::Builder::new()
            .name("server".to_owned())
            .spawn(move || {
                for stream in listener.incoming().flatten() {
                    let (server, tasks) = (shared.clone(), Arc::clone(&tasks));
                    // A connection without a thread is closed, which the client reports.
                    drop(thread::Builder::new().spawn(move || server.connection(stream, &tasks)));
                }
            })?;
        Ok(server)
    }

    /// Opens the endpoint of a case, and returns its number.
    pub(crate) fn open(&self, script: Vec<Scene>) -> usize {
        let mut plays = self.plays();
        plays.push(Play::new(script));
        plays.len().saturating_sub(1)
    }

    /// Returns the URL of a case.
    pub(crate) fn endpoint(&self, number: usize) -> String {
        format!("http://{}/{number}", self.address)
    }

    /// Records a request, and returns its number and the reaction. Returns `None` after the end of the wait.
    pub(crate) fn request(
        &self,
        number: usize,
        now: Instant,
    ) -> Option<(usize, Reaction, Duration)> {
        self.plays().get_mut(number)?.request(now)
    }

    /// Records the end of a wait.
    pub(crate) fn end(&self, number: usize) -> Option<Observation> {
        self.plays()
            .get_mut(number)
            .map(|play| play.end(Instant::now()))
    }

    /// Records and judges the end of a wait.
    pub(crate) fn judge(
        &self,
        number: usize,
        task: &Task,
        end: &End,
    ) -> Option<(Outcome, String, Observation)> {
        let observation = self.end(number)?;
        let (outcome, got) = judge(task, end, &observation);
        Some((outcome, got, observation))
    }

    /// Closes the requests of a case that hang.
    pub(crate) fn release(&self, number: usize) {
        if let Some(play) = self.plays().get_mut(number) {
            play.release();
        }
    }

    /// Returns when the first request of a case was received.
    pub(crate) fn first(&self, number: usize) -> Option<Instant> {
        self.plays().get(number).and_then(Play::first)
    }

    /// Returns the number of requests after the end of a wait.
    pub(crate) fn late(&self, number: usize) -> usize {
        self.plays().get(number).map_or(0, Play::late)
    }

    fn plays(&self) -> MutexGuard<'_, Vec<Play>> {
        self.plays.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves one request. Errors are the client's: it closed the connection.
    fn connection(&self, mut stream: TcpStream, tasks: &[Task]) {
        drop(stream.set_read_timeout(Some(SILENCE)));
        let Ok(received) = read(&mut stream) else {
            return;
        };
        let Some(number) = received.number() else {
            let http = self.control(&received, tasks);
            drop(answer(&mut stream, &http, false));
            return;
        };
        // After the end of a case its endpoint is silent.
        let Some((request, reaction, takes)) = self.request(number, Instant::now()) else {
            return;
        };
        let is_there = self.pause(number, &stream, takes);
        match reaction {
            Reaction::Answer(http) if is_there => {
                drop(answer(&mut stream, &http, received.method == "HEAD"));
            }
            Reaction::Hang if is_there => {
                self.pause(number, &stream, Duration::MAX);
            }
            Reaction::Reset => {
                drop(socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO)));
            }
            Reaction::Answer(_) | Reaction::Hang => {}
        }
        if let Some(play) = self.plays().get_mut(number) {
            play.answered(request, Instant::now());
        }
    }

    /// Waits. Returns `false` if the client closes the connection or the case ends.
    fn pause(&self, number: usize, stream: &TcpStream, takes: Duration) -> bool {
        let start = Instant::now();
        drop(stream.set_read_timeout(Some(GLANCE)));
        while start.elapsed() < takes {
            if self.plays().get(number).is_none_or(Play::is_over) {
                return false;
            }
            // The time-out of the socket is the pause.
            match stream.peek(&mut [0]) {
                Ok(0) => return false,
                Ok(_) => thread::sleep(GLANCE),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return false,
            }
        }
        true
    }

    /// Answers requests of test frameworks: the tasks, and the ends of waits, which are judged.
    fn control(&self, received: &Received, tasks: &[Task]) -> Http {
        let answer = match (&*received.method, &*received.path) {
            ("GET", "/tasks") => Ok(self.listing(tasks)),
            ("POST", "/ends") => self.ends(&received.body, tasks),
            _ => Err(anyhow!(
                "use `GET /tasks` and `POST /ends`, got `{} {}`",
                received.method,
                received.path
            )),
        };
        let (status, value) = answer.map_or_else(
            |error| (400, json!({"error": format!("{error:#}")})),
            |value| (200, value),
        );
        let headers = BTreeMap::from([("content-type".to_owned(), "application/json".to_owned())]);
        Http {
            status,
            headers,
            body: Some(value.to_string()),
            body_base64: None,
        }
    }

    fn listing(&self, tasks: &[Task]) -> Json {
        let tasks = tasks.iter().enumerate();
        tasks
            .map(|(number, task)| task.message(&self.endpoint(number)))
            .collect()
    }

    fn ends(&self, body: &[u8], tasks: &[Task]) -> Result<Json> {
        let end: End = serde_json::from_slice(body)
            .context("the body must be an end, such as {\"id\": \"…\", \"end\": \"success\"}")?;
        let number = tasks.iter().position(|task| task.id == end.id);
        let number = number.with_context(|| format!("there is no case `{}`", end.id))?;
        let task = tasks.get(number).context("a number of a case")?;
        let judged = self.judge(number, task, &end);
        let (outcome, got, observation) = judged.context("an observation of a case")?;
        let is_pass = matches!(outcome, Outcome::Pass);
        let mut judgement = json!({"id": end.id, "pass": is_pass, "got": got, "outcome": outcome, "requests": observation.requests.len()});
        if let Some(members) = judgement.as_object_mut().filter(|_| !is_pass) {
            members.insert("case".to_owned(), json!(CaseOfRecord::new(task)));
        }
        Ok(judgement)
    }
}

/// Serves tasks on a port until the process ends. `GET /tasks` returns them, `POST /ends` judges the end of a wait.
///
/// # Errors
///
/// Fails if the port is in use or cannot be opened.
pub fn serve(port: u16, tasks: Vec<Task>, started: impl FnOnce(SocketAddr)) -> Result<()> {
    let server = Server::with_control(port, Arc::new(tasks))?;
    started(server.address);
    loop {
        thread::park();
    }
}

impl Received {
    /// Returns the number of the case in the path, or the one that a client has as its access key because it drops the path of
    /// its endpoint.
    fn number(&self) -> Option<usize> {
        let part = self.path.split(['/', '?']).nth(1)?;
        part.parse()
            .ok()
            .or_else(|| self.key.as_ref()?.parse().ok())
    }
}

fn read(stream: &mut TcpStream) -> Result<Received> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        if let Some((mut received, length, start)) = head(&bytes)? {
            while bytes.len() < start.saturating_add(length).min(LONGEST) {
                let size = stream.read(&mut buffer)?;
                anyhow::ensure!(size > 0, "the request is not complete");
                bytes.extend(buffer.iter().take(size));
            }
            received.body = bytes.split_off(start);
            return Ok(received);
        }
        let size = stream.read(&mut buffer)?;
        anyhow::ensure!(
            size > 0 && bytes.len() < LONGEST,
            "the request is not complete"
        );
        bytes.extend(buffer.iter().take(size));
    }
}

/// Returns a request without its body, the length of the body and its start, or `None` if more bytes are needed.
fn head(bytes: &[u8]) -> Result<Option<(Received, usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(start) = request.parse(bytes)? else {
        return Ok(None);
    };
    let received = Received {
        method: request.method.unwrap_or_default().to_owned(),
        path: request.path.unwrap_or_default().to_owned(),
        body: Vec::new(),
        key: header(&request, "authorization").and_then(|text| {
            Some(
                text.split_once("Credential=")?
                    .1
                    .split_once('/')?
                    .0
                    .to_owned(),
            )
        }),
    };
    let length = header(&request, "content-length").and_then(|text| text.trim().parse().ok());
    Ok(Some((received, length.unwrap_or(0), start)))
}

fn header<'r>(request: &httparse::Request<'_, 'r>, name: &str) -> Option<&'r str> {
    let header = request
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case(name));
    header.and_then(|header| std::str::from_utf8(header.value).ok())
}

fn answer(stream: &mut TcpStream, http: &Http, is_head: bool) -> Result<()> {
    let body = match (&http.body, &http.body_base64) {
        (Some(text), _) => text.clone().into_bytes(),
        (None, Some(text)) => base64::engine::general_purpose::STANDARD.decode(text)?,
        (None, None) => Vec::new(),
    };
    let mut head = format!(
        "HTTP/1.1 {} Conformance\r\nconnection: close\r\ncontent-length: {}\r\n",
        http.status,
        body.len()
    );
    for (name, value) in &http.headers {
        write!(head, "{name}: {value}\r\n")?;
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if !is_head {
        stream.write_all(&body)?;
    }
    stream.flush()?;
    Ok(())
}
