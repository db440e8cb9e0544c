//! The redaction of members in reasons, messages and reports. See docs/rules.md#redaction.
//!
//! A static walk over the expression of a path finds the members that the path reads. The result of a path is redacted
//! if the path reads a redacted member, or if the result may contain one.

use super::error_metadata::ErrorMetadata;
use crate::definition::{Acceptor, Root};
use crate::jmespath::{Expression, Function, Names, Node, Op};
use crate::text::quote;

/// A position in a response: a node in the tree of redacted paths, or a shape of a model. A list and its items are the
/// same position.
pub(crate) trait Place: Clone {
    /// Returns the places of a member, or of all members if `name` is `None`. A member has several places if a path has
    /// a wildcard.
    fn members(&self, name: Option<&str>) -> Vec<Self>;

    /// Returns `true` if the value must be hidden.
    fn is_redacted(&self) -> bool;

    /// Returns `true` if a member of the value, at any depth, must be hidden.
    fn holds_redacted(&self) -> bool;

    /// Returns `true` if both are the same place.
    fn is_same(&self, other: &Self) -> bool;
}

/// Returns the redacted places that an acceptor's path reads or that its result may contain, and those of its message.
/// `sides` are the places of the input and the output.
pub(crate) fn places_read<P: Place>(acceptor: &Acceptor, sides: &[Option<P>; 2]) -> [Vec<P>; 2] {
    let [_, output] = sides;
    let output = || output.clone().map(Current::Place);
    let of_path = acceptor.matcher().path_matcher().and_then(|matcher| {
        let root = match matcher.root() {
            Root::InputOutput => Current::InputOutput(sides),
            Root::Output => output()?,
        };
        Some(Walk::redacted_places(matcher.path(), root))
    });
    let of_message = acceptor.message().zip(output());
    [
        of_path.unwrap_or_default(),
        of_message.map_or_else(Vec::new, |(message, root)| {
            Walk::redacted_places(message, root)
        }),
    ]
}

/// The possible place of a value during the walk.
#[derive(Clone)]
enum Current<'a, P> {
    /// The root of an `inputOutput` path, with the members `input` and `output`.
    InputOutput(&'a [Option<P>; 2]),
    Place(P),
}

impl<P: Place> Current<'_, P> {
    fn members(&self, name: Option<&str>) -> Vec<P> {
        match self {
            Self::InputOutput(sides) => {
                let sides = ["input", "output"].into_iter().zip(*sides);
                let sides = sides.filter(|(side, _)| name.is_none_or(|name| name == *side));
                sides.filter_map(|(_, place)| place.clone()).collect()
            }
            Self::Place(place) => place.members(name),
        }
    }

    /// Returns this place if it is redacted or holds redacted members.
    fn whole(&self) -> Vec<P> {
        let is_or_holds = |place: &&P| place.is_redacted() || place.holds_redacted();
        match self {
            Self::InputOutput(sides) => {
                let sides = sides.iter().flatten();
                sides.filter(is_or_holds).cloned().collect()
            }
            Self::Place(place) => Some(place)
                .filter(is_or_holds)
                .cloned()
                .into_iter()
                .collect(),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::InputOutput(_), Self::InputOutput(_)) => true,
            (Self::Place(one), Self::Place(other)) => one.is_same(other),
            _ => false,
        }
    }
}

/// A walk over an expression that collects the redacted places.
struct Walk<P> {
    redacted: Vec<P>,
}

