//! Random waiters. Their paths use all kinds of expressions over the members of a model. The linter rejects some of
//! them.

use fastrand::Rng;
use serde_json::{Value as Json, json};
use smithy_waiters_model::{Kind, Model, Shape};

/// The maximum nesting depth of conditions.
const MAX_DEPTH: usize = 3;

/// The maximum number of acceptors of a waiter, besides the last.
const MAX_ACCEPTORS: usize = 4;

/// The strings that paths are compared with.
const TEXTS: [&str; 5] = [
    "READY",
    "GONE",
    "other",
    "it's \"quoted\"",
    "IN_PROGRESS_FOR_A_LONG_TIME",
];

/// The possible starts of paths: the text and the shape of the value.
type Starts<'m> = Vec<(String, &'m Shape<'m>)>;

/// A generator of waiters.
pub(crate) struct Waiters<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) rng: Rng,
}

impl<'m> Waiters<'m> {
    /// Returns a waiter over the input and output of an operation. The linter may reject it.
    pub(crate) fn waiter(&mut self, [input, output]: [&'m Shape<'m>; 2]) -> Json {
        let mut acceptors: Vec<Json> = Vec::new();
        for _ in 0..self.rng.usize(1..=MAX_ACCEPTORS) {
            let acceptor = match acceptors.last() {
                Some(last) if self.rng.u8(0..3) == 0 => self.again(last.clone()),
                _ => self.acceptor(input, output),
            };
            acceptors.push(acceptor);
        }
        acceptors.push(success());
        json!({"acceptors": acceptors})
    }

    /// Repeats the path of an acceptor with another value.
    fn again(&mut self, mut acceptor: Json) -> Json {
        let matcher = acceptor["matcher"].as_object_mut().unwrap().values_mut();
        for matcher in matcher {
            matcher["expected"] = match &matcher["comparator"] {
                Json::String(name) if name == "booleanEquals" => {
                    self.one_of(["true", "false"]).into()
                }
                _ => self.one_of(TEXTS).into(),
            };
        }
        acceptor
    }

    fn acceptor(&mut self, input: &'m Shape<'m>, output: &'m Shape<'m>) -> Json {
        let sides = self.rng.u8(0..4) == 0;
        let (name, starts) = if sides {
            let starts = vec![("input".to_owned(), input), ("output".to_owned(), output)];
            ("inputOutput", starts)
        } else {
            ("output", vec![(String::new(), output)])
        };
        let matcher = self.matcher(&starts);
        let state = self.one_of(["success", "failure", "retry"]);
        json!({"state": state, "matcher": {name: matcher}})
    }

    fn matcher(&mut self, starts: &Starts<'m>) -> Json {
        let (comparator, path, expected) = match self.rng.u8(0..6) {
            0 => ("stringEquals", self.string(starts, 0), self.one_of(TEXTS)),
            1 => (
                "allStringEquals",
                self.strings(starts, 0),
                self.one_of(TEXTS),
            ),
            2 => (
                "anyStringEquals",
                self.strings(starts, 0),
                self.one_of(TEXTS),
            ),
            _ => (
                "booleanEquals",
                self.truth(starts, 0),
                self.one_of(["true", "false"]),
            ),
        };
        json!({"path": path, "comparator": comparator, "expected": expected})
    }

    /// Returns an expression for a boolean.
    fn truth(&mut self, starts: &Starts<'m>, depth: usize) -> String {
        let form = if depth < MAX_DEPTH {
            self.rng.u8(0..16)
        } else {
            self.rng.u8(8..16)
        };
        let next = depth.saturating_add(1);
        match form {
            0 | 1 => format!("{} && {}", self.part(starts, next), self.part(starts, next)),
            2 | 3 => format!("{} || {}", self.part(starts, next), self.part(starts, next)),
            4 | 5 => format!("!{}", self.part(starts, next)),
            6 => {
                let equal = self.one_of(["==", "!="]);
                format!(
                    "({}) {equal} {}",
                    self.truth(starts, next),
                    self.one_of(["`true`", "`false`"])
                )
            }
            7 => {
                let equal = self.one_of(["==", "!="]);
                format!(
                    "{} {equal} {}",
                    self.member(starts, &[Kind::Boolean]),
                    self.member(starts, &[Kind::Boolean])
                )
            }
            8 => format!(
                "{} {} null",
                self.anything(starts),
                self.one_of(["==", "!="])
            ),
            9 | 10 => {
                let order = self.one_of(["==", "!=", "<", "<=", ">", ">="]);
                format!(
                    "{} {order} {}",
                    self.number(starts, next),
                    self.number(starts, next)
                )
            }
            11 | 12 => {
                let equal = self.one_of(["==", "!="]);
                format!(
                    "{} {equal} {}",
                    self.string(starts, next),
                    self.string(starts, next)
                )
            }
            13 => self.call_of_truth(starts, next),
            14 => {
                let equal = self.one_of(["==", "!="]);
                format!(
                    "{} {equal} {}",
                    self.member(starts, &[Kind::Boolean]),
                    self.one_of(["`true`", "`false`"])
                )
            }
            _ => self.member(starts, &[Kind::Boolean]),
        }
    }

