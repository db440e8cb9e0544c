//! The graph of shapes and members, by their references.
//!
//! Clause: [neighbors](https://smithy.io/2.0/spec/selectors.html#neighbors).

use std::cell::OnceCell;

use rustc_hash::FxHashMap;

use crate::shapes::{Member, Model, Shape, Trait, UNIT, Value};

/// The relations of which there are names.
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

/// The properties of which every value is the id of a shape, and what the relation to it is called.
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

/// A shape, or a member of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'m, 'a> {
    pub(crate) shape: &'m Shape<'a>,
    pub(crate) member: Option<&'m Member<'a>>,
}

/// What tells places apart.
type Key<'a> = (&'a str, Option<&'a str>);

/// A neighbour, and the relation's name if it has one.
type Neighbour<'m, 'a> = (&'static str, Place<'m, 'a>);

/// What the shapes of a model refer to.
#[derive(Debug)]
pub(crate) struct Graph<'m, 'a> {
    model: &'m Model<'a>,
    /// What refers to each shape: few selectors ask for that.
    reverse: OnceCell<FxHashMap<&'a str, Vec<Neighbour<'m, 'a>>>>,
}

impl<'m, 'a> Place<'m, 'a> {
    /// The absolute id.
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
    pub(crate) const fn of(model: &'m Model<'a>) -> Self {
        let reverse = OnceCell::new();
        Self { model, reverse }
    }

    /// How many shapes there are.
    pub(super) fn size(&self) -> usize {
        self.model.all().len()
    }

    /// The shapes that one refers to, or, the other way, those that refer to it.
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
            (false, None) => self.each(shape, add),
            (true, Some(_)) => add(("member", whole(shape))),
            (true, None) => {
                let reverse = self.reverse.get_or_init(|| self.reverse_neighbours());
                let from = reverse.get(shape.id).into_iter().flatten();
                from.copied().for_each(add);
            }
        }
        found
    }

    /// What a shape refers to.
    fn each(&self, shape: &'m Shape<'a>, mut add: impl FnMut(Neighbour<'m, 'a>)) {
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
                // No input or output is no neighbour.
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

    /// What refers to each shape. What a member is of it knows itself.
    fn reverse_neighbours(&self) -> FxHashMap<&'a str, Vec<Neighbour<'m, 'a>>> {
        let mut turned: FxHashMap<&str, Vec<Neighbour<'m, 'a>>> = FxHashMap::default();
        for shape in self.model.all() {
            self.each(shape, |(relation, to)| match to.member {
                Some(member) => turned.entry(member.target).or_default().push(("", to)),
                None => {
                    let from = turned.entry(to.shape.id).or_default();
                    from.push((relation, whole(shape)));
                }
            });
        }
        turned
    }
}

const fn whole<'m, 'a>(shape: &'m Shape<'a>) -> Place<'m, 'a> {
    Place {
        shape,
        member: None,
    }
}
