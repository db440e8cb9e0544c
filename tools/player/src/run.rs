//! Plays all cases with one runner.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::case::{Expectation, Kit, Task};
use crate::judge::Outcome;
use crate::play::Observation;
use crate::results::Results;
use crate::runner::{End, Heard, Runner};
use crate::server::Server;

/// How long after its deadline a wait may take before its requests are closed.
const GRACE: Duration = Duration::from_secs(10);

/// How long after that until the runner is killed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The longest time until the first request: a client can take long to load.
const PREPARATION: Duration = Duration::from_secs(120);

/// How often a task is given to a new runner after one died.
const LIVES: usize = 2;

/// The most cases in a message.
const SHOWN: usize = 3;

/// How often the clock is looked at.
const GLANCE: Duration = Duration::from_millis(50);

/// How long requests after the end of a wait are looked for.
const AFTERMATH: Duration = Duration::from_secs(3);

/// The options of a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RunOptions {
    /// The runner's command with its arguments.
    pub command: Vec<String>,
    /// The port of the server; 0 is any free port.
    pub port: u16,
    /// The patterns of the ids to play; all if it is empty.
    pub patterns: Vec<String>,
    /// The longest duration of the run; unlimited if it is `None`.
    pub longest: Option<Duration>,
}

/// A task that the runner has.
struct Active {
    task: Task,
    number: usize,
    start: Instant,
    /// `true` if the wait or its preparation takes too long.
    is_overdue: bool,
    deaths: usize,
}

struct Run<'o> {
    options: &'o RunOptions,
    server: Server,
    runner: Runner,
    waiting: VecDeque<(Task, usize)>,
    active: Vec<Active>,
    results: Results,
    /// The results without their requests after the end.
    ended: Vec<(Task, usize, Outcome, String, Observation)>,
    /// The deaths since the last end.
    deaths: usize,
}

/// Plays the cases of a kit that a runner supports. `progress` receives the number of ends and of all tasks.
///
/// # Errors
///
/// Fails if the port is in use, the runner cannot be started, writes a line that is not in the format, or dies again and
/// again without the end of a case.
pub fn run(
    kit: &Kit,
    options: &RunOptions,
    mut progress: impl FnMut(usize, usize),
) -> Result<Results> {
    let start = Instant::now();
    let mut run = Run::start(kit, options)?;
    let total = run.waiting.len();
    while run.step()? {
        if options
            .longest
            .is_some_and(|longest| start.elapsed() > longest)
        {
            bail!(
                "the run takes longer than its limit: {} of {total} cases have ended",
                run.ended.len()
            );
        }
        progress(run.ended.len(), total);
    }
    run.finish();
    run.results.seconds = start.elapsed().as_secs_f64().round();
    Ok(run.results)
}

impl<'o> Run<'o> {
    fn start(kit: &Kit, options: &'o RunOptions) -> Result<Self> {
        let server = Server::start(options.port)?;
        let (runner, announcement) = Runner::start(&options.command)?;
        let tasks = kit.tasks(
            announcement.suites.as_deref(),
            announcement.behaviours.as_deref(),
            &options.patterns,
        );
        if tasks.is_empty() {
            let suites = announcement.suites.unwrap_or_default().join("`, `");
            bail!("no case can be played with the suites that the runner announces: `{suites}`");
        }
        Ok(Self {
            options,
            server,
            runner,
            waiting: tasks.into_iter().map(|task| (task, 0)).collect(),
            active: Vec::new(),
            results: Results::new(announcement),
            ended: Vec::new(),
            deaths: 0,
        })
    }
}

