//! Compares models before and after fixes.

use crate::shapes::{Entry, Member, Model, Node, Shape, Trait, Value, id};

/// Returns `true` if two models differ only in what fixes change: the case of letters in traits, elements removed from
/// lists, and the namespaces of traits.
pub(super) fn is_same(before: &Model<'_>, after: &Model<'_>) -> bool {
    all(before.metadata(), after.metadata(), is_equal_entry)
        && all(before.shapes(), after.shapes(), is_same_shape)
}

fn all<T>(before: &[T], after: &[T], is_same: impl Fn(&T, &T) -> bool) -> bool {
    let mut pairs = before.iter().zip(after);
    before.len() == after.len() && pairs.all(|(before, after)| is_same(before, after))
}

fn is_same_shape(before: &Shape<'_>, after: &Shape<'_>) -> bool {
    (before.id, before.kind) == (after.id, after.kind)
        && all(&before.mixins, &after.mixins, |one, two| one.id == two.id)
        && all(&before.members, &after.members, is_same_member)
        && all(&before.traits, &after.traits, is_same_trait)
        && all(&before.properties, &after.properties, is_equal_entry)
}

fn is_same_member(before: &Member<'_>, after: &Member<'_>) -> bool {
    (before.name, before.target) == (after.name, after.target)
        && all(&before.traits, &after.traits, is_same_trait)
}

/// A `use` changes the namespace of a trait but not its name.
fn is_same_trait(before: &Trait<'_>, after: &Trait<'_>) -> bool {
    id::name(before.id) == id::name(after.id) && is_same_value(&before.value, &after.value)
}

fn is_same_value(before: &Node<'_>, after: &Node<'_>) -> bool {
    match (before.value, after.value) {
        (Value::Array(before), Value::Array(after)) => is_sublist(before, after),
        (Value::Object(before), Value::Object(after)) => all(before, after, is_same_entry),
        (Value::String(before), Value::String(after)) => before.eq_ignore_ascii_case(after),
        _ => before == after,
    }
}

fn is_equal_entry(before: &Entry<'_>, after: &Entry<'_>) -> bool {
    before.key == after.key && before.value == after.value
}

fn is_same_entry(before: &Entry<'_>, after: &Entry<'_>) -> bool {
    before.key == after.key && is_same_value(&before.value, &after.value)
}

/// Returns `true` if `after` is `before` without some elements. A list must not become empty.
fn is_sublist(before: &[Node<'_>], after: &[Node<'_>]) -> bool {
    let mut before_left = before.iter();
    let mut is_there = |after| before_left.any(|before| is_same_value(before, after));
    after.iter().all(&mut is_there) && after.is_empty() == before.is_empty()
}

#[cfg(test)]
mod tests {
    use super::is_same;
    use crate::{Sources, read};

    const MODEL: &str = "$version: \"2\"\nmetadata a = 1\nnamespace ns\n@mixin structure M {}\n\
                         @documentation(\"Text\") @tags([\"a\", \"b\"]) structure S with [M] { @required one: String, two: String }\n";

    #[test]
    fn a_fix_changes_letters_and_namespaces_of_traits_and_removes_elements() {
        let mut sources = Sources::default();
        sources.add("a.smithy", MODEL);
        let before = read(&sources);
        for (old, new, expected) in [
            ("ns", "ns", true),
            ("\"Text\"", "\"TEXT\"", true),
            ("@required", "@other.ns#required", true),
            ("[\"a\", \"b\"]", "[\"b\"]", true),
            ("\"Text\"", "\"Next\"", false),
            ("@required", "@sparse", false),
            ("[\"a\", \"b\"]", "[]", false),
            ("[\"a\", \"b\"]", "[\"c\"]", false),
            ("[\"a\", \"b\"]", "[\"b\", \"a\"]", false),
            ("a = 1", "a = 2", false),
            ("metadata a", "metadata b", false),
            ("structure S", "union S", false),
            ("structure S", "structure T", false),
            (" with [M]", "", false),
            ("two: String", "two: Integer", false),
            ("two: String", "three: String", false),
            (", two: String", "", false),
        ] {
            let mut sources = Sources::default();
            sources.add("a.smithy", MODEL.replace(old, new));
            assert_eq!(is_same(&before, &read(&sources)), expected, "{old} {new}");
        }
    }
}
