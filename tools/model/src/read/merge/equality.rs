//! Compares two definitions of a shape without their traits.

use crate::shapes::{Kind, Member, Node, Shape, UNIT, Value};

const ENUM_VALUE: &str = "smithy.api#enumValue";

/// Properties that list ids in no particular order.
const SETS: [&str; 3] = ["collectionOperations", "operations", "resources"];

/// Returns `true` if two definitions of a shape are equivalent.
pub(super) fn is_equal(one: &Shape<'_>, two: &Shape<'_>) -> bool {
    let mut mixins = one.mixins.iter().zip(&two.mixins);
    one.kind == two.kind
        && one.members.len() == two.members.len()
        && one.members.iter().zip(&two.members).all(are_equal_members)
        && has_properties(one, two)
        && has_properties(two, one)
        && one.mixins.len() == two.mixins.len()
        && mixins.all(|(one, two)| one.id == two.id)
}

fn are_equal_members((one, two): (&Member<'_>, &Member<'_>)) -> bool {
    one.name == two.name && one.target == two.target && enum_value(one) == enum_value(two)
}

fn enum_value<'a>(member: &Member<'a>) -> Option<Node<'a>> {
    let applied = member.find_trait(ENUM_VALUE)?;
    Some(applied.value)
}

/// Returns `true` if `shape` has all properties of `other`. An operation without `input` or `output` is equal to one
/// with the unit shape.
fn has_properties(shape: &Shape<'_>, other: &Shape<'_>) -> bool {
    other.properties.iter().all(|entry| {
        if matches!(entry.key, "input" | "output") && other.kind == Kind::Operation {
            let one = shape.reference(entry.key).unwrap_or(UNIT);
            let two = other.reference(entry.key).unwrap_or(UNIT);
            return one == two;
        }
        if SETS.contains(&entry.key) {
            return sorted_ids(shape, entry.key) == sorted_ids(other, entry.key);
        }
        match shape.property(entry.key) {
            Some(value) => value == entry.value,
            None => is_empty(&entry.value),
        }
    })
}

fn sorted_ids<'a>(shape: &Shape<'a>, property: &str) -> Vec<&'a str> {
    let mut listed: Vec<&str> = shape.references(property).collect();
    listed.sort_unstable();
    listed
}

const fn is_empty(node: &Node<'_>) -> bool {
    match node.value {
        Value::Array(elements) => elements.is_empty(),
        Value::Object(entries) => entries.is_empty(),
        _ => false,
    }
}
