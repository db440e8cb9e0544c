//! The redaction of members in reasons, messages and reports. See docs/rules.md#redaction.
//!
//! A static walk over the expression of a path finds the members that the path reads. The result of a path is redacted
//! if the path reads a redacted member, or if the result may contain one.

use serde_json::{Value as Json, json};

use super::error_metadata::ErrorMetadata;
use crate::definition::{Acceptor, Root};
use crate::jmespath::{Expression, Function, Names, Node, Op};
use crate::text::quote;

/// The possible place of a value during the walk: a node in the tree of redacted paths. A list and its items are the
/// same place.
#[derive(Clone, Copy)]
enum Place<'a> {
    /// The root of an `inputOutput` path. Its members `input` and `output` have the same redacted paths.
    InputOutput(&'a Paths),
    Node(&'a Paths),
}

impl<'a> Place<'a> {
    fn members(self, name: Option<&str>) -> Vec<&'a Paths> {
        match self {
            Self::InputOutput(tree) if name.is_none_or(|name| SIDES.contains(&name)) => vec![tree],
            Self::InputOutput(_) => Vec::new(),
            Self::Node(node) => node.members(name),
        }
    }

    /// Returns `true` if the value or one of its members, at any depth, must be hidden.
    const fn holds_redacted(self) -> bool {
        let (Self::InputOutput(node) | Self::Node(node)) = self;
        // Every leaf of the tree is the end of a path.
        node.redacted || !node.members.is_empty()
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::InputOutput(_), Self::InputOutput(_)) => true,
            (Self::Node(one), Self::Node(other)) => std::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

const SIDES: [&str; 2] = ["input", "output"];

/// A walk over an expression.
struct Walk {
    /// `true` if the expression reads a redacted member, or its result may contain one.
    is_redacted: bool,
}

impl Walk {
    /// Returns `true` if an expression reads a redacted member, or if its result may contain one.
    fn finds(expression: &Expression, root: Place<'_>) -> bool {
        let mut walk = Self { is_redacted: false };
        let root = match root {
            Place::Node(node) => walk.enter(vec![node]),
            Place::InputOutput(_) => vec![root],
        };
        let result = walk.read(expression.root(), &root);
        walk.read_whole(&result);
        walk.is_redacted
    }

    /// Returns the places that are not redacted.
    fn enter<'a>(&mut self, nodes: Vec<&'a Paths>) -> Vec<Place<'a>> {
        self.is_redacted |= nodes.iter().any(|node| node.redacted);
        let open = nodes.into_iter().filter(|node| !node.redacted);
        open.map(Place::Node).collect()
    }

    /// Reads whole values, including their members.
    fn read_whole(&mut self, places: &[Place<'_>]) {
        self.is_redacted |= places.iter().any(|place| place.holds_redacted());
    }

    /// Returns the possible places of a node's result.
    fn read<'a>(&mut self, node: &Node, current: &[Place<'a>]) -> Vec<Place<'a>> {
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
    fn read_chain<'a>(&mut self, nodes: &[Node], current: &[Place<'a>]) -> Vec<Place<'a>> {
        let read = |places: Vec<_>, node| self.read(node, &places);
        nodes.iter().fold(current.to_vec(), read)
    }

    fn members<'a>(&mut self, places: &[Place<'a>], name: Option<&str>) -> Vec<Place<'a>> {
        let mut all = Vec::new();
        for place in places {
            let members = self.enter(place.members(name));
            join(&mut all, members);
        }
        all
    }

    fn read_each<'a>(
        &mut self,
        nodes: &mut dyn Iterator<Item = &Node>,
        current: &[Place<'a>],
    ) -> Vec<Place<'a>> {
        let mut places = Vec::new();
        for node in nodes {
            join(&mut places, self.read(node, current));
        }
        places
    }

    /// Walks nodes whose whole values become parts of a new value.
    fn read_parts<'a>(
        &mut self,
        nodes: &mut dyn Iterator<Item = &Node>,
        current: &[Place<'a>],
    ) -> Vec<Place<'a>> {
        let places = self.read_each(nodes, current);
        self.read_whole(&places);
        Vec::new()
    }

    fn call<'a>(
        &mut self,
        function: Function,
        arguments: &[Node],
        current: &[Place<'a>],
    ) -> Vec<Place<'a>> {
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