    /// Returns an operand of a logical operator, in parentheses if necessary.
    fn part(&mut self, starts: &Starts<'m>, depth: usize) -> String {
        match self.rng.u8(0..8) {
            0 => self.string(starts, MAX_DEPTH),
            1 => self.array(starts, MAX_DEPTH).0,
            _ => format!("({})", self.truth(starts, depth)),
        }
    }

    fn call_of_truth(&mut self, starts: &Starts<'m>, depth: usize) -> String {
        match self.rng.u8(0..4) {
            0 => format!(
                "contains({}, {})",
                self.strings(starts, depth),
                self.string(starts, depth)
            ),
            1 => format!(
                "contains({}, {})",
                self.string(starts, depth),
                self.string(starts, depth)
            ),
            2 => format!(
                "starts_with({}, {})",
                self.string(starts, depth),
                self.string(starts, depth)
            ),
            _ => format!(
                "ends_with({}, {})",
                self.string(starts, depth),
                self.string(starts, depth)
            ),
        }
    }

    /// Returns the test that a list member of an element contains another member.
    fn member_among_others(&mut self, starts: &Starts<'m>) -> String {
        let list = loop {
            let (text, list) = self.walk(starts, &[Kind::List]);
            if self.target(list, "member").kind == Kind::String {
                break text;
            }
        };
        let member = self.member(starts, &[Kind::Enum, Kind::String]);
        format!("contains({list}, {member})")
    }

    fn number(&mut self, starts: &Starts<'m>, depth: usize) -> String {
        let kinds = self.or(&[Kind::Integer, Kind::Long, Kind::Double], Kind::Timestamp);
        match self.rng.u8(0..8) {
            0 | 1 => self.one_of(["`0`", "`1`", "`2`", "`-1.5`"]),
            2 | 3 => format!("length({})", self.array(starts, depth).0),
            4 => format!("length({})", self.string(starts, depth)),
            5 => {
                let kinds = self.or(&[Kind::Integer], Kind::Timestamp);
                format!("max({})", self.projection(starts, &kinds, depth))
            }
            _ => self.member(starts, &kinds),
        }
    }

    fn string(&mut self, starts: &Starts<'m>, depth: usize) -> String {
        let kinds = self.or(&[Kind::Enum, Kind::String], Kind::Blob);
        match self.rng.u8(0..16) {
            0..3 => self.one_of([
                "'READY'",
                "'GONE'",
                "'E'",
                "''",
                "'a text that is longer than most of them'",
            ]),
            3 if depth < MAX_DEPTH => {
                let sign = self.one_of(["||", "&&"]);
                format!(
                    "({} {sign} {})",
                    self.member(starts, &kinds),
                    self.member(starts, &kinds)
                )
            }
            4 if depth < MAX_DEPTH => {
                let strings = self.projection(starts, &kinds, depth.saturating_add(1));
                format!("({strings})[{}]", self.one_of(["0", "-1"]))
            }
            5 if depth < MAX_DEPTH => {
                format!(
                    "({} | [0])",
                    self.projection(starts, &kinds, depth.saturating_add(1))
                )
            }
            6 if depth < MAX_DEPTH => {
                format!(
                    "not_null({}, {})",
                    self.member(starts, &kinds),
                    self.member(starts, &kinds)
                )
            }
            _ => self.member(starts, &kinds),
        }
    }

    /// Returns an expression for an array of strings.
    fn strings(&mut self, starts: &Starts<'m>, depth: usize) -> String {
        let kinds = self.or(&[Kind::Enum, Kind::String], Kind::Blob);
        match self.rng.u8(0..10) {
            0 => format!("keys({})", self.member(starts, &[Kind::Map])),
            1 => format!(
                "[{}, {}]",
                self.string(starts, MAX_DEPTH),
                self.string(starts, MAX_DEPTH)
            ),
            2 => format!("sort({})", self.projection(starts, &kinds, depth)),
            3 => {
                let (text, shape) = self.walk(starts, &[Kind::Structure]);
                let members = at(shape);
                format!(
                    "{text}.[{}, {}]",
                    self.member(&members, &kinds),
                    self.member(&members, &kinds)
                )
            }
            4 => format!(
                "{}[{}:]",
                self.projection(starts, &kinds, depth),
                self.rng.u8(0..3)
            ),
            _ => self.projection(starts, &kinds, depth),
        }
    }

