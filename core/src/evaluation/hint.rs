//! Hints: mistakes in a definition or a call that a result of the call shows. See docs/rules.md#hints.

use std::fmt;
use std::ops::ControlFlow;

use super::{ErrorMetadata, Observation, Redacted, Show, Verdict, input_output};
use crate::definition::{Acceptor, CompiledGoal, Expectation, Expected, Matcher, Root, base_name};
use crate::error::{Part, nearest, option, render, snake_case};
use crate::jmespath::{Comparison, EvaluationError, Evaluator, Expression, Item, Names, Node, Op};
use crate::millis::seconds;
use crate::text::{escape_control_char, quote};
use crate::value::{Kind, Name, Value, describe};

/// A wait of more milliseconds than this is probably meant to be shorter.
const A_DAY_MS: u64 = 86_400_000;

/// The number of items of a list that are compared with the expected texts.
const COMPARED_ITEMS: u32 = 100;

/// The suffixes that names of one error differ by.
const SUFFIXES: [&str; 3] = ["exception", "error", "fault"];

/// The stable code of a [`Hint`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HintCode {
    /// An error has the name of an acceptor's error except for its case or a suffix such as `Exception`.
    ErrorSuffix,
    /// A value differs from the expected one only in case.
    LetterCase,
    /// The maximum wait time exceeds a day.
    LongWait,
    /// A condition compares with a member that does not exist: `status == done` instead of `status == 'done'`.
    MissingQuotes,
    /// A member of a path does not exist, beside a member with a similar name.
    NearName,
    /// The comparator or the path never fits the type of the value, such as `stringEquals` or a member on a list.
    NeverMatches,
    /// The call returned nothing.
    NoResponse,
}

impl HintCode {
    /// Returns the name of the code, such as `near_name`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ErrorSuffix => "error_suffix",
            Self::LetterCase => "letter_case",
            Self::LongWait => "long_wait",
            Self::MissingQuotes => "missing_quotes",
            Self::NearName => "near_name",
            Self::NeverMatches => "never_matches",
            Self::NoResponse => "no_response",
        }
    }
}

/// A probable mistake in a definition, an option or a call, which a result of the call shows.
///
/// A hint never changes a wait. Each code is reported at most once in a wait. See docs/rules.md#hints.
///
/// # Example: a misspelled path
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::{Event, HintCode, WaitOptions, Waiter};
///
/// let active = Waiter::until("Table.Status", "ACTIVE").build()?;
/// let mut wait = active.start(&WaitOptions::new(std::time::Duration::from_secs(60)), 1)?;
/// wait.poll(0);
/// wait.handle(Event::response(&json!({"Table": {"TableStatus": "CREATING"}})), 30)?;
/// assert_eq!(wait.hints()[0].code(), HintCode::NearName);
/// assert_eq!(wait.hints()[0].to_string(), "Table.Status: Table has no member `Status`, did you mean `TableStatus`?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    code: HintCode,
    parts: Vec<Part>,
}

impl Hint {
    fn new(code: HintCode, text: String) -> Self {
        // Names and values come from the service.
        let text: String = text.chars().map(escape_control_char).collect();
        Self {
            code,
            parts: vec![text.into()],
        }
    }

    /// Returns the hint for a wait of more than a day, which was probably meant in milliseconds.
    pub(crate) fn of_max_wait(max_wait_ms: u64) -> Option<Self> {
        let text = format!(
            " is {}, which is more than a day: it is in seconds, not in milliseconds",
            seconds(max_wait_ms)
        );
        (max_wait_ms > A_DAY_MS).then(|| Self {
            code: HintCode::LongWait,
            parts: vec![option("maxWait"), text.into()],
        })
    }

    /// Returns the hint for the path of a fleet's items, which the response does not have.
    pub(crate) fn of_items(path: &str, place: &str, name: &str, near: &str) -> Self {
        let text = format!(" {path}: {place} has no member `{name}`, did you mean `{near}`?");
        let mut hint = Self::new(HintCode::NearName, text);
        hint.parts.insert(0, option("items"));
        hint
    }

    /// Returns the hint with the waiter and the label in front of it.
    pub(crate) fn about(mut self, subject: String) -> Self {
        self.parts.insert(0, (subject + " ").into());
        self
    }

