//! Bodies in JSON.

use serde_json::{Map, Value as Json};
use smithy_waiters_model::{Kind, Member, Model, Shape};

use super::time::Format;

/// Writes JSON values by the shapes of a model.
#[derive(Clone, Copy)]
pub(super) struct Writer<'m> {
    pub(super) model: &'m Model<'m>,
    /// `true` if the trait `jsonName` applies.
    pub(super) uses_json_names: bool,
}

impl<'m> Writer<'m> {
    /// Returns the members of a structure by the names on the wire.
    pub(super) fn structure(
        &self,
        shape: &Shape<'m>,
        values: &Map<String, Json>,
    ) -> Option<Map<String, Json>> {
        let entries = values.iter().map(|(name, value)| {
            let member = shape.member(name)?;
            let applied = member
                .find_trait("smithy.api#jsonName")
                .filter(|_| self.uses_json_names);
            let wire = applied
                .and_then(|applied| applied.value.as_str())
                .unwrap_or(name);
            Some((wire.to_owned(), self.value(member, value)?))
        });
        entries.collect()
    }

    fn value(&self, member: &Member<'m>, value: &Json) -> Option<Json> {
        let shape = self.model.shape(member.target)?;
        Some(match (shape.kind, value) {
            (Kind::Structure | Kind::Union, Json::Object(values)) => {
                Json::Object(self.structure(shape, values)?)
            }
            (Kind::List | Kind::Set, Json::Array(items)) => {
                let of = shape.member("member")?;
                let items = items.iter().map(|item| self.value(of, item));
                Json::Array(items.collect::<Option<_>>()?)
            }
            (Kind::Map, Json::Object(values)) => {
                let of = shape.member("value")?;
                let entries = values
                    .iter()
                    .map(|(key, value)| Some((key.clone(), self.value(of, value)?)));
                Json::Object(entries.collect::<Option<_>>()?)
            }
            (Kind::Timestamp, Json::Number(_)) => {
                Format::of(member, shape, Format::EpochSeconds).json(value.as_f64()?)
            }
            _ => value.clone(),
        })
    }
}
