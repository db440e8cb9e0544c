//! Partitions texts into independent models.
//!
//! Texts in JSON AST contain absolute ids only, so their references are known without reading other texts. Texts in IDL
//! can refer to names of other files, so all of them stay in one model.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::text::Text;
use super::{botocore, severity_rules};
use crate::severity::SeverityRule;
use crate::shapes::{Entry, Value, id};
use crate::source::Sources;

/// Metadata whose list elements are independent of each other.
const RULES: [&str; 2] = ["severityOverrides", "suppressions"];

/// The parts of a text that determine its group. It is small and does not borrow from the text.
///
/// # Example: two independent services
///
/// ```
/// use smithy_waiters_model::{Outline, partition};
///
/// let of = |service: &str| {
///     let shape = format!("{{\"example.{service}#Thing\": {{\"type\": \"structure\"}}}}");
///     Outline::of(service, format!("{{\"smithy\": \"2.0\", \"shapes\": {shape}}}"))
/// };
/// assert_eq!(partition(&[of("one"), of("two"), of("one")]), [vec![0, 2], vec![1]]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Outline {
    is_idl: bool,
    /// The namespaces of the shapes that the text defines.
    defines: BTreeSet<String>,
    /// All namespaces that occur in the text.
    names: BTreeSet<String>,
    /// The metadata keys that must have one value in a model.
    metadata: BTreeSet<String>,
    rules: Vec<SeverityRule>,
}

impl Outline {
    /// Creates the outline of a text. `name` determines the format, see [`Sources::add`].
    #[must_use]
    pub fn of(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut sources = Sources::without_documentation();
        let _ = sources.add(name, text);
        let mut outline = Self::default();
        if let [file] = sources.files() {
            outline.is_idl = file.is_idl() || botocore::is_part(file.name());
            outline.names = namespaces_in(file.text());
            let definitions = Text::read(file, &sources).definitions;
            let ids = definitions.shapes.iter().map(|shape| shape.id);
            let namespaces: BTreeSet<&str> = ids.map(id::namespace).collect();
            outline.defines = namespaces.into_iter().map(str::to_owned).collect();
            for entry in &definitions.metadata {
                outline.entry(entry);
            }
        }
        outline
    }

    fn entry(&mut self, entry: &Entry<'_>) {
        let is_listed = matches!(entry.value.value, Value::Array(_));
        if !(is_listed && RULES.contains(&entry.key)) {
            self.metadata.insert(entry.key.to_owned());
            return;
        }
        let is_override = entry.key == "severityOverrides";
        let rules = entry.value.elements().iter();
        self.rules
            .extend(rules.filter_map(|node| severity_rules::rule(node, is_override)));
    }
}

impl Sources {
    /// Adds the suppressions and severity overrides of a text in another group, see [`partition`](crate::partition()).
    pub fn follow(&mut self, outline: &Outline) {
        self.extend_rules(&outline.rules);
    }
}

/// Groups texts that belong to one model. Returns the indices of the texts in each group.
///
/// A suppression can apply to shapes in other groups. To get the same events as for one large model, pass the outlines
/// of all other texts to [`Sources::follow`].
#[must_use]
pub fn partition(outlines: &[Outline]) -> Vec<Vec<usize>> {
    let mut groups = Groups((0..outlines.len()).collect());
    let mut defined: FxHashMap<&str, usize> = FxHashMap::default();
    let mut metadata: FxHashMap<&str, usize> = FxHashMap::default();
    let mut idl = None;
    for (place, outline) in outlines.iter().enumerate() {
        if outline.is_idl {
            groups.join(*idl.get_or_insert(place), place);
        }
        for namespace in &outline.defines {
            groups.join(*defined.entry(namespace).or_insert(place), place);
        }
        for key in &outline.metadata {
            groups.join(*metadata.entry(key).or_insert(place), place);
        }
    }
    for (place, outline) in outlines.iter().enumerate() {
        for namespace in &outline.names {
            if let Some(other) = defined.get(namespace.as_str()) {
                groups.join(*other, place);
            }
        }
    }
    groups.all()
}

/// A union-find structure: each index refers to the first index of its group, or to one that leads there.
struct Groups(Vec<usize>);

impl Groups {
    fn first(&self, place: usize) -> usize {
        let mut first = place;
        while let Some(before) = self.0.get(first).filter(|before| **before != first) {
            first = *before;
        }
        first
    }

    fn join(&mut self, one: usize, two: usize) {
        let (one, two) = (self.first(one), self.first(two));
        if let Some(group) = self.0.get_mut(one.max(two)) {
            *group = one.min(two);
        }
    }

    fn all(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut places = FxHashMap::default();
        for place in 0..self.0.len() {
            let group = *places.entry(self.first(place)).or_insert(groups.len());
            match groups.get_mut(group) {
                Some(known) => known.push(place),
                None => groups.push(vec![place]),
            }
        }
        groups
    }
}

