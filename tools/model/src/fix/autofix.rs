//! Applies fixes: edits the texts, reads them again, and drops edits with unexpected effects.

use std::collections::BTreeMap;

use super::edit::Edit;
use super::equivalence;
use crate::event::{Event, Fix, Severity};
use crate::lint::lint;
use crate::read::read;
use crate::shapes::Model;
use crate::source::Sources;

/// The maximum number of rounds. Each fix can make another one possible.
const ROUNDS: usize = 100;

const CONTRADICTED: &str = "another event requires a different change";
const UNSAFE: &str = "the change would alter the meaning of the model";

/// The result of [`autofix`].
#[derive(Debug)]
#[non_exhaustive]
pub struct Autofix {
    /// The texts, in the order in which they were added.
    pub sources: Sources,
    /// The applied fixes.
    pub changes: Vec<Change>,
    /// Events whose fix was not applied, with the reason.
    pub rejections: Vec<(Event, &'static str)>,
}

/// An applied fix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The event that is fixed.
    pub event: Event,
    /// The name of the text.
    pub file: String,
    /// The line from 1, before this fix.
    pub line: u32,
    /// The column from 1, before this fix.
    pub column: u32,
}

/// Applies the automatic fixes of all events until none is left. The result keeps the meaning of the model.
///
/// # Example: a member name in the wrong case
///
/// ```
/// use smithy_waiters_model::{Sources, autofix};
///
/// let model = |path: &str| format!("$version: \"2\"\nnamespace example\nuse smithy.waiters#waitable
/// @waitable(Ready: {{ acceptors: [{{ state: \"success\", matcher: {{ output: {{
///     path: \"{path}\", comparator: \"booleanEquals\", expected: \"true\"
/// }}}}}}]}})
/// operation Get {{ output := {{ ready: Boolean }} }}");
/// let mut sources = Sources::default();
/// sources.add("a.smithy", model("Ready"));
/// let fixed = autofix(sources);
/// assert_eq!(fixed.changes.len(), 1);
/// assert_eq!(fixed.sources.texts().next(), Some(("a.smithy", &*model("ready"))));
/// ```
#[must_use]
pub fn autofix(sources: Sources) -> Autofix {
    let mut result = Autofix {
        sources,
        changes: Vec::new(),
        rejections: Vec::new(),
    };
    for _ in 0..ROUNDS {
        let round = Round::run(&result.sources);
        result.rejections = round.rejections;
        let Some(sources) = round.sources else { break };
        result.changes.extend(round.changes);
        result.sources = sources;
    }
    result
}

/// The result of one round over the texts.
#[derive(Default)]
struct Round {
    /// The texts after the edits; `None` if there are none.
    sources: Option<Sources>,
    changes: Vec<Change>,
    rejections: Vec<(Event, &'static str)>,
}

/// Edits and the events that they fix.
type Candidates<'s, 'e> = BTreeMap<Edit<'s>, &'e Event>;

impl Round {
    fn run(sources: &Sources) -> Self {
        let model = read(sources);
        let events = lint(&model);
        let original = Original {
            sources,
            model: &model,
            events: &events,
        };
        let mut round = Self::default();
        // A new `use` can reveal other events, and removing an acceptor changes the numbers of others, so each round
        // applies one kind of fix.
        let is_of_kind: [fn(&Fix) -> bool; 3] = [
            |fix| matches!(fix, Fix::Use(_)),
            |fix| matches!(fix, Fix::Replace(..)),
            |fix| matches!(fix, Fix::Remove(_)),
        ];
        for is_of_kind in is_of_kind {
            let candidates = round.candidates(&original, is_of_kind);
            round.apply(&original, &candidates);
            if round.sources.is_some() {
                break;
            }
        }
        round
    }

    /// Returns the edits of one kind that can be applied together.
    fn candidates<'s, 'm>(
        &mut self,
        original: &Original<'s, 'm>,
        is_of_kind: fn(&Fix) -> bool,
    ) -> Candidates<'s, 'm> {
        let mut candidates = Candidates::new();
        for event in original
            .events
            .iter()
            .filter(|event| event.severity != Severity::Suppressed)
        {
            if !event.fix.as_ref().is_some_and(is_of_kind) {
                continue;
            }
            match original.sources.edit(original.model, event) {
                Ok(edit) => candidates.extend(edit.map(|edit| (edit, event))),
                Err(reason) => self.reject(event, reason),
            }
        }
        self.without_overlaps(candidates)
    }

