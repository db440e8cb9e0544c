//! The graph of shapes and members.
//!
//! Clause: [neighbors](https://smithy.io/2.0/spec/selectors.html#neighbors).

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::shapes::{Member, Model, Shape, Trait, UNIT, Value};

/// The names of relations.
pub(super) const RELATIONS: [&str; 18] = [
    "collectionOperation",
    "create",
    "delete",
    "error",
    "identifier",
    "input",
    "instanceOperation",
    "list",
    "member",
    "mixin",
    "operation",
    "output",
    "property",
    "put",
    "read",
    "resource",
    "trait",
    "update",
];

/// The properties that refer to shapes, and the names of the relations.
const LISTS: [(&str, &str); 4] = [
    ("operations", "operation"),
    ("collectionOperations", "collectionOperation"),
    ("resources", "resource"),
    ("errors", "error"),
];
const ONES: [&str; 8] = [
    "input", "output", "create", "put", "read", "update", "delete", "list",
];
const OBJECTS: [(&str, &str); 2] = [("identifiers", "identifier"), ("properties", "property")];

/// A shape or a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'m, 'a> {
    pub(crate) shape: &'m Shape<'a>,
    pub(crate) member: Option<&'m Member<'a>>,
}

/// A key for comparing places.
type Key<'a> = (&'a str, Option<&'a str>);

/// A neighbour and the name of the relation. The relation of a member to its target has no name.
type Neighbour<'m, 'a> = (&'static str, Place<'m, 'a>);

/// The references between the shapes of a model.
#[derive(Debug)]
pub(crate) struct Graph<'m, 'a> {
    model: &'m Model<'a>,
    /// The references to each shape. Built on demand, because few selectors need it.
    reverse: OnceCell<FxHashMap<&'a str, Vec<Neighbour<'m, 'a>>>>,
}

impl<'m, 'a> Place<'m, 'a> {
    /// Returns the absolute id.
    pub(crate) fn id(&self) -> String {
        match self.member {
            Some(member) => format!("{}${}", self.shape.id, member.name),
            None => self.shape.id.to_owned(),
        }
    }

    pub(crate) fn traits(&self) -> &'m [Trait<'a>] {
        match self.member {
            Some(member) => &member.traits,
            None => &self.shape.traits,
        }
    }

    pub(super) fn key(&self) -> Key<'a> {
        (self.shape.id, self.member.map(|member| member.name))
    }
}

impl<'m, 'a> Graph<'m, 'a> {
    pub(crate) const fn new(model: &'m Model<'a>) -> Self {
        let reverse = OnceCell::new();
        Self { model, reverse }
    }

    /// Returns the number of shapes.
    pub(super) fn size(&self) -> usize {
        self.model.all().len()
    }

    /// Returns the shapes that a place refers to, or with `reverse` those that refer to it. A non-empty `by` limits the
    /// relations.
    pub(super) fn neighbours(
        &self,
        place: Place<'m, 'a>,
        reverse: bool,
        by: &[String],
    ) -> Vec<Place<'m, 'a>> {
        let mut found = Vec::new();
        let mut add = |(relation, to): Neighbour<'m, 'a>| {
            if by.is_empty() || by.iter().any(|by| by == relation) {
                found.push(to);
            }
        };
        let Place { shape, member } = place;
        match (reverse, member) {
            (false, Some(member)) => {
                if let Some(shape) = self.model.shape(member.target) {
                    add(("", whole(shape)));
                }
            }
            (false, None) => self.for_each_neighbour(shape, add),
            (true, Some(_)) => add(("member", whole(shape))),
            (true, None) => {
                let reverse = self.reverse.get_or_init(|| self.reverse_neighbours());
                let from = reverse.get(shape.id).into_iter().flatten();
                from.copied().for_each(add);
            }
        }
        found
    }

    /// Calls `add` for each neighbour of a shape.
    fn for_each_neighbour(&self, shape: &'m Shape<'a>, mut add: impl FnMut(Neighbour<'m, 'a>)) {
        for member in &shape.members {
            let member = Some(member);
            add(("member", Place { shape, member }));
        }
        let mut add_id = |relation: &'static str, id: Option<&str>| {
            if let Some(shape) = id.and_then(|id| self.model.shape(id)) {
                add((relation, whole(shape)));
            }
        };
        for mixin in &shape.mixins {
            add_id("mixin", Some(mixin.id));
        }
        for entry in &shape.properties {
            if let Some(one) = ONES.iter().find(|one| **one == entry.key) {
                let target = entry.value.member("target").and_then(|id| id.as_str());
                // In Smithy, the unit shape for an absent input or output is not a neighbour.
                add_id(one, target.filter(|id| *id != UNIT));
            }
            let relation = |known: &[(&str, &'static str)]| {
                let known = known.iter().find(|(property, _)| *property == entry.key);
                known.map(|(_, relation)| *relation)
            };
            match entry.value.value {
                Value::Array(nodes) => {
                    for (relation, node) in relation(&LISTS)
                        .into_iter()
                        .flat_map(|relation| nodes.iter().map(move |node| (relation, node)))
                    {
                        add_id(relation, node.member("target").and_then(|id| id.as_str()));
                    }
                }
                Value::Object(entries) => {
                    for (relation, entry) in relation(&OBJECTS)
                        .into_iter()
                        .flat_map(|relation| entries.iter().map(move |entry| (relation, entry)))
                    {
                        let target = entry.value.member("target");
                        add_id(relation, target.and_then(|id| id.as_str()));
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the references to each shape. Those to members are not included, because a member has only its
    /// container.
    fn reverse_neighbours(&self) -> FxHashMap<&'a str, Vec<Neighbour<'m, 'a>>> {
        let mut reverse: FxHashMap<&str, Vec<Neighbour<'m, 'a>>> = FxHashMap::default();
        for shape in self.model.all() {
            self.for_each_neighbour(shape, |(relation, to)| match to.member {
                Some(member) => reverse.entry(member.target).or_default().push(("", to)),
                None => {
                    let from = reverse.entry(to.shape.id).or_default();
                    from.push((relation, whole(shape)));
                }
            });
        }
        reverse
    }
}

const fn whole<'m, 'a>(shape: &'m Shape<'a>) -> Place<'m, 'a> {
    Place {
        shape,
        member: None,
    }
}