/// Adds the places that are not there yet.
fn join<'a>(places: &mut Vec<Place<'a>>, further: Vec<Place<'a>>) {
    for place in further {
        if !places.iter().any(|other| other.is_same(&place)) {
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
        if paths.len() > MOST_PATHS {
            return Err((
                MOST_PATHS,
                format!("must not follow {MOST_PATHS} other paths"),
            ));
        }
        for (index, path) in paths.iter().enumerate() {
            tree.add(path).map_err(|problem| (index, problem))?;
        }
        self.paths.extend_from_slice(paths);
        self.acceptors.resize(acceptors.len(), [false; 2]);
        for (acceptor, [path, message]) in acceptors.iter().zip(&mut self.acceptors) {
            *path |= acceptor.matcher().path_matcher().is_some_and(|matcher| {
                let root = match matcher.root() {
                    Root::InputOutput => Place::InputOutput(&tree),
                    Root::Output => Place::Node(&tree),
                };
                Walk::finds(matcher.path(), root)
            });
            let expression = acceptor.message();
            *message |= expression.is_some_and(|text| Walk::finds(text, Place::Node(&tree)));
        }
        self.error_messages |= tree.hides_messages();
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
        Walk::finds(expression, Place::Node(&tree))
    }

    /// Returns `true` if the result of an acceptor's path is redacted, and `true` if its message is redacted.
    pub(crate) fn acceptor(&self, index: usize) -> [bool; 2] {
        self.acceptors.get(index).copied().unwrap_or_default()
    }
}

/// The redaction of whole values, which a report contains.
pub(crate) struct Redaction(Paths);

impl Redaction {
    /// Takes the paths of a report. Text that is not a path is of a damaged or later report, and hides everything.
    pub(crate) fn new(paths: &[String]) -> Self {
        let mut tree = Paths::default();
        for path in paths.iter().take(MOST_OF_ALL) {
            tree.redacted |= tree.add(path).is_err();
        }
        tree.redacted |= paths.len() > MOST_OF_ALL;
        Self(tree)
    }

    /// Returns a response with the kinds of the redacted members in the place of their values.
    pub(crate) fn response(&self, mut value: Json) -> Json {
        hide(&mut value, &[&self.0], None);
        value
    }

    /// Returns an error with its name alone if messages are redacted: its other members may repeat the message. Otherwise,
    /// paths begin at each of its objects, because clients wrap the response.
    pub(crate) fn error(&self, mut value: Json) -> Json {
        let name = value.get("name").cloned();
        if value.is_null() || !self.0.hides_messages() {
            hide(&mut value, &[], Some(&self.0));
            if let (Some(name), Some(members)) = (name, value.as_object_mut()) {
                members.insert("name".to_owned(), name);
            }
            return value;
        }
        json!({"name": name, "message": REDACTED})
    }
}

/// Hides what the paths of several nodes redact in one value, and what those of `root` redact in each object. A list and its items
/// are the same place.
fn hide(value: &mut Json, nodes: &[&Paths], root: Option<&Paths>) {
    if nodes.iter().any(|node| node.redacted) {
        *value = hidden(value);
        return;
    }
    match value {
        Json::Array(items) => items.iter_mut().for_each(|item| hide(item, nodes, root)),
        Json::Object(members) => {
            for (name, member) in members {
                let nodes = nodes.iter().copied().chain(root);
                let below: Vec<&Paths> = nodes.flat_map(|node| node.members(Some(name))).collect();
                hide(member, &below, root);
            }
        }
        _ => {}
    }
}

/// Returns the paths as they begin at the items of a list, whose members are `list`. A path to the list itself hides its items.
pub(crate) fn redacted_in_items(paths: &[String], list: &[&str]) -> Vec<String> {
    let of_items = |path: &String| {
        let steps = steps_of(path).ok()?;
        let mut pairs = steps.iter().zip(list);
        let is_below = pairs.all(|(step, name)| step.as_deref().is_none_or(|step| step == *name));
        match steps.get(list.len()..) {
            Some(rest @ [_, ..]) if is_below => Some(text_of(rest)),
            None | Some([]) if is_below => Some("@".to_owned()),
            // The name of a message, which hides those of errors.
            _ => (steps.len() == 1).then(|| path.clone()),
        }
    };
    paths.iter().filter_map(of_items).collect()
}

fn text_of(steps: &[Step]) -> String {
    let step = |step: &Step| step.as_deref().map_or_else(|| "*".to_owned(), quote);
    steps.iter().map(step).collect::<Vec<_>>().join(".")
}

/// Returns the text of a hidden value, which is null if there is none.
fn hidden(value: &Json) -> Json {
    let kind = match value {
        Json::Null => return Json::Null,
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    };
    format!("{kind} {REDACTED}").into()
}

/// The text in the place of a message, and after the kind of a value.
pub(super) const REDACTED: &str = "(redacted)";

/// Common names of the member with an error's message.
pub(crate) const MESSAGES: [&str; 3] = ["message", "Message", "errorMessage"];

/// The members of a service's answer that can have an error's message: botocore's, and those of other services.
const ERRORS: [&str; 2] = ["Error", "error"];

