//! Validates strings that are ids of shapes.
//!
//! Clause: [`idRef` trait](https://smithy.io/2.0/spec/constraint-traits.html#idref-trait).

use super::check::Check;
use crate::selector::{self, Place};
use crate::shapes::{Node, id};

impl<'m, 'a> Check<'m, 'a, '_> {
    /// Returns a message if a string is not the id of a shape, the shape is missing, or the selector excludes it.
    pub(super) fn reference(&self, node: &Node<'_>, rule: &Node<'_>) -> Option<String> {
        let named = node.as_str()?;
        let text = |name| rule.member(name).and_then(|node| node.as_str());
        let problem = if is_absolute(named) {
            let must_be = rule.member("failWhenMissing");
            let must_be = must_be.and_then(|node| node.as_bool()) == Some(true);
            match self.place(named) {
                Some(place) => self.is_other(place, text("selector")?),
                None => {
                    (must_be && self.is_known(named)).then(|| format!("unknown shape `{named}`"))
                }
            }
        } else {
            Some(format!(
                "expected a shape id, `namespace#Name`, found `{named}`"
            ))
        };
        problem.map(|problem| text("errorMessage").map_or(problem, str::to_owned))
    }

    fn place(&self, named: &str) -> Option<Place<'m, 'a>> {
        let shape = self.model.shape(id::shape(named))?;
        let member = match id::member(named) {
            Some(member) => Some(shape.member(member)?),
            None => None,
        };
        Some(Place { shape, member })
    }

    fn is_other(&self, place: Place<'m, 'a>, selector: &str) -> Option<String> {
        let parsed = selector::parse(selector)?;
        let is_other = self.selection.selects(&parsed, place) == Some(false);
        is_other.then(|| {
            format!(
                "expected a shape that matches `{selector}`, found `{}`",
                place.id()
            )
        })
    }

    /// Returns `true` if the model has a shape in the namespace. Otherwise the id belongs to a library that is not
    /// among the texts.
    fn is_known(&self, named: &str) -> bool {
        let namespace = id::namespace(named);
        let mut shapes = self.model.shapes().iter();
        shapes.any(|shape| id::namespace(shape.id) == namespace)
    }
}

/// Returns `true` if a text is the absolute id of a shape or a member.
fn is_absolute(text: &str) -> bool {
    let Some((namespace, name)) = text.split_once('#') else {
        return false;
    };
    let (name, member) = name
        .split_once('$')
        .map_or((name, None), |(name, member)| (name, Some(member)));
    namespace.split('.').all(is_identifier)
        && is_identifier(name)
        && member.is_none_or(is_identifier)
}

fn is_identifier(text: &str) -> bool {
    let named = text.trim_start_matches('_');
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let starts = if named.len() < text.len() {
        named.starts_with(|first: char| first.is_ascii_alphanumeric())
    } else {
        named.starts_with(|first: char| first.is_ascii_alphabetic())
    };
    starts && named.chars().all(is_part)
}
