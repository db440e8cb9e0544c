//! Bodies in XML.
//!
//! Clause: [XML bindings](https://smithy.io/2.0/spec/protocol-traits.html#xml-bindings).

use serde_json::{Map, Value as Json};
use smithy_waiters_model::{Kind, Member, Model, Shape, id};

use super::time::Format;

pub(super) const NAME: &str = "smithy.api#xmlName";
const NAMESPACE: &str = "smithy.api#xmlNamespace";

/// Writes elements by the shapes of a model.
#[derive(Clone, Copy)]
pub(super) struct Writer<'m> {
    pub(super) model: &'m Model<'m>,
    pub(super) service: Option<&'m Shape<'m>>,
}

/// Returns the name of a shape's element.
pub(super) fn name_of<'a>(shape: &Shape<'a>) -> &'a str {
    let applied = shape.find_trait(NAME);
    applied
        .and_then(|applied| applied.value.as_str())
        .unwrap_or_else(|| id::name(shape.id))
}

/// Escapes a text.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\r' => escaped.push_str("&#xD;"),
            other => escaped.push(other),
        }
    }
    escaped
}

impl<'m> Writer<'m> {
    /// Returns a document whose root has the service's namespace.
    pub(super) fn wrapped(&self, name: &str, content: &str) -> String {
        let declared = self
            .service
            .and_then(|service| service.find_trait(NAMESPACE));
        let uri = declared.and_then(|applied| applied.value.member("uri")?.as_str());
        let namespace = uri.map_or_else(String::new, |uri| format!(" xmlns=\"{}\"", escape(uri)));
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<{name}{namespace}>{content}</{name}>")
    }

    /// Returns a document with a structure as its root.
    pub(super) fn root(
        &self,
        name: &str,
        shape: &Shape<'m>,
        values: &Map<String, Json>,
    ) -> Option<String> {
        Some(self.wrapped(name, &self.members(shape, values)?))
    }

    /// Returns the element of a structure.
    pub(super) fn element(
        &self,
        name: &str,
        shape: &Shape<'m>,
        values: &Map<String, Json>,
    ) -> Option<String> {
        let is_attribute = |member: &&Member<'m>| member.has_trait("smithy.api#xmlAttribute");
        let mut attributes = String::new();
        for member in shape.members.iter().filter(is_attribute) {
            if let Some(text) = values.get(member.name).and_then(Json::as_str) {
                attributes.push_str(&format!(" {}=\"{}\"", member_name(member), escape(text)));
            }
        }
        Some(format!(
            "<{name}{attributes}>{}</{name}>",
            self.members(shape, values)?
        ))
    }

    /// Returns the elements of a structure's members. Null and absent members have none.
    pub(super) fn members(&self, shape: &Shape<'m>, values: &Map<String, Json>) -> Option<String> {
        let mut text = String::new();
        for (name, value) in values {
            let member = shape.member(name)?;
            if !value.is_null() && !member.has_trait("smithy.api#xmlAttribute") {
                text.push_str(&self.member(member, member_name(member), value)?);
            }
        }
        Some(text)
    }

    /// Returns the elements of a member, or `None` if XML cannot represent the value: a null in a list or map.
    fn member(&self, member: &Member<'m>, name: &str, value: &Json) -> Option<String> {
        let shape = self.model.shape(member.target)?;
        let is_flat = member.has_trait("smithy.api#xmlFlattened");
        let text = match (shape.kind, value) {
            (Kind::Structure | Kind::Union, Json::Object(values)) => {
                return self.element(name, shape, values);
            }
            (Kind::List | Kind::Set, Json::Array(items)) => {
                let of = shape.member("member")?;
                let item_name = if is_flat { name } else { member_name(of) };
                let items = items.iter().map(|item| self.member(of, item_name, item));
                items.collect::<Option<Vec<_>>>()?.concat()
            }
            (Kind::Map, Json::Object(values)) => {
                let (key, of) = (shape.member("key")?, shape.member("value")?);
                let entry_name = if is_flat { name } else { "entry" };
                let entries = values.iter().map(|(text, value)| {
                    let key_name = member_name(key);
                    let value = self.member(of, member_name(of), value)?;
                    Some(format!(
                        "<{entry_name}><{key_name}>{}</{key_name}>{value}</{entry_name}>",
                        escape(text)
                    ))
                });
                entries.collect::<Option<Vec<_>>>()?.concat()
            }
            (Kind::Timestamp, Json::Number(_)) => {
                Format::of(member, shape, Format::DateTime).write(value.as_f64()?)
            }
            (_, Json::String(text)) => escape(text),
            (_, Json::Bool(_) | Json::Number(_)) => value.to_string(),
            _ => return None,
        };
        let is_list = matches!(shape.kind, Kind::List | Kind::Set | Kind::Map);
        Some(if is_flat && is_list {
            text
        } else {
            format!("<{name}>{text}</{name}>")
        })
    }
}

fn member_name<'a>(member: &Member<'a>) -> &'a str {
    let applied = member.find_trait(NAME);
    applied
        .and_then(|applied| applied.value.as_str())
        .unwrap_or(member.name)
}
