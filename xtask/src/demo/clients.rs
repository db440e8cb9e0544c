//! Runs the three clients with the same job, and collects their reports.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::children::Child;
use super::event::{Attempt, End, Event};
use super::language::Language;
use super::stage::Stage;
use super::terminal::view::View;
use super::waiters::Job;

/// The interval at which live lines are redrawn.
const TICK: Duration = Duration::from_millis(100);

/// The attempts and the end of a client's wait.
#[derive(Debug)]
pub(crate) struct ClientRun {
    pub(crate) language: Language,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) end: End,
}

/// A change of the service. It happens after the delay `at`, but not before each client has made an attempt.
pub(crate) struct ServiceChange<'a> {
    pub(crate) at: Duration,
    pub(crate) note: &'a str,
    pub(crate) apply: &'a mut dyn FnMut() -> Result<()>,
}

/// Runs the clients, and returns their results in the order of the languages.
///
/// # Errors
///
/// Fails if a client does not start, ends early, or writes an invalid event.
pub(crate) fn run_clients(
    stage: &Stage<'_>,
    verb: &str,
    job: &Job,
    view: &mut View,
    change: Option<ServiceChange<'_>>,
) -> Result<Vec<ClientRun>> {
    let job = serde_json::to_string(job)?;
    let (sender, messages) = mpsc::channel();
    let mut clients = start_clients(stage, verb, &job, &sender)?;
    drop(sender);
    let mut session = Session::new(stage, messages);
    session.wait_until_ready()?;
    for client in &mut clients {
        client.send_line("go")?;
    }
    session.listen(view, change)?;
    session.runs()
}

fn start_clients(
    stage: &Stage<'_>,
    verb: &str,
    job: &str,
    sender: &Sender<Message>,
) -> Result<Vec<Child>> {
    let mut clients = Vec::new();
    for language in Language::ALL {
        let command = language.client(stage, &[verb, job])?;
        let client = stage.start(language.key(), &command)?;
        forward_lines(language, &client, sender.clone());
        clients.push(client);
    }
    Ok(clients)
}

/// A line from a client, or `None` at the end of its output.
struct Message {
    language: Language,
    line: Option<String>,
}

fn forward_lines(language: Language, client: &Child, sender: Sender<Message>) {
    let lines = client.lines();
    thread::spawn(move || {
        for line in lines.map_while(Result::ok).map(Some).chain([None]) {
            // Sending fails after an error, when the receiver is dropped.
            let _result = sender.send(Message { language, line });
        }
    });
}

/// The running clients and their states.
struct Session<'a> {
    stage: &'a Stage<'a>,
    messages: Receiver<Message>,
    states: Vec<ClientState>,
}

struct ClientState {
    language: Language,
    attempts: Vec<Attempt>,
    end: Option<End>,
    is_ready: bool,
    has_ended: bool,
}

impl<'a> Session<'a> {
    fn new(stage: &'a Stage<'a>, messages: Receiver<Message>) -> Self {
        let state = |language| ClientState {
            language,
            attempts: Vec::new(),
            end: None,
            is_ready: false,
            has_ended: false,
        };
        Self {
            stage,
            messages,
            states: Language::ALL.map(state).into(),
        }
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        while !self.states.iter().all(|state| state.is_ready) {
            let message = self.messages.recv().context("all clients have ended")?;
            self.take(message)?;
        }
        Ok(())
    }

    fn listen(&mut self, view: &mut View, mut change: Option<ServiceChange<'_>>) -> Result<()> {
        let start = Instant::now();
        view.begin();
        while !self.states.iter().all(|state| state.has_ended) {
            let have_called = self.states.iter().all(|state| !state.attempts.is_empty());
            if let Some(due) = change.take_if(|change| have_called && start.elapsed() >= change.at)
            {
                (due.apply)()?;
                view.note(start.elapsed(), due.note);
            }
            match self.messages.recv_timeout(TICK) {
                Ok(message) => self.show(view, message)?,
                Err(RecvTimeoutError::Timeout) => view.tick(),
                Err(RecvTimeoutError::Disconnected) => bail!("all clients have ended"),
            }
        }
        Ok(())
    }

    fn show(&mut self, view: &mut View, message: Message) -> Result<()> {
        let language = message.language;
        if let Some(event) = self.take(message)? {
            view.show(language, &event);
        }
        Ok(())
    }

    /// Updates the state of a client with its message.
    fn take(&mut self, Message { language, line }: Message) -> Result<Option<Event>> {
        let error_log = || {
            format!(
                "the {language} client ended early:\n{}",
                self.stage.error_log(language.key())
            )
        };
        let state = self
            .states
            .iter_mut()
            .find(|state| state.language == language);
        let state = state.context("unknown client")?;
        let Some(line) = line else {
            ensure!(state.end.is_some(), error_log());
            state.has_ended = true;
            return Ok(None);
        };
        let event: Event = serde_json::from_str(&line)
            .with_context(|| format!("invalid event from the {language} client: `{line}`"))?;
        match &event {
            Event::Attempt(attempt) => state.attempts.push(attempt.clone()),
            Event::End(end) => state.end = Some(end.clone()),
            Event::Ready => state.is_ready = true,
            _ => {}
        }
        Ok(Some(event))
    }

    fn runs(self) -> Result<Vec<ClientRun>> {
        let run = |state: ClientState| {
            Ok(ClientRun {
                language: state.language,
                attempts: state.attempts,
                end: state.end.context("a client did not report its end")?,
            })
        };
        self.states.into_iter().map(run).collect()
    }
}
