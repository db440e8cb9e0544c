//! Services as botocore describes them: `service-2.json`, and beside it `waiters-2.json` and `paginators-1.json`.
//!
//! Together they make one Smithy model. Everything keeps its place in these files, so that events point there.

mod paginators;
mod service;
mod shapes;
mod tree;
mod uses;
mod waiters;

use rustc_hash::FxHashSet;

use crate::definitions::Definitions;
use crate::edition::Edition;
use crate::event::{Event, Severity};
use crate::json;
use crate::node::{Node, Value};
use crate::shape::Trait;
use crate::source::{At, File, Sources};
use crate::suggest;
use tree::Tree;
use uses::Uses;

/// The id of errors: a member that the format does not allow.
const INVALID: &str = "SmithyWaiters.Botocore";

/// The id of notes about translations that match only nearly the same.
const APPROXIMATE: &str = "SmithyWaiters.Botocore.Approximate";

/// The id of warnings about waiters and paginators that Smithy cannot express; the model lacks them.
const NOT_EXPRESSIBLE: &str = "SmithyWaiters.Botocore.NotExpressible";

/// The three files that are read of a service.
const SERVICE: &str = "service-2.json";
const WAITERS: &str = "waiters-2.json";
const PAGINATORS: &str = "paginators-1.json";

/// Returns `true` for a name of one of the three files.
pub(crate) fn is_part(name: &str) -> bool {
    folder(name).is_some()
}

/// The folder of one of the three files, with the separator at its end, and the file's own name.
fn folder(name: &str) -> Option<(&str, &str)> {
    let start = name
        .rfind(['/', '\\'])
        .map_or(0, |end| end.saturating_add(1));
    let (folder, file) = name.split_at_checked(start)?;
    [SERVICE, WAITERS, PAGINATORS]
        .contains(&file)
        .then_some((folder, file))
}

/// Reads one of the three files: nothing for a file of another name. The service's file brings the other two along.
pub(crate) fn read<'a>(file: &'a File, sources: &'a Sources) -> Option<Definitions<'a>> {
    let (folder, name) = folder(file.name())?;
    let beside = |name: &str| {
        let files = sources.files().iter();
        let mut files = files.filter(move |other| other.name().strip_prefix(folder) == Some(name));
        files.next()
    };
    let mut reader = Reader::new(sources);
    if name == SERVICE {
        if let Some(service) = reader.parse(file) {
            let waiters = beside(WAITERS).and_then(|file| reader.parse(file));
            let paginators = beside(PAGINATORS).and_then(|file| reader.parse(file));
            reader.service(&service, waiters, paginators);
        }
    } else if beside(SERVICE).is_none() {
        let message = format!("`{name}` needs the `{SERVICE}` of its folder");
        reader.problem(INVALID, Severity::Error, file.at(0), message);
    }
    Some(reader.definitions)
}

struct Reader<'a> {
    sources: &'a Sources,
    tree: Tree<'a>,
    /// What ids begin with: `com.amazonaws.dynamodb`.
    namespace: String,
    /// The names of the operations: a shape may not have the same.
    operations: FxHashSet<&'a str>,
    /// How shapes are used.
    uses: Uses<'a>,
    definitions: Definitions<'a>,
}

impl<'a> Reader<'a> {
    fn new(sources: &'a Sources) -> Self {
        Self {
            sources,
            tree: Tree::new(sources.arena()),
            namespace: String::new(),
            operations: FxHashSet::default(),
            uses: Uses::default(),
            definitions: Definitions {
                edition: Edition::Two,
                ..Definitions::default()
            },
        }
    }