    /// Returns the stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> HintCode {
        self.code
    }

    /// Returns the text, for people. `spell` converts a camel-case name of an option such as `maxWait` to the host's
    /// spelling.
    pub fn message(&self, spell: impl Fn(&str) -> String) -> String {
        render(&self.parts, spell)
    }
}

/// Formats the text with the names of Rust's options.
impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(snake_case))
    }
}

/// Returns the hints that a result shows, the most important one of each code first.
pub(crate) fn hints<V: Value>(
    acceptors: &[Acceptor],
    names: &Names,
    (input, seen): (Option<&V>, &Observation<'_, V>),
    verdict: Verdict,
    (redacted, show): (&Redacted, Option<&Show>),
) -> Vec<Hint> {
    let output = match seen {
        // An acceptor that matches expects the error.
        Observation::Error(_) if verdict.acceptor().is_some() => return Vec::new(),
        Observation::Error(error) => return of_error(acceptors, error).into_iter().collect(),
        Observation::Response(output) => output,
    };
    let all = acceptors.iter().enumerate();
    let mut paths: Vec<Read<'_>> = all.flat_map(|(index, one)| Read::all(index, one)).collect();
    if verdict.acceptor().is_none() && !paths.is_empty() && is_null(output) {
        let text = "the call returned nothing: did you forget `return`?".to_owned();
        return vec![Hint::new(HintCode::NoResponse, text)];
    }
    // A hint may quote values and names beside the redacted member.
    paths.retain(|read| !redacted.acceptor(read.acceptor)[0]);
    let mut finder = Finder {
        names,
        path: "",
        evaluator: &Evaluator::new(),
        has_value: false,
        hints: Vec::new(),
    };
    for (place, read) in paths.iter().enumerate() {
        let mut earlier = paths.iter().take(place);
        if earlier.any(|earlier| earlier.is_same_path(read)) {
            continue;
        }
        let root = match read.root {
            Root::InputOutput => input_output(input, output),
            Root::Output => Item::Host(output.clone()),
        };
        finder.path = read.path.text();
        // A value that cannot be read has no hint.
        let _ = finder.find_in(read, &root);
    }
    let root = Item::Host(output.clone());
    for (path, expression) in show.into_iter().flat_map(Show::condition_paths) {
        (finder.path, finder.has_value) = (path, false);
        let _ = finder.walk(expression.root(), &root, "the response");
    }
    finder.hints
}

/// A path that an acceptor reads, and what it is compared with.
struct Read<'w> {
    acceptor: usize,
    root: Root,
    path: &'w Expression,
    expectations: &'w [Expectation],
    texts: Vec<&'w str>,
}

impl<'w> Read<'w> {
    fn all(index: usize, acceptor: &'w Acceptor) -> Vec<Self> {
        // The first matcher of a path has the expectations of all.
        let first = acceptor
            .path_matcher()
            .filter(|matcher| !matcher.expectations().is_empty());
        let of_matcher = first.map(|matcher| Self {
            acceptor: index,
            root: matcher.root(),
            path: matcher.path(),
            expectations: matcher.expectations(),
            texts: matcher
                .expectations()
                .iter()
                .filter_map(|one| one.expected.text())
                .collect(),
        });
        let of_goals = acceptor.goals().iter().map(|goal| Self {
            acceptor: index,
            root: CompiledGoal::ROOT,
            path: goal.path(),
            expectations: &[],
            texts: goal.goal().values().iter().map(String::as_str).collect(),
        });
        of_matcher.into_iter().chain(of_goals).collect()
    }

    fn is_same_path(&self, other: &Self) -> bool {
        // Two first matchers never have the same path.
        (self.expectations.is_empty() || other.expectations.is_empty())
            && self.root == other.root
            && self.path.text() == other.path.text()
            && (self.texts == other.texts || !other.expectations.is_empty())
    }
}

fn is_null<V: Value>(value: &V) -> bool {
    matches!(value.kind(), Ok(Kind::Null))
}

fn of_error(acceptors: &[Acceptor], error: &ErrorMetadata<'_>) -> Option<Hint> {
    acceptors.iter().find_map(|acceptor| {
        let Matcher::ErrorType(expected) = acceptor.matcher() else {
            return None;
        };
        let expected = base_name(expected);
        let mut names = error.all_names().map(base_name);
        let name = names.find(|name| *name != expected && stem(name) == stem(expected))?;
        let text = format!(
            "the error is `{name}` and not `{expected}`: write its whole name in `errorType` or "
        );
        Some(Hint {
            code: HintCode::ErrorSuffix,
            parts: vec![text.into(), option("retryErrors")],
        })
    })
}