impl Run<'_> {
    /// Returns `false` at the end.
    fn step(&mut self) -> Result<bool> {
        while self.active.len() < self.results.announcement.parallel.max(1) {
            let Some((task, deaths)) = self.waiting.pop_front() else {
                break;
            };
            self.begin(task, deaths)?;
        }
        if self.active.is_empty() {
            return Ok(false);
        }
        match self.runner.hear(GLANCE)? {
            Heard::End(end) => self.end(&end)?,
            Heard::Nothing => {}
            Heard::Died => self.replace(false)?,
        }
        self.limit(Instant::now())?;
        Ok(true)
    }

    fn begin(&mut self, task: Task, deaths: usize) -> Result<()> {
        let number = self.server.open(task.script.clone());
        let is_sent = self.runner.send(&task, &self.server.endpoint(number));
        self.active.push(Active {
            task,
            number,
            start: Instant::now(),
            is_overdue: false,
            deaths,
        });
        if is_sent { Ok(()) } else { self.replace(false) }
    }

    fn end(&mut self, end: &End) -> Result<()> {
        let Some(place) = self
            .active
            .iter()
            .position(|active| active.task.id == end.id)
        else {
            bail!(
                "the runner ended the case `{}`, which it does not have",
                end.id
            );
        };
        let active = self.active.swap_remove(place);
        if let Some((outcome, got, observation)) =
            self.server.judge(active.number, &active.task, end)
        {
            self.ended
                .push((active.task, active.number, outcome, got, observation));
            self.deaths = 0;
        }
        Ok(())
    }

    /// Closes requests that hang for too long, and kills a runner that still does not answer.
    fn limit(&mut self, now: Instant) -> Result<()> {
        let mut is_hung = false;
        for active in &mut self.active {
            let Some(first) = self.server.first(active.number) else {
                active.is_overdue = now.saturating_duration_since(active.start) > PREPARATION;
                is_hung |= active.is_overdue;
                continue;
            };
            let longest = Duration::from_secs_f64(active.task.options.max_wait.max(0.0));
            let longest = longest.saturating_add(GRACE);
            let elapsed = now.saturating_duration_since(first);
            if elapsed > longest {
                active.is_overdue = true;
                self.server.release(active.number);
            }
            is_hung |= elapsed > longest.saturating_add(PATIENCE);
        }
        if is_hung { self.replace(true) } else { Ok(()) }
    }

    /// Starts a new runner. The tasks of the old one are played again, except those that were played before.
    fn replace(&mut self, is_hung: bool) -> Result<()> {
        // The case that hangs has a result.
        self.deaths = if is_hung {
            0
        } else {
            self.deaths.saturating_add(1)
        };
        if self.deaths > LIVES {
            let ids = self.active.iter().map(|active| &*active.task.id);
            bail!(
                "the runner died {} times without the end of a case, the last time with `{}`",
                self.deaths,
                ids.take(SHOWN).collect::<Vec<_>>().join("`, `")
            );
        }
        for active in std::mem::take(&mut self.active) {
            let observation = self.server.end(active.number);
            let is_culprit = if is_hung {
                active.is_overdue
            } else {
                active.deaths.saturating_add(1) >= LIVES
            };
            let outcome = if is_hung {
                Outcome::Hung
            } else {
                Outcome::Died
            };
            match observation {
                Some(observation) if is_culprit => {
                    let got = outcome.name().to_owned();
                    self.ended
                        .push((active.task, active.number, outcome, got, observation));
                }
                _ => self
                    .waiting
                    .push_back((active.task, active.deaths.saturating_add(1))),
            }
        }
        self.runner = Runner::start(&self.options.command)?.0;
        Ok(())
    }

    /// Adds the requests after the end to the results.
    fn finish(&mut self) {
        let has_behaviours = self
            .ended
            .iter()
            .any(|(task, ..)| matches!(task.expectation, Expectation::Behaviour(_)));
        if has_behaviours {
            std::thread::sleep(AFTERMATH);
        }
        for (task, number, mut outcome, got, observation) in self.ended.drain(..) {
            let late = self.server.late(number);
            if late > 0 && outcome == Outcome::Pass {
                outcome = Outcome::Fail(format!("{late} requests after the end of the wait"));
            }
            let is_verdict = matches!(task.expectation, Expectation::Verdict(_));
            if is_verdict && matches!(outcome, Outcome::Unsupported(_)) {
                self.results.add_unsupported(&outcome);
                continue;
            }
            let requests = observation.requests.len();
            self.results.add(
                task,
                &outcome,
                got,
                requests,
                observation.elapsed.as_secs_f64(),
            );
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;
    use std::path::Path;
    use std::thread;
    use std::time::{Duration, Instant};

    use serde_json::json;

    use super::{GRACE, PATIENCE, PREPARATION, Run, RunOptions};
    use crate::case::Kit;
    use crate::judge::Outcome;

    const PARALLEL: usize = 3;

    const MOMENT: Duration = Duration::from_millis(1);

    /// Returns the options for some cases with a runner that reads tasks and never ends one.
    fn options(patterns: &[&str]) -> RunOptions {
        let announcement = json!({"sdk": "test", "version": "1", "parallel": PARALLEL});
        let script = format!("echo '{announcement}'; cat > /dev/null");
        RunOptions {
            command: vec!["sh".to_owned(), "-c".to_owned(), script],
            patterns: patterns.iter().map(|&one| one.to_owned()).collect(),
            ..RunOptions::default()
        }
    }

    /// Returns a run whose runner has the cases.
    fn begun(options: &RunOptions) -> Run<'_> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
        let kit = Kit::read(&["core", "behaviour"].map(|name| folder.join(name))).unwrap();
        let mut run = Run::start(&kit, options).unwrap();
        assert!(run.step().unwrap());
        let ids: Vec<_> = run.active.iter().map(|active| &*active.task.id).collect();
        let begun = options.patterns.iter().take(PARALLEL).collect::<Vec<_>>();
        assert_eq!(ids, begun);
        run
    }

    fn is_overdue(run: &Run<'_>) -> Vec<bool> {
        run.active.iter().map(|active| active.is_overdue).collect()
    }

    fn ended<'r>(run: &'r Run<'_>) -> Vec<(&'r str, &'r Outcome)> {
        let ended = run.ended.iter();
        ended
            .map(|(task, _, outcome, ..)| (&*task.id, outcome))
            .collect()
    }

    #[test]
    fn a_request_that_hangs_is_closed_and_then_its_runner_is_replaced() {
        let options = options(&["core.string-equals.match", "behaviour.during-a-request"]);
        let mut run = begun(&options);
        let endpoint = run.server.endpoint(1);
        let (address, _) = endpoint
            .strip_prefix("http://")
            .unwrap()
            .split_once('/')
            .unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        write!(client, "GET /1 HTTP/1.1\r\n\r\n").unwrap();
        while run.server.first(1).is_none() {
            thread::sleep(MOMENT);
        }
        let first = run.server.first(1).unwrap();
        let longest = Duration::from_secs(20) + GRACE;
        run.limit(first + longest).unwrap();
        assert_eq!(is_overdue(&run), [false, false]);
        run.limit(first + longest + MOMENT).unwrap();
        assert_eq!(is_overdue(&run), [false, true]);
        client
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut text = String::new();
        client.read_to_string(&mut text).unwrap();
        assert_eq!(text, "", "it is closed without an answer");
        run.limit(first + longest + PATIENCE).unwrap();
        assert_eq!(run.active.len(), 2);
        run.limit(first + longest + PATIENCE + MOMENT).unwrap();
        assert_eq!(
            ended(&run),
            [("behaviour.during-a-request", &Outcome::Hung)]
        );
        // The other case is played again.
        assert!(run.active.is_empty());
        assert_eq!(run.waiting.len(), 1);
        assert!(run.step().unwrap());
        assert_eq!(run.active.len(), 1);
    }

    #[test]
    fn a_runner_that_sends_no_request_is_replaced() {
        let options = options(&["core.string-equals.match", "core.string-equals.longer"]);
        let mut run = begun(&options);
        let start = run.active[1].start + PREPARATION;
        // The wait of this case has begun.
        run.server.request(0, start).unwrap();
        run.limit(start).unwrap();
        assert_eq!(is_overdue(&run), [false, false]);
        run.limit(start + MOMENT).unwrap();
        assert_eq!(ended(&run), [("core.string-equals.longer", &Outcome::Hung)]);
        let (task, deaths) = run.waiting.pop_front().unwrap();
        assert_eq!((deaths, run.waiting.len()), (1, 0));
        let got = "died".to_owned();
        run.results.add(task, &Outcome::Died, got, 2, 1.234);
        let (_, record) = run.results.cases.first_key_value().unwrap();
        assert_eq!((record.requests, record.elapsed), (2, 1.23));
    }

    #[test]
    fn requests_after_the_end_are_failures_of_cases_that_would_pass() {
        let ids = ["match", "longer", "padded", "absent"]
            .map(|name| format!("core.string-equals.{name}"));
        let options = options(&ids.each_ref().map(|id| &**id));
        let mut run = begun(&options);
        let now = Instant::now();
        for (number, end, late) in [(0, "success", 2), (1, "failure", 1), (2, "unsupported", 1)] {
            assert!(run.server.request(number, now).is_some());
            let end = serde_json::from_value(json!({"id": ids[number], "end": end})).unwrap();
            run.end(&end).unwrap();
            for _ in 0..late {
                assert!(run.server.request(number, now).is_none());
            }
        }
        // The last case is begun when another one has ended.
        assert!(run.step().unwrap());
        run.server.request(3, now).unwrap();
        run.server.request(3, now).unwrap();
        let end = serde_json::from_value(json!({"id": ids[3], "end": "success"})).unwrap();
        run.end(&end).unwrap();
        run.finish();
        let counts: Vec<_> = run
            .results
            .counts
            .iter()
            .map(|(name, count)| (*name, *count))
            .collect();
        assert_eq!(counts, [("fail", 2), ("pass", 1), ("unsupported", 1)]);
        let reasons: Vec<_> = run
            .results
            .cases
            .values()
            .map(|record| &*record.reason)
            .collect();
        assert_eq!(
            reasons,
            [
                "expected retry, got failure: no message",
                "2 requests after the end of the wait"
            ]
        );
        assert!(run.results.unsupported.contains_key("no message"));
    }
}
