//! Counts the uses of shapes. Smithy applies some traits to a shape that botocore declares at each use.

use rustc_hash::{FxHashMap, FxHashSet};

use super::values::{flag, reference_name};
use crate::shapes::Node;

#[derive(Default)]
pub(super) struct Uses<'a> {
    /// The number of references to each shape.
    counts: FxHashMap<&'a str, usize>,
    inputs: FxHashSet<&'a str>,
    outputs: FxHashSet<&'a str>,
    /// The shapes that are the target of a streaming member.
    streamed: FxHashSet<&'a str>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(operations: &Node<'a>, shapes: &Node<'a>) -> Self {
        let mut uses = Self::default();
        for operation in operations.entries() {
            let side = |side: &str| operation.value.member(side);
            let (input, output) = (uses.add(side("input")), uses.add(side("output")));
            uses.inputs.extend(input);
            uses.outputs.extend(output);
            for error in side("errors").iter().flat_map(|errors| errors.elements()) {
                uses.add(Some(*error));
            }
        }
        for shape in shapes.entries() {
            let members = shape.value.member("members");
            let members = members.map_or(&[][..], |members| members.entries());
            let fixed = ["member", "key", "value"].map(|name| shape.value.member(name));
            let members = members.iter().map(|entry| entry.value);
            for member in members.chain(fixed.into_iter().flatten()) {
                let target = uses.add(Some(member));
                let streams = flag(&member, "streaming").is_some();
                uses.streamed.extend(target.filter(|_| streams));
            }
        }
        uses
    }

    fn add(&mut self, reference: Option<Node<'a>>) -> Option<&'a str> {
        let name = reference_name(&reference?)?;
        let count = self.counts.entry(name).or_default();
        *count = count.saturating_add(1);
        Some(name)
    }

    /// Returns the trait for a structure that is the input or output of one operation and has no other use.
    pub(super) fn side(&self, shape: &str) -> Option<&'static str> {
        let is_alone = self.counts.get(shape) == Some(&1);
        match (
            is_alone,
            self.inputs.contains(shape),
            self.outputs.contains(shape),
        ) {
            (true, true, _) => Some("smithy.api#input"),
            (true, _, true) => Some("smithy.api#output"),
            _ => None,
        }
    }

    pub(super) fn is_streamed(&self, shape: &str) -> bool {
        self.streamed.contains(shape)
    }
}