/// Returns the name of an error in lower case, without a suffix.
fn stem(name: &str) -> String {
    let name = name.to_lowercase();
    let mut stems = SUFFIXES
        .iter()
        .filter_map(|suffix| name.strip_suffix(suffix));
    stems
        .find(|stem| !stem.is_empty())
        .unwrap_or(&name)
        .to_owned()
}

/// The search for hints in one path.
struct Finder<'w> {
    /// The names in all paths of the waiter.
    names: &'w Names,
    path: &'w str,
    /// With its own limit, because hints must never change a verdict.
    evaluator: &'w Evaluator,
    /// `true` if the whole path gives a value. A part of it that gives none is then only one way to the value.
    has_value: bool,
    hints: Vec<Hint>,
}

type Found = Result<(), EvaluationError>;

impl<'w> Finder<'w> {
    fn find_in<V: Value>(&mut self, read: &Read<'w>, root: &Item<'w, V>) -> Found {
        let node = read.path.root();
        let value = self.evaluator.evaluate(node, root);
        self.has_value = value.as_ref().is_ok_and(has_value);
        self.walk(node, root, "the response")?;
        let value = value?;
        let kind = value.kind()?;
        // One of two sides, which later may be the other one.
        if !matches!(node.op, Op::And(_) | Op::Or(_)) {
            for Expectation { expected, .. } in read.expectations {
                self.check_type(expected, kind, node.returns_list());
            }
        }
        match kind {
            Kind::String => self.compare(&value, &read.texts),
            Kind::Array => {
                let (mut found, mut left) = (Ok(()), COMPARED_ITEMS);
                value.items(&mut |item| {
                    found = self.compare(&item, &read.texts);
                    left = left.saturating_sub(1);
                    if found.is_err() || left == 0 {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                })?;
                found
            }
            _ => Ok(()),
        }
    }

    fn add(&mut self, code: HintCode, text: String) {
        if self.hints.iter().all(|hint| hint.code != code) {
            self.hints.push(Hint::new(code, text));
        }
    }

    /// Finds a comparator that never matches the type of the value.
    fn check_type(&mut self, expected: &Expected, kind: Kind, returns_list: bool) {
        let is_list = returns_list || kind == Kind::Array;
        let (comparator, fits) = match expected {
            Expected::AllStrings(_) => ("allStringEquals", is_list),
            Expected::AnyString(_) => ("anyStringEquals", is_list),
            Expected::Boolean(_) => ("booleanEquals", matches!(kind, Kind::Boolean(_))),
            Expected::String(_) => ("stringEquals", kind == Kind::String),
        };
        // A null may become any type, unless it is that of a list.
        if fits || kind == Kind::Null && !is_list {
            return;
        }
        let (path, items) = (
            self.path,
            "`allStringEquals` and `anyStringEquals` compare its items",
        );
        let advice = match expected {
            Expected::AllStrings(_) | Expected::AnyString(_) => {
                ": it compares the items of a list".to_owned()
            }
            Expected::String(_) if returns_list => format!(": {items}"),
            // The short form recognizes a list by the expression.
            Expected::String(_) if is_list => {
                format!(": {items}, as does `until` with `{path}[]`")
            }
            _ => String::new(),
        };
        let found = if is_list {
            "a list".to_owned()
        } else {
            describe(kind)
        };
        let text = format!("{path} gives {found}, which `{comparator}` never matches{advice}");
        self.add(HintCode::NeverMatches, text);
    }

    /// Compares a text with what the acceptors of the path expect.
    fn compare<V: Value>(&mut self, value: &Item<'_, V>, expected: &[&str]) -> Found {
        if value.kind()? != Kind::String {
            return Ok(());
        }
        let text = self.evaluator.text(value)?;
        if expected.iter().all(|expected| *expected != text) {
            self.compare_texts(&text, expected.iter().copied());
        }
        Ok(())
    }

    fn compare_texts<'t>(&mut self, text: &str, mut expected: impl Iterator<Item = &'t str>) {
        let differs =
            |expected: &&str| *expected != text && expected.to_lowercase() == text.to_lowercase();
        if let Some(expected) = expected.find(differs) {
            let text = format!(
                "{} gave {}, which differs from the expected {} only in case",
                self.path,
                quote(text),
                quote(expected)
            );
            self.add(HintCode::LetterCase, text);
        }
    }