    /// Drops edits that contradict each other. Of overlapping edits it keeps the first; a later round applies the
    /// others.
    fn without_overlaps<'s, 'm>(&mut self, candidates: Candidates<'s, 'm>) -> Candidates<'s, 'm> {
        let mut chosen = Candidates::new();
        let edits: Vec<Edit<'_>> = candidates.keys().cloned().collect();
        for (edit, event) in candidates {
            let contradicts = |other: &Edit<'_>| {
                (other.start, other.end) == (edit.start, edit.end)
                    && other.file == edit.file
                    && *other != edit
            };
            if edits.iter().any(contradicts) {
                self.reject(event, CONTRADICTED);
            } else if !chosen.keys().any(|other| edit.overlaps(other)) {
                chosen.insert(edit, event);
            }
        }
        chosen
    }

    fn apply(&mut self, original: &Original<'_, '_>, candidates: &Candidates<'_, '_>) {
        let mut safe: Vec<&Edit<'_>> = candidates.keys().collect();
        self.sources = original.with(&safe);
        if self.sources.is_none() {
            safe.clear();
            for (edit, event) in candidates {
                safe.push(edit);
                if let Some(sources) = original.with(&safe) {
                    self.sources = Some(sources);
                } else {
                    safe.pop();
                    self.reject(event, UNSAFE);
                }
            }
        }
        let events = safe.iter().filter_map(|edit| candidates.get(*edit));
        self.changes = events.filter_map(|event| original.change(event)).collect();
    }

    fn reject(&mut self, event: &Event, reason: &'static str) {
        self.rejections.push((event.clone(), reason));
    }
}

/// The texts before the edits.
struct Original<'s, 'm> {
    sources: &'s Sources,
    model: &'m Model<'s>,
    events: &'m [Event],
}

impl Original<'_, '_> {
    fn change(&self, event: &Event) -> Option<Change> {
        let (start, _) = self.sources.place(event)?;
        Some(Change {
            event: event.clone(),
            file: start.file.to_owned(),
            line: start.line,
            column: start.column,
        })
    }

    /// Returns the texts after edits, or `None` if the edits have other effects than intended.
    fn with(&self, edits: &[&Edit<'_>]) -> Option<Sources> {
        if edits.is_empty() {
            return None;
        }
        let sources = self.sources.with_edits(edits)?;
        let is_safe = {
            let model = read(&sources);
            let events = lint(&model);
            // A replacement or a `use` can reveal new events, so only the events from reading are compared. A removal
            // must not cause new events.
            let is_removal = edits.iter().any(|edit| edit.replacement.is_empty());
            let (before, after) = if is_removal {
                (self.events, &*events)
            } else {
                (self.model.events(), model.events())
            };
            equivalence::is_same(self.model, &model)
                && is_no_worse(before, after)
                && !needs_another_fix(&sources, &events, edits)
        };
        is_safe.then_some(sources)
    }
}

/// Returns `true` if no event is new, ignoring the numbers of acceptors.
fn is_no_worse(before: &[Event], after: &[Event]) -> bool {
    let mut before = problem_counts(before);
    let mut after = problem_counts(after).into_iter();
    after.all(|(key, count)| before.remove(&key).is_some_and(|before| before >= count))
}

fn problem_counts(events: &[Event]) -> BTreeMap<(&str, Option<&str>), usize> {
    let mut counts = BTreeMap::new();
    for event in events
        .iter()
        .filter(|event| event.severity > Severity::Note)
    {
        let id = event
            .id
            .trim_end_matches(|char: char| char.is_ascii_digit());
        let count: &mut usize = counts.entry((id, event.shape.as_deref())).or_default();
        *count = count.saturating_add(1);
    }
    counts
}

/// Returns `true` if an edited part needs another fix: two operations share it and contradict each other.
fn needs_another_fix(sources: &Sources, events: &[Event], edits: &[&Edit<'_>]) -> bool {
    let mut replaced = events.iter().filter_map(|event| match &event.fix {
        Some(Fix::Replace(culprit, text)) => sources.replacement(*culprit, text).ok(),
        _ => None,
    });
    replaced.any(|again| edits.iter().any(|edit| edit.overlaps(&again)))
}
