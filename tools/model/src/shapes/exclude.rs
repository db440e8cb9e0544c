//! Removes waiters from a model.

use std::collections::BTreeSet;

use super::id::WAITABLE;
use super::model::Model;
use super::node::{Entry, Node, Value};
use super::shape::Shape;
use crate::source::Sources;

impl<'a> Model<'a> {
    /// Removes waiters by name and returns the names that no waiter has.
    ///
    /// `sources` are the texts that the model was read from. The result is the model that [`read`](crate::read())
    /// returns for texts without these waiters.
    ///
    /// # Example: exclude one of two waiters
    ///
    /// ```
    /// use smithy_waiters_model::{Sources, read};
    ///
    /// let mut sources = Sources::default();
    /// sources.add("a.smithy", r#"
    ///     namespace example
    ///     use smithy.waiters#waitable
    ///     @waitable(
    ///         ThingExists: {acceptors: [{state: "success", matcher: {success: true}}]}
    ///         ThingGone: {acceptors: []}
    ///     )
    ///     operation GetThing {}
    /// "#);
    /// let mut model = read(&sources);
    /// assert_eq!(model.exclude_waiters(&sources, &["ThingGone", "Thing"]), ["Thing"]);
    /// let waitable = model.shape("example#GetThing").unwrap().find_trait("smithy.waiters#waitable");
    /// assert_eq!(waitable.unwrap().value.entries().len(), 1);
    /// ```
    pub fn exclude_waiters<'n>(&mut self, sources: &'a Sources, names: &[&'n str]) -> Vec<&'n str> {
        let known = self.waiter_names();
        self.retain_waiters(sources, |name| !names.contains(&name));
        let names = names.iter().copied();
        names.filter(|name| !known.contains(name)).collect()
    }

    /// Removes all waiters for which `is_retained` returns `false`.
    ///
    /// `sources` are the texts that the model was read from. The result is the model that [`read`](crate::read())
    /// returns for texts without these waiters.
    pub fn retain_waiters(&mut self, sources: &'a Sources, is_retained: impl Fn(&str) -> bool) {
        for shape in self.shapes.iter_mut().take(self.own) {
            retain(shape, sources, &is_retained);
        }
    }

    /// Returns the names of all waiters in the texts.
    #[must_use]
    pub fn waiter_names(&self) -> BTreeSet<&'a str> {
        let traits = self
            .shapes
            .iter()
            .take(self.own)
            .flat_map(|shape| &shape.traits);
        let waitable = traits.filter(|applied| applied.id == WAITABLE);
        let entries = waitable.flat_map(|applied| applied.value.entries());
        entries.map(|entry| entry.key).collect()
    }
}

fn retain<'a>(shape: &mut Shape<'a>, sources: &'a Sources, is_retained: &impl Fn(&str) -> bool) {
    let mut is_changed = false;
    let applied = shape.traits.iter_mut();
    for applied in applied.filter(|applied| applied.id == WAITABLE) {
        let entries = applied.value.entries();
        let rest = entries.iter().filter(|entry| is_retained(entry.key));
        let rest: Vec<Entry<'a>> = rest.copied().collect();
        if rest.len() < entries.len() {
            let rest = sources.arena().alloc_slice_copy(&rest);
            applied.value = Node::new(applied.value.at, Value::Object(rest));
            is_changed = true;
        }
    }
    // A `waitable` trait without waiters is invalid, so the trait is removed as well.
    let is_left =
        |id: &str, value: &Node<'_>| id != WAITABLE || !matches!(value.value, Value::Object([]));
    if is_changed {
        shape
            .traits
            .retain(|applied| is_left(applied.id, &applied.value));
    }
}