    /// Searches an expression. `place` is the name of the member that it is applied to.
    fn walk<V: Value>(&mut self, node: &'w Node, item: &Item<'w, V>, place: &str) -> Found {
        let evaluator = self.evaluator;
        match &node.op {
            Op::Path(names) => self.walk_path(names, item, place),
            Op::Compare(comparison, sides) => {
                if self.is_unquoted(*comparison, sides, item)? {
                    return Ok(());
                }
                if *comparison == Comparison::Equal {
                    self.compare_with_literal(sides, item)?;
                }
                sides
                    .iter()
                    .try_for_each(|side| self.walk(side, item, place))
            }
            Op::And(pair) | Op::Condition(pair) | Op::Or(pair) => pair
                .iter()
                .try_for_each(|node| self.walk(node, item, place)),
            Op::Call(_, nodes) | Op::List(nodes) => nodes
                .iter()
                .try_for_each(|node| self.walk(node, item, place)),
            Op::Flatten(node) | Op::Not(node) | Op::Values(node) => self.walk(node, item, place),
            Op::Chain(nodes) => {
                let (mut item, mut place) = (item.clone(), place);
                for node in nodes {
                    self.walk(node, &item, place)?;
                    item = evaluator.evaluate(node, &item)?;
                    place = last_name(node).unwrap_or(place);
                }
                Ok(())
            }
            Op::Project(pair) => {
                let [list, each] = &**pair;
                self.walk(list, item, place)?;
                // All items have the same members, except for those without a value.
                let first = evaluator.evaluate(list, item)?.item(0)?;
                self.walk(each, &first, last_name(list).unwrap_or(place))
            }
            Op::Current
            | Op::Expref(_)
            | Op::Hash(_)
            | Op::Index(_)
            | Op::Literal(_)
            | Op::Slice(_) => Ok(()),
        }
    }

    /// Finds the first member that does not exist beside one with a similar name, or that a list cannot have.
    fn walk_path<V: Value>(&mut self, names: &[Name], item: &Item<'_, V>, place: &str) -> Found {
        let (mut value, mut place) = (item.clone(), place);
        for (index, name) in names.iter().enumerate() {
            if value.kind()? == Kind::Array {
                let in_item = value.item(0)?.member_at(std::slice::from_ref(name))?;
                if !self.has_value && !in_item.is_null()? {
                    let (path, name) = (self.path, name.as_str());
                    let text = format!(
                        "{path}: {place} is a list, which has no member `{name}`: `[]` before it reads the items"
                    );
                    self.add(HintCode::NeverMatches, text);
                }
                break;
            }
            let member = value.member_at(std::slice::from_ref(name))?;
            if member.is_null()? {
                let next = names.get(index.saturating_add(1)).map(Name::as_str);
                if let Some(near) = self.near_name(&value, name.as_str(), next, place)? {
                    let (path, name) = (self.path, name.as_str());
                    let text =
                        format!("{path}: {place} has no member `{name}`, did you mean `{near}`?");
                    self.add(HintCode::NearName, text);
                }
                break;
            }
            (value, place) = (member, name.as_str());
        }
        Ok(())
    }

    /// Returns the member with a value whose name is similar to one that the object does not have. `next` is the member
    /// after it in the path.
    fn near_name<V: Value>(
        &self,
        object: &Item<'_, V>,
        name: &str,
        next: Option<&str>,
        place: &str,
    ) -> Result<Option<String>, EvaluationError> {
        if object.kind()? != Kind::Object {
            return Ok(None);
        }
        let members = object.first_members()?;
        // A member without a value may have one later.
        if members.iter().any(|(member, _)| **member == *name) {
            return Ok(None);
        }
        let mut others = Vec::new();
        for (member, value) in &members {
            // A definition that reads both means both.
            let is_other = !self.names.contains(member) && !is_opposite(name, member);
            if is_other && !value.is_null()? && leads_to(value, next)? {
                others.push(&**member);
            }
        }
        let near = nearest(name, &others);
        let near = near.or_else(|| {
            others
                .into_iter()
                .find(|other| adds_place(name, other, place))
        });
        Ok(near.map(ToOwned::to_owned))
    }

