//! Translates paginators into Smithy's `paginated` trait.

use super::place::Place;
use super::reader::{APPROXIMATE, NOT_EXPRESSIBLE, Reader};
use super::values::{OperationTraits, describe, new_trait, side, target_shape};
use crate::event::Severity;
use crate::shapes::{Node, Value};

impl<'a> Reader<'a> {
    pub(super) fn paginators(
        &mut self,
        whole: &Place<'_, 'a>,
        operations: &Node<'a>,
        shapes: &Node<'a>,
    ) -> OperationTraits<'a> {
        let mut found = OperationTraits::default();
        let Some(paginators) = self.object(whole, "pagination") else {
            return found;
        };
        for paginator in paginators.node.entries() {
            let path = format!("pagination.{}", paginator.key);
            let (name, at) = (paginator.key, paginator.key_at);
            let Some(operation) = self.operation_of(name, operations, (&path, ""), at) else {
                continue;
            };
            let place = Place {
                node: paginator.value,
                name: paginator.key,
                parent: Some(&paginators),
            };
            let sides = Sides {
                input: side(&operation, "input", shapes),
                output: side(&operation, "output", shapes),
                shapes,
            };
            if let Some(value) = self.paginated(&place, &sides) {
                found.insert(paginator.key, new_trait("smithy.api#paginated", value));
            }
        }
        found
    }

    fn paginated(&mut self, paginator: &Place<'_, 'a>, sides: &Sides<'_, 'a>) -> Option<Node<'a>> {
        let mut members = Vec::new();
        for (name, key, side) in [
            ("inputToken", "input_token", sides.input),
            ("outputToken", "output_token", sides.output),
        ] {
            let is_token = |node: &Node<'a>| {
                matches!(node.value, Value::String(_) | Value::Array(_)).then_some(())
            };
            let (place, ()) = self.read_member(paginator, key, "a string or an array", is_token)?;
            if !matches!(sides.kind(&place.node, side), Some("string" | "map")) {
                let path = paginator.path(key);
                let message = format!(
                    "`{path}` must be the path of one string or map, got {}",
                    describe(&place.node)
                );
                self.problem(NOT_EXPRESSIBLE, Severity::Warning, place.node.at, message);
                return None;
            }
            members.push((name, place.node));
        }
        members.extend(self.items(paginator, sides));
        members.extend(self.page_size(paginator, sides));
        if let Some(more) = paginator.node.member("more_results") {
            let path = paginator.path("more_results");
            let message =
                format!("`{path}` is ignored: in Smithy, a page without a token is the last one");
            self.problem(APPROXIMATE, Severity::Note, more.at, message);
        }
        Some(self.builder.object(paginator.node.at, members))
    }

    fn page_size(
        &mut self,
        paginator: &Place<'_, 'a>,
        sides: &Sides<'_, 'a>,
    ) -> Option<(&'a str, Node<'a>)> {
        let size = paginator.node.member("limit_key")?;
        let kind = sides.kind(&size, sides.input);
        if matches!(kind, Some("integer" | "long" | "short" | "byte")) {
            return Some(("pageSize", size));
        }
        let path = paginator.path("limit_key");
        let message = format!("`{path}` is ignored: a page size in Smithy must be an integer");
        self.problem(APPROXIMATE, Severity::Note, size.at, message);
        None
    }

    /// Returns the list or map with the items of a page. botocore allows several, Smithy only one.
    fn items(
        &mut self,
        paginator: &Place<'_, 'a>,
        sides: &Sides<'_, 'a>,
    ) -> Option<(&'a str, Node<'a>)> {
        let keys = paginator.node.member("result_key")?;
        let all = match keys.value {
            Value::Array(all) => all,
            _ => std::slice::from_ref(&keys),
        };
        let is_items = |key: &&Node<'a>| {
            let kind = sides.kind(key, sides.output);
            matches!(kind, Some("list" | "map"))
        };
        let items = all.iter().find(is_items).copied();
        if all.len() > 1 || items.is_none() {
            let path = paginator.path("result_key");
            let named = items.map_or_else(|| "none".to_owned(), |items| describe(&items));
            let message =
                format!("`{path}` should be one list or map: Smithy's `items` is {named}");
            self.problem(APPROXIMATE, Severity::Note, keys.at, message);
        }
        items.map(|items| ("items", items))
    }
}

/// The input and output that the paths of a paginator refer to.
struct Sides<'s, 'a> {
    input: Option<Node<'a>>,
    output: Option<Node<'a>>,
    shapes: &'s Node<'a>,
}

impl<'a> Sides<'_, 'a> {
    /// Returns the type of the shape at a path of member names. Returns `None` for any other expression.
    fn kind(&self, path: &Node<'a>, side: Option<Node<'a>>) -> Option<&'a str> {
        let mut shape = side?;
        for name in path.as_str()?.split('.') {
            let members = shape.member("members")?;
            shape = target_shape(members.member(name), self.shapes)?;
        }
        shape.member("type")?.as_str()
    }
}