/// Returns the namespaces before each `#` in a text.
fn namespaces_in(text: &str) -> BTreeSet<String> {
    let mut namespaces: BTreeSet<&str> = BTreeSet::new();
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    for (at, _) in text.match_indices('#') {
        let before = text.as_bytes().get(..at).unwrap_or_default();
        let length = before.iter().rev().take_while(|byte| is_part(byte)).count();
        namespaces.extend(text.get(at.saturating_sub(length)..at));
    }
    namespaces.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ast(namespace: &str, rest: &str) -> Outline {
        let text = format!(
            r#"{{"smithy": "2.0", {rest} "shapes": {{"{namespace}#S": {{"type": "string"}}}}}}"#
        );
        Outline::of("a.json", text)
    }

    #[test]
    fn texts_with_references_are_one_model() {
        let third = Outline::of(
            "c.json",
            r#"{"smithy": "2.0", "shapes": {"c#L": {"type": "list", "member": {"target": "a#S"}}}}"#,
        );
        let outlines = [ast("a", ""), ast("b", ""), third, ast("b", "")];
        assert_eq!(partition(&outlines), [vec![0, 2], vec![1, 3]]);
    }

    #[test]
    fn texts_with_the_same_metadata_key_are_one_model() {
        let (one, two) = (r#""metadata": {"x": 1},"#, r#""metadata": {"x": 2},"#);
        let outlines = [ast("a", one), ast("b", ""), ast("c", two)];
        assert_eq!(partition(&outlines), [vec![0, 2], vec![1]]);
        let rules = r#""metadata": {"suppressions": [{"id": "X", "namespace": "*"}]},"#;
        let outlines = [ast("a", rules), ast("b", rules)];
        assert_eq!(partition(&outlines), [vec![0], vec![1]]);
        assert_eq!(outlines[0].rules.len(), 1);
    }

    #[test]
    fn texts_of_idl_are_one_model() {
        let idl = |namespace: &str| {
            let text = format!("$version: \"2\"\nnamespace {namespace}\nstring S\n");
            Outline::of("a.smithy", text)
        };
        let outlines = [idl("a"), ast("b", ""), idl("c"), ast("c", "")];
        assert_eq!(partition(&outlines), [vec![0, 2, 3], vec![1]]);
    }

    #[test]
    fn groups_that_meet_are_one() {
        // Each text refers to the namespaces after its own.
        let of = |names: &&str| {
            let (own, others) = names.split_at(1);
            let members = others
                .chars()
                .map(|other| format!("\"{other}\": {{\"target\": \"{other}#S\"}}"));
            let members = members.collect::<Vec<_>>().join(", ");
            let shape = format!("{{\"type\": \"structure\", \"members\": {{{members}}}}}");
            Outline::of(
                "a.json",
                format!("{{\"smithy\": \"2.0\", \"shapes\": {{\"{own}#S\": {shape}}}}}"),
            )
        };
        for (texts, expected) in [
            (&["a", "b", "c", "d"][..], &[&[0][..], &[1], &[2], &[3]][..]),
            (&["a", "bc", "cd", "da"], &[&[0, 1, 2, 3]]),
            (&["ac", "bd", "c", "d"], &[&[0, 2], &[1, 3]]),
            (&["a", "b", "c", "dcb", "ea"], &[&[0, 4], &[1, 2, 3]]),
        ] {
            let outlines: Vec<Outline> = texts.iter().map(of).collect();
            assert_eq!(partition(&outlines), expected, "{texts:?}");
        }
    }

    #[test]
    fn an_outline_has_what_leads_to_other_texts() {
        let text = r#"{"smithy": "2.0", "metadata": {
            "x": 1,
            "suppressions": [{"id": "A", "namespace": "a"}, {"id": "B"}],
            "severityOverrides": [{"id": "C", "namespace": "*", "severity": "WARNING"}],
            "validators": []
        }, "shapes": {"a.b_1#S": {"type": "list", "member": {"target": "-c#T"}}}}"#;
        let rule = |id: &str, namespace: &str, severity| SeverityRule {
            id: id.to_owned(),
            namespace: namespace.to_owned(),
            severity,
        };
        let set = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<BTreeSet<_>>()
        };
        let outline = Outline::of("a.json", text);
        assert!(!outline.is_idl);
        assert_eq!(outline.defines, set(&["a.b_1"]));
        assert_eq!(outline.names, set(&["a.b_1", "c"]));
        assert_eq!(outline.metadata, set(&["validators", "x"]));
        let rules = [
            rule("A", "a", None),
            rule("C", "*", Some(crate::Severity::Warning)),
        ];
        assert_eq!(outline.rules, rules);
        assert!(Outline::of("a/waiters-2.json", "{}").is_idl);
    }

    #[test]
    fn an_unreadable_text_has_its_own_group() {
        let broken = Outline::of("b.json", "{");
        assert_eq!(partition(&[ast("a", ""), broken]), [vec![0], vec![1]]);
        assert_eq!(partition(&[]), Vec::<Vec<usize>>::new());
    }
}