    /// Finds a comparison with a member that does not exist where a text was meant: `status == done`.
    fn is_unquoted<V: Value>(
        &mut self,
        comparison: Comparison,
        [left, right]: &'w [Node; 2],
        item: &Item<'w, V>,
    ) -> Result<bool, EvaluationError> {
        let operator = match comparison {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            _ => return Ok(false),
        };
        let (Op::Path(path), Op::Path(word)) = (&left.op, &right.op) else {
            return Ok(false);
        };
        let ([word], Kind::Object) = (&**word, item.kind()?) else {
            return Ok(false);
        };
        let members = item.first_members()?;
        let word = word.as_str();
        let others: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
        let value = item.member_at(path)?.kind()?;
        // Another member, such as a number, may appear later: `runningCount == desiredCount`.
        let ends_alike = path
            .last()
            .is_some_and(|name| name.as_str().ends_with(last_word(word)));
        if others.contains(&word)
            || ends_alike
            || nearest(word, &others).is_some()
            || !matches!(value, Kind::Null | Kind::String)
        {
            return Ok(false);
        }
        let path: Vec<&str> = path.iter().map(Name::as_str).collect();
        let path = path.join(".");
        let null = match value {
            Kind::Null => "; both are null here, and null equals null",
            _ => "",
        };
        let text = format!(
            "{path} {operator} {word} compares two members, and there is no member `{word}`: a text has quotes, `{path} {operator} '{word}'`{null}"
        );
        self.add(HintCode::MissingQuotes, text);
        Ok(true)
    }

    /// Compares a member with the text in a condition: `status == 'active'`.
    fn compare_with_literal<V: Value>(
        &mut self,
        [left, right]: &'w [Node; 2],
        item: &Item<'w, V>,
    ) -> Found {
        let (Op::Path(path), Op::Literal(expected)) = (&left.op, &right.op) else {
            return Ok(());
        };
        let (value, Some(expected)) = (item.member_at(path)?, expected.as_str()) else {
            return Ok(());
        };
        if value.kind()? == Kind::String {
            let text = self.evaluator.text(&value)?;
            self.compare_texts(&text, std::iter::once(expected));
        }
        Ok(())
    }
}

/// Returns `true` if the value has the next member of a path, or one with a similar name.
fn leads_to<V: Value>(value: &Item<'_, V>, next: Option<&str>) -> Result<bool, EvaluationError> {
    let Some(next) = next else {
        return Ok(true);
    };
    let members = value.first_members()?;
    let names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    Ok(names.contains(&next) || nearest(next, &names).is_some())
}

/// Tells whether the result of a path is more than "not yet".
fn has_value<V: Value>(value: &Item<'_, V>) -> bool {
    !matches!(value.kind(), Ok(Kind::Null | Kind::Boolean(false)) | Err(_))
}

/// Returns `true` if one name is the other with `un`: `availableReplicas` and `unavailableReplicas`, of which JSON omits the
/// one that is zero.
fn is_opposite(name: &str, other: &str) -> bool {
    let [short, long] = by_length(name, other);
    let mut places = long.match_indices("un");
    places.any(|(at, un)| {
        long.split_at(at).0 == short.split_at_checked(at).unwrap_or_default().0
            && long.get(at.saturating_add(un.len())..) == short.get(at..)
    })
}

/// Returns `true` if one name is the other after the name of the place, or a part of it: `Status` and `TableStatus` of
/// `Table`.
fn adds_place(name: &str, other: &str, place: &str) -> bool {
    let [short, long] = by_length(name, other);
    let prefix = long.strip_suffix(&*short).unwrap_or_default();
    !prefix.is_empty() && place.to_lowercase().starts_with(prefix)
}

/// Returns the names in lower case, the shorter one first.
fn by_length(name: &str, other: &str) -> [String; 2] {
    let (short, long) = if name.len() < other.len() {
        (name, other)
    } else {
        (other, name)
    };
    [short.to_lowercase(), long.to_lowercase()]
}

/// Returns the last word of a name: `Count` of `desiredCount`.
fn last_word(name: &str) -> &str {
    let start = name.rfind(char::is_uppercase).unwrap_or_default();
    name.get(start..).unwrap_or_default()
}

/// Returns the last member that an expression reads.
fn last_name(node: &Node) -> Option<&str> {
    match &node.op {
        Op::Path(names) => names.last().map(Name::as_str),
        Op::Flatten(node) | Op::Values(node) => last_name(node),
        Op::Project(pair) => pair.iter().rev().find_map(last_name),
        Op::Chain(nodes) => nodes.iter().rev().find_map(last_name),
        _ => None,
    }
}