    fn parse<'p>(&mut self, file: &'a File) -> Option<Place<'p, 'a>> {
        let events = &mut self.definitions.events;
        match json::read(file, self.sources.arena(), events, false) {
            Ok(node) => Some(Place::whole(node)),
            Err(event) => {
                events.push(*event);
                None
            }
        }
    }

    /// A member that must be there and of a kind, else an error.
    fn needed<'p, T>(
        &mut self,
        parent: &'p Place<'p, 'a>,
        name: &'p str,
        expected: &str,
        read: impl FnOnce(&Node<'a>) -> Option<T>,
    ) -> Option<(Place<'p, 'a>, T)> {
        let place = parent.member(name);
        let found = place.as_ref().and_then(|place| read(&place.node));
        if let (Some(place), Some(found)) = (place, found) {
            return Some((place, found));
        }
        let (at, found) = match place {
            Some(place) => (place.node.at, shown(&place.node)),
            None => (parent.node.at, "nothing".to_owned()),
        };
        let member = parent.path(name);
        let message = format!("`{member}` must be {expected}, got {found}");
        self.problem(INVALID, Severity::Error, at, message);
        None
    }

    fn text<'p>(&mut self, parent: &'p Place<'p, 'a>, name: &'p str) -> Option<&'a str> {
        let (_, text) = self.needed(parent, name, "a string", Node::as_str)?;
        Some(text)
    }

    fn object<'p>(&mut self, parent: &'p Place<'p, 'a>, name: &'p str) -> Option<Place<'p, 'a>> {
        let is_object = |node: &Node<'a>| matches!(node.value, Value::Object(_)).then_some(());
        let (place, ()) = self.needed(parent, name, "an object", is_object)?;
        Some(place)
    }

    /// A whole number from 1, as it is written.
    fn positive<'p>(
        &mut self,
        parent: &'p Place<'p, 'a>,
        name: &'p str,
    ) -> Option<(Node<'a>, u32)> {
        let whole = |node: &Node<'a>| match node.value {
            Value::Number(text) => text.parse().ok().filter(|number| *number > 0),
            _ => None,
        };
        let (place, number) = self.needed(parent, name, "a whole number from 1", whole)?;
        Some((place.node, number))
    }

    /// The absolute id of a shape. An operation of the same name has it already.
    fn shape_id(&self, name: &str) -> &'a str {
        let namespace = &self.namespace;
        let mark = if self.operations.contains(name) {
            "Shape"
        } else {
            ""
        };
        self.tree.text(&format!("{namespace}#{name}{mark}"))
    }

    fn operation_id(&self, name: &str) -> &'a str {
        self.tree.text(&format!("{}#{name}", self.namespace))
    }

    /// The traits that anything may have: its documentation, and that it is deprecated.
    fn common_traits(&self, node: &Node<'a>) -> Vec<Trait<'a>> {
        let mut traits = Vec::new();
        let documentation = node.member("documentation");
        if let Some(documentation) = documentation.filter(|_| self.sources.is_documented()) {
            traits.push(applied("smithy.api#documentation", documentation));
        }
        if let Some(at) = flag(node, "deprecated") {
            let named = [
                ("message", "deprecatedMessage"),
                ("since", "deprecatedSince"),
            ];
            let members = named.map(|(name, key)| Some((name, node.member(key)?)));
            let value = self.tree.object(at, members.into_iter().flatten());
            traits.push(applied("smithy.api#deprecated", value));
        }
        traits
    }

    /// A trait without a value for each member that is `true`.
    fn flags(&self, node: &Node<'a>, known: &[(&str, &'static str)]) -> Vec<Trait<'a>> {
        let applied = |(key, id): &(&str, &'static str)| {
            let at = flag(node, key)?;
            Some(applied(id, self.tree.object(at, [])))
        };
        known.iter().filter_map(applied).collect()
    }

    fn problem(&mut self, id: &str, severity: Severity, at: At, message: String) {
        let event = Event::new(severity, id, message).at(at);
        self.definitions.events.push(event);
    }
}

/// A value and the members that lead to it, for messages.
#[derive(Clone, Copy)]
struct Place<'p, 'a> {
    node: Node<'a>,
    name: &'p str,
    parent: Option<&'p Self>,
}

impl<'p, 'a> Place<'p, 'a> {
    const fn whole(node: Node<'a>) -> Self {
        let name = "";
        Self {
            node,
            name,
            parent: None,
        }
    }

    fn member(&'p self, name: &'p str) -> Option<Self> {
        let parent = Some(self);
        let node = self.node.member(name)?;
        Some(Self { node, name, parent })
    }

    fn members(&'p self) -> impl Iterator<Item = Self> {
        let parent = Some(self);
        self.node.entries().iter().map(move |entry| Self {
            node: entry.value,
            name: entry.key,
            parent,
        })
    }

    fn own_path(&self) -> String {
        let parent = self.parent;
        parent.map_or_else(String::new, |parent| parent.path(self.name))
    }

    /// How to reach a member, by its names from the top.
    fn path(&self, member: &str) -> String {
        match self.parent {
            Some(parent) => format!("{}.{member}", parent.path(self.name)),
            None => member.to_owned(),
        }
    }
}

const fn applied<'a>(id: &'static str, value: Node<'a>) -> Trait<'a> {
    Trait {
        id,
        at: value.at,
        value,
        inherited: false,
    }
}

/// The place of a member that is `true`.
fn flag(node: &Node<'_>, name: &str) -> Option<At> {
    let value = node.member(name)?;
    value.as_bool()?.then_some(value.at)
}

/// A value as messages show it.
fn shown(node: &Node<'_>) -> String {
    match node.value {
        Value::Boolean(value) => format!("`{value}`"),
        Value::Number(text) => format!("`{text}`"),
        Value::String(text) => suggest::quoted(text),
        _ => node.kind().to_owned(),
    }
}