impl<'a, P: Place> Walk<P> {
    fn redacted_places(expression: &Expression, root: Current<'a, P>) -> Vec<P> {
        let mut walk = Self {
            redacted: Vec::new(),
        };
        let root = match root {
            Current::Place(place) => walk.enter(vec![place]),
            both => vec![both],
        };
        let result = walk.read(expression.root(), &root);
        walk.read_whole(&result);
        walk.redacted
    }

    /// Moves the redacted places to `redacted`, and returns the others.
    fn enter(&mut self, places: Vec<P>) -> Vec<Current<'a, P>> {
        let (redacted, open): (Vec<_>, Vec<_>) = places.into_iter().partition(P::is_redacted);
        join(&mut self.redacted, redacted, P::is_same);
        open.into_iter().map(Current::Place).collect()
    }

    /// Adds the redacted places of whole values, including their members.
    fn read_whole(&mut self, places: &[Current<'a, P>]) {
        for place in places {
            join(&mut self.redacted, place.whole(), P::is_same);
        }
    }

    /// Returns the possible places of a node's result.
    fn read(&mut self, node: &Node, current: &[Current<'a, P>]) -> Vec<Current<'a, P>> {
        match &node.op {
            Op::Current | Op::Index(_) | Op::Slice(_) => current.to_vec(),
            Op::Literal(_) => Vec::new(),
            Op::Path(names) => names.iter().fold(current.to_vec(), |places, name| {
                self.members(&places, Some(name.as_str()))
            }),
            Op::Chain(nodes) => self.read_chain(nodes, current),
            Op::Project(pair) => self.read_chain(&**pair, current),
            Op::And(pair) | Op::Or(pair) => self.read_each(&mut pair.iter(), current),
            // The condition only selects items. The comparisons in it mark what they read.
            Op::Condition(pair) => {
                let [condition, node] = &**pair;
                self.read(condition, current);
                self.read(node, current)
            }
            Op::Not(node) => {
                self.read(node, current);
                Vec::new()
            }
            Op::Compare(_, pair) => self.read_parts(&mut pair.iter(), current),
            Op::List(nodes) => self.read_parts(&mut nodes.iter(), current),
            Op::Hash(members) => {
                self.read_parts(&mut members.iter().map(|(_, node)| node), current)
            }
            Op::Expref(node) | Op::Flatten(node) => self.read(node, current),
            Op::Values(node) => {
                let objects = self.read(node, current);
                self.members(&objects, None)
            }
            Op::Call(function, arguments) => self.call(*function, arguments, current),
        }
    }

    /// Walks a chain, in which each node reads the result of the previous one.
    fn read_chain(&mut self, nodes: &[Node], current: &[Current<'a, P>]) -> Vec<Current<'a, P>> {
        let read = |places: Vec<_>, node| self.read(node, &places);
        nodes.iter().fold(current.to_vec(), read)
    }

    fn members(&mut self, places: &[Current<'a, P>], name: Option<&str>) -> Vec<Current<'a, P>> {
        let mut all = Vec::new();
        for place in places {
            let members = self.enter(place.members(name));
            join(&mut all, members, Current::is_same);
        }
        all
    }

    fn read_each<'n>(
        &mut self,
        nodes: &mut dyn Iterator<Item = &'n Node>,
        current: &[Current<'a, P>],
    ) -> Vec<Current<'a, P>> {
        let mut places = Vec::new();
        for node in nodes {
            join(&mut places, self.read(node, current), Current::is_same);
        }
        places
    }

    /// Walks nodes whose whole values become parts of a new value.
    fn read_parts<'n>(
        &mut self,
        nodes: &mut dyn Iterator<Item = &'n Node>,
        current: &[Current<'a, P>],
    ) -> Vec<Current<'a, P>> {
        let places = self.read_each(nodes, current);
        self.read_whole(&places);
        Vec::new()
    }

    fn call(
        &mut self,
        function: Function,
        arguments: &[Node],
        current: &[Current<'a, P>],
    ) -> Vec<Current<'a, P>> {
        let is_reference = |node: &&Node| matches!(node.op, Op::Expref(_));
        let mut values = arguments.iter().filter(|node| !is_reference(node));
        let values = self.read_each(&mut values, current);
        let of_items = self.read_each(&mut arguments.iter().filter(is_reference), &values);
        match function {
            // These return names, a number or a type, and no value of a member.
            Function::Keys | Function::Length | Function::Type => Vec::new(),
            Function::Map => of_items,
            // The expression arguments of these functions are only compared. They do not become part of the result.
            Function::MaxBy
            | Function::Merge
            | Function::MinBy
            | Function::NotNull
            | Function::Reverse
            | Function::Sort
            | Function::SortBy
            | Function::ToArray => values,
            Function::Values => self.members(&values, None),
            _ => {
                self.read_whole(&values);
                Vec::new()
            }
        }
    }
}

fn join<T>(places: &mut Vec<T>, further: Vec<T>, is: fn(&T, &T) -> bool) {
    for place in further {
        if !places.iter().any(|other| is(other, &place)) {
            places.push(place);
        }
    }
}

/// The redaction of one waiter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Redacted {
    pub(crate) paths: Vec<String>,
    /// For each acceptor: `true` if the result of its path is redacted, and `true` if its message is redacted.
    acceptors: Vec<[bool; 2]>,
    /// `true` if the messages of errors are redacted.
    error_messages: bool,
}

impl Redacted {
    /// Adds paths to redact.
    ///
    /// # Errors
    ///
    /// Returns the index of an invalid path, and a message.
    pub(crate) fn add(
        &mut self,
        acceptors: &[Acceptor],
        paths: &[String],
    ) -> Result<(), (usize, String)> {
        let mut tree = Paths::default();
        for (index, path) in paths.iter().enumerate() {
            tree.add(path).map_err(|problem| (index, problem))?;
        }
        self.paths.extend_from_slice(paths);
        self.acceptors.resize(acceptors.len(), [false; 2]);
        let sides = [Some(&tree), Some(&tree)];
        for (acceptor, hidden) in acceptors.iter().zip(&mut self.acceptors) {
            let places = places_read(acceptor, &sides);
            for (hidden, places) in hidden.iter_mut().zip(&places) {
                *hidden |= !places.is_empty();
            }
        }
        let is_redacted = |name: &&str| {
            let places = (&tree).members(Some(name));
            places.iter().any(Place::is_redacted)
        };
        // A redacted root hides everything, and messages of errors may quote it.
        self.error_messages |= tree.redacted || MESSAGES.iter().any(is_redacted);
        Ok(())
    }

    /// Formats an error in one line, without its message if messages are redacted.
    pub(crate) fn describe(&self, error: &ErrorMetadata<'_>) -> String {
        if self.error_messages {
            return error.redacted().describe();
        }
        error.describe()
    }

    /// Returns `true` if an expression reads a redacted member of a response, or if its result may contain one.
    pub(crate) fn hides(&self, expression: &Expression) -> bool {
        let mut tree = Paths::default();
        // `add` has already validated these paths.
        let _ = self.paths.iter().try_for_each(|path| tree.add(path));
        !Walk::redacted_places(expression, Current::Place(&tree)).is_empty()
    }

    /// Returns `true` if the result of an acceptor's path is redacted, and `true` if its message is redacted.
    pub(crate) fn acceptor(&self, index: usize) -> [bool; 2] {
        self.acceptors.get(index).copied().unwrap_or_default()
    }
}

/// Common names of the member with an error's message.
pub(crate) const MESSAGES: [&str; 3] = ["message", "Message", "errorMessage"];

/// The name of a member, or `None` for a wildcard.
type Step = Option<Box<str>>;

/// The maximum number of members in a path to redact.
const MOST_STEPS: usize = 64;

/// A tree of paths to redact: `Credentials.SecretKey`, `Users[].Password`, `Secrets.*`.
#[derive(Default)]
pub(crate) struct Paths {
    members: Vec<(Step, Self)>,
    redacted: bool,
}

impl Place for &Paths {
    fn members(&self, name: Option<&str>) -> Vec<Self> {
        let is_of = |step: &Step| match (step, name) {
            // A wildcard on either side can be this member.
            (Some(step), Some(name)) => **step == *name,
            _ => true,
        };
        let members = self.members.iter().filter(|(step, _)| is_of(step));
        members.map(|(_, member)| member).collect()
    }

    fn is_redacted(&self) -> bool {
        self.redacted
    }

    fn holds_redacted(&self) -> bool {
        // Every leaf of the tree is the end of a path.
        !self.members.is_empty()
    }

    fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(*self, *other)
    }
}

/// The rule for a path to redact.
const PATH: &str = "must be a path of member names such as `Credentials.SecretKey`, `Users[].Password` or `Secrets.*`";

impl Paths {
    /// Adds a path.
    ///
    /// # Errors
    ///
    /// Returns a message if `path` is not a path of member names.
    fn add(&mut self, path: &str) -> Result<(), String> {
        let invalid = || format!("{PATH}, got {}", quote(path));
        let expression = Expression::new(path, &mut Names::default());
        let expression = expression.map_err(|error| format!("{}: {error}", invalid()))?;
        let mut steps = Vec::new();
        push_steps(expression.root(), &mut steps).ok_or_else(invalid)?;
        if steps.len() > MOST_STEPS {
            return Err(invalid());
        }
        self.insert(&steps);
        Ok(())
    }

    fn insert(&mut self, steps: &[Step]) {
        let Some((first, rest)) = steps.split_first() else {
            self.redacted = true;
            return;
        };
        if let Some((_, member)) = self.members.iter_mut().find(|(step, _)| step == first) {
            return member.insert(rest);
        }
        let mut member = Self::default();
        member.insert(rest);
        self.members.push((first.clone(), member));
    }
}

/// Appends the steps of a path of member names. Returns `None` for any other expression.
fn push_steps(node: &Node, steps: &mut Vec<Step>) -> Option<()> {
    match &node.op {
        Op::Current => {}
        Op::Path(names) => steps.extend(names.iter().map(|name| Some(name.as_str().into()))),
        Op::Chain(nodes) => nodes.iter().try_for_each(|node| push_steps(node, steps))?,
        Op::Project(pair) => pair.iter().try_for_each(|node| push_steps(node, steps))?,
        Op::Flatten(node) => push_steps(node, steps)?,
        Op::Values(node) => {
            push_steps(node, steps)?;
            steps.push(None);
        }
        _ => return None,
    }
    Some(())
}