/// The name of a member, or `None` for a wildcard.
type Step = Option<Box<str>>;

/// The maximum number of members in a path to redact.
const MOST_STEPS: usize = 64;

/// The maximum number of paths to redact in one list.
const MOST_PATHS: usize = 10_000;

/// The maximum number of paths in all lists of a wait: those of the definition, of the model and of the options.
const MOST_OF_ALL: usize = 30_000;

/// A tree of paths to redact: `Credentials.SecretKey`, `Users[].Password`, `Secrets.*`.
#[derive(Default)]
struct Paths {
    members: Vec<(Step, Self)>,
    redacted: bool,
}

/// The rule for a path to redact.
const PATH: &str = "must be a path of member names such as `Credentials.SecretKey`, `Users[].Password` or `Secrets.*`";

impl Paths {
    /// Returns the nodes of a member, or of all members if `name` is `None`. A member has several if a path has a
    /// wildcard.
    fn members(&self, name: Option<&str>) -> Vec<&Self> {
        let is_of = |step: &Step| match (step, name) {
            // A wildcard on either side can be this member.
            (Some(step), Some(name)) => **step == *name,
            _ => true,
        };
        let members = self.members.iter().filter(|(step, _)| is_of(step));
        members.map(|(_, member)| member).collect()
    }

    /// Returns `true` if the messages of errors are redacted, by a path such as `message` or `Error.Message`.
    fn hides_messages(&self) -> bool {
        let below = ERRORS.iter().flat_map(|name| self.members(Some(name)));
        let hides = |node: &Self| {
            let messages = MESSAGES.iter().flat_map(|name| node.members(Some(name)));
            messages.into_iter().any(|member| member.redacted)
        };
        // A redacted root hides everything, and messages of errors may quote it.
        self.redacted || hides(self) || below.into_iter().any(hides)
    }

    /// Adds a path.
    ///
    /// # Errors
    ///
    /// Returns a message if `path` is not a path of member names.
    fn add(&mut self, path: &str) -> Result<(), String> {
        self.insert(&steps_of(path)?);
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

/// Returns the steps of a path, or a message if it is not a path of member names.
fn steps_of(path: &str) -> Result<Vec<Step>, String> {
    let invalid = || format!("{PATH}, got {}", quote(path));
    let expression = Expression::new(path, &mut Names::default());
    let expression = expression.map_err(|error| format!("{}: {error}", invalid()))?;
    let mut steps = Vec::new();
    push_steps(expression.root(), &mut steps).ok_or_else(invalid)?;
    if steps.len() > MOST_STEPS {
        return Err(invalid());
    }
    Ok(steps)
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Redaction, redacted_in_items};

    fn redaction(paths: &[&str]) -> Redaction {
        Redaction::new(&paths.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn more_paths_than_a_wait_can_have_hide_everything() {
        let response = json!({"s": 1});
        for (count, expected) in [
            (30_000, json!({"s": 1})),
            (30_001, "an object (redacted)".into()),
        ] {
            let paths = vec!["a"; count];
            assert_eq!(redaction(&paths).response(response.clone()), expected);
        }
    }

    #[test]
    fn the_members_of_an_error_are_hidden_at_any_depth() {
        let error = json!({"name": "E", "message": "boom", "token": "x", "response": {"data": {"keys": [{"token": "x", "id": 1}]}}});
        assert_eq!(
            redaction(&["token", "name"]).error(error),
            json!({"name": "E", "message": "boom", "token": "a string (redacted)", "response": {"data": {"keys": [
                {"token": "a string (redacted)", "id": 1}
            ]}}})
        );
    }

    #[test]
    fn a_path_to_the_message_in_the_answer_hides_that_of_the_error() {
        let error =
            json!({"name": "E", "message": "boom", "response": {"Error": {"Message": "boom"}}});
        for path in ["message", "Error.Message", "*.Message", "@"] {
            let hidden = redaction(&[path]).error(error.clone());
            assert_eq!(
                hidden,
                json!({"name": "E", "message": "(redacted)"}),
                "{path}"
            );
        }
        assert_eq!(redaction(&["Item.Message"]).error(error.clone()), error);
    }

    #[test]
    fn paths_begin_at_the_items_of_a_list() {
        let of_items = |path: &str| redacted_in_items(&[path.to_owned()], &["V", "W"]);
        let cases = [
            ("V[].W[].pw", r#""pw""#),
            ("V.*.\"a b\".*", r#""a b".*"#),
            ("V", "@"),
            ("V[].W", "@"),
            ("@", "@"),
            ("message", "message"),
        ];
        for (path, expected) in cases {
            assert_eq!(of_items(path), [expected], "{path}");
        }
        assert!(of_items("V.X.pw").is_empty());
    }
}