    /// Returns a projection to members of the given kinds.
    fn projection(&mut self, starts: &Starts<'m>, kinds: &[Kind], depth: usize) -> String {
        let (mut text, element) = loop {
            let (text, element) = self.array(starts, depth);
            if element.kind == Kind::Structure || kinds.contains(&element.kind) {
                break (text, element);
            }
        };
        if kinds.contains(&element.kind) {
            return text;
        }
        if !text.ends_with(']') || text.starts_with('[') {
            text.push_str(&self.one_of(["[]", "[*]"]));
        }
        match self.rng.u8(0..6) {
            0 => format!("{text}.[{}][]", self.member(&at(element), kinds)),
            _ => format!("{text}.{}", self.member(&at(element), kinds)),
        }
    }

    /// Returns an expression for an array, and the shape of its elements.
    fn array(&mut self, starts: &Starts<'m>, depth: usize) -> (String, &'m Shape<'m>) {
        let (text, list) = if self.rng.u8(0..6) == 0 {
            self.walk(starts, &[Kind::Map])
        } else {
            self.walk(starts, &[Kind::List])
        };
        let (text, name) = match list.kind {
            Kind::Map => (format!("{text}.*"), "value"),
            _ => (text, "member"),
        };
        let element = self.target(list, name);
        if depth >= MAX_DEPTH || list.kind == Kind::Map {
            return (text, element);
        }
        let inner = if element.kind == Kind::Structure {
            at(element)
        } else {
            vec![("@".to_owned(), element)]
        };
        let condition = |own: &mut Self| match element.kind {
            Kind::Structure if own.rng.u8(0..4) == 0 => own.member_among_others(&inner),
            Kind::Structure => own.truth(&inner, depth.saturating_add(1)),
            Kind::Blob => "@ == 'GONE'".to_owned(),
            Kind::String => format!("@ == {}", own.string(&inner, MAX_DEPTH)),
            _ => "@ > `1`".to_owned(),
        };
        match self.rng.u8(0..12) {
            0..3 => (format!("{text}[?{}]", condition(self)), element),
            3..6 => (format!("{text}[]"), element),
            6 if element.kind == Kind::String => {
                (format!("{text}[*].not_null(@, 'READY')"), element)
            }
            _ => (text, element),
        }
    }

    fn anything(&mut self, starts: &Starts<'m>) -> String {
        self.member(
            starts,
            &[
                Kind::Boolean,
                Kind::Integer,
                Kind::String,
                Kind::Structure,
                Kind::List,
                Kind::Map,
                Kind::Enum,
            ],
        )
    }

    fn member(&mut self, starts: &Starts<'m>, kinds: &[Kind]) -> String {
        self.walk(starts, kinds).0
    }

    /// Returns a path to a member of one of the given kinds.
    fn walk(&mut self, starts: &Starts<'m>, kinds: &[Kind]) -> (String, &'m Shape<'m>) {
        for _ in 0..1000 {
            let (mut text, mut shape) = starts[self.rng.usize(..starts.len())].clone();
            for _ in 0..6 {
                if kinds.contains(&shape.kind) && !text.is_empty() && self.rng.bool() {
                    return (text, shape);
                }
                let Some((step, next)) = self.step(shape) else {
                    break;
                };
                text = if text.is_empty() {
                    step.trim_start_matches('.').to_owned()
                } else {
                    text + &step
                };
                shape = next;
            }
            if kinds.contains(&shape.kind) && !text.is_empty() {
                return (text, shape);
            }
        }
        panic!("there is no {kinds:?} in {starts:?}");
    }

    fn step(&mut self, shape: &'m Shape<'m>) -> Option<(String, &'m Shape<'m>)> {
        match shape.kind {
            Kind::Structure | Kind::Union => {
                let member = &shape.members[self.rng.usize(..shape.members.len())];
                let step = format!(".{}", member.name);
                Some((step, self.model.shape(member.target).unwrap()))
            }
            Kind::List => {
                let index = self.one_of(["[0]", "[0]", "[1]", "[-1]"]);
                Some((index, self.target(shape, "member")))
            }
            Kind::Map => {
                let key = self.one_of([".a", ".\"b c\"", ".toString", ".\"0\""]);
                Some((key, self.target(shape, "value")))
            }
            _ => None,
        }
    }

    fn target(&self, shape: &Shape<'_>, member: &str) -> &'m Shape<'m> {
        self.model
            .shape(shape.member(member).unwrap().target)
            .unwrap()
    }

    /// Returns the kinds, occasionally with one that clients represent by a type of their language.
    fn or(&mut self, kinds: &[Kind], foreign: Kind) -> Vec<Kind> {
        let foreign = (self.rng.u8(0..8) == 0).then_some(foreign);
        kinds.iter().copied().chain(foreign).collect()
    }

    fn one_of<const N: usize>(&mut self, texts: [&str; N]) -> String {
        self.rng.choice(texts).unwrap().to_owned()
    }
}

/// Returns the start for paths in an element.
fn at<'m>(element: &'m Shape<'m>) -> Starts<'m> {
    vec![(String::new(), element)]
}

/// Returns the acceptor at the end of every waiter.
fn success() -> Json {
    json!({"state": "success", "matcher": {"success": true}})
}
