//! One act: the three clients get the same job, begin at the same moment, and tell what they do.

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

/// How often live lines are drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// What one client did.
#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) language: Language,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) end: End,
}

/// What happens at the service: a while after the clients have begun, and once each has seen how it was before.
pub(crate) struct Cue<'a> {
    pub(crate) at: Duration,
    pub(crate) note: &'a str,
    pub(crate) act: &'a mut dyn FnMut() -> Result<()>,
}

/// Plays the act; the stories are in the order of the languages.
///
/// # Errors
///
/// When a client does not start, breaks off, or says what nobody understands.
pub(crate) fn play(
    stage: &Stage<'_>,
    verb: &str,
    job: &Job,
    view: &mut View,
    cue: Option<Cue<'_>>,
) -> Result<Vec<Story>> {
    let job = serde_json::to_string(job)?;
    let (sender, heard) = mpsc::channel();
    let mut clients = start(stage, verb, &job, &sender)?;
    drop(sender);
    let mut troupe = Troupe::new(stage, heard);
    troupe.wait_until_ready()?;
    for client in &mut clients {
        client.tell("go")?;
    }
    troupe.listen(view, cue)?;
    troupe.stories()
}

fn start(stage: &Stage<'_>, verb: &str, job: &str, sender: &Sender<Heard>) -> Result<Vec<Child>> {
    let mut clients = Vec::new();
    for language in Language::ALL {
        let command = language.client(stage, &[verb, job])?;
        let client = stage.start(language.key(), &command)?;
        hear(language, &client, sender.clone());
        clients.push(client);
    }
    Ok(clients)
}

/// What came from a client: a line, or nothing more.
struct Heard {
    language: Language,
    line: Option<String>,
}

fn hear(language: Language, client: &Child, sender: Sender<Heard>) {
    let lines = client.lines();
    thread::spawn(move || {
        for line in lines.map_while(Result::ok).map(Some).chain([None]) {
            // Nobody listens any more after a failure.
            let _unheard = sender.send(Heard { language, line });
        }
    });
}

/// The clients of one act, and what is known of them.
struct Troupe<'a> {
    stage: &'a Stage<'a>,
    heard: Receiver<Heard>,
    parts: Vec<Part>,
}

struct Part {
    language: Language,
    attempts: Vec<Attempt>,
    end: Option<End>,
    is_ready: bool,
    is_over: bool,
}

impl<'a> Troupe<'a> {
    fn new(stage: &'a Stage<'a>, heard: Receiver<Heard>) -> Self {
        let part = |language| Part {
            language,
            attempts: Vec::new(),
            end: None,
            is_ready: false,
            is_over: false,
        };
        Self {
            stage,
            heard,
            parts: Language::ALL.map(part).into(),
        }
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        while !self.parts.iter().all(|part| part.is_ready) {
            let heard = self.heard.recv().context("the clients are gone")?;
            self.take(heard)?;
        }
        Ok(())
    }

    fn listen(&mut self, view: &mut View, mut cue: Option<Cue<'_>>) -> Result<()> {
        let begun = Instant::now();
        view.begin();
        while !self.parts.iter().all(|part| part.is_over) {
            let have_asked = self.parts.iter().all(|part| !part.attempts.is_empty());
            if let Some(due) = cue.take_if(|cue| have_asked && begun.elapsed() >= cue.at) {
                (due.act)()?;
                view.note(begun.elapsed(), due.note);
            }
            match self.heard.recv_timeout(TICK) {
                Ok(heard) => self.show(view, heard)?,
                Err(RecvTimeoutError::Timeout) => view.tick(),
                Err(RecvTimeoutError::Disconnected) => bail!("the clients are gone"),
            }
        }
        Ok(())
    }

    fn show(&mut self, view: &mut View, heard: Heard) -> Result<()> {
        let language = heard.language;
        if let Some(event) = self.take(heard)? {
            view.show(language, &event);
        }
        Ok(())
    }

    /// Takes what was heard into the client's part.
    fn take(&mut self, Heard { language, line }: Heard) -> Result<Option<Event>> {
        let complaints = || {
            format!(
                "the {language} client broke off:\n{}",
                self.stage.complaints(language.key())
            )
        };
        let part = self.parts.iter_mut().find(|part| part.language == language);
        let part = part.context("a client that nobody started")?;
        let Some(line) = line else {
            ensure!(part.end.is_some(), complaints());
            part.is_over = true;
            return Ok(None);
        };
        let event: Event = serde_json::from_str(&line)
            .with_context(|| format!("the {language} client says `{line}`"))?;
        match &event {
            Event::Attempt(attempt) => part.attempts.push(attempt.clone()),
            Event::End(end) => part.end = Some(end.clone()),
            Event::Ready => part.is_ready = true,
            _ => {}
        }
        Ok(Some(event))
    }

    fn stories(self) -> Result<Vec<Story>> {
        let story = |part: Part| {
            Ok(Story {
                language: part.language,
                attempts: part.attempts,
                end: part.end.context("a client did not tell how it ended")?,
            })
        };
        self.parts.into_iter().map(story).collect()
    }
}
