//! Random responses in the shape of an output, as paths read them: bytes are base64, and times are seconds. They have
//! few distinct values, so that comparisons often succeed. Sparse lists and maps have nulls.

use fastrand::Rng;
use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::{Kind, Member, Model, Shape};

const MAX_DEPTH: usize = 6;

/// A generator of values.
pub(crate) struct Random<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) rng: Rng,
    /// The strings that the waiter's acceptors compare with.
    pub(crate) texts: Vec<String>,
}

fn target<'m>(model: &'m Model<'_>, member: &Member<'_>) -> &'m Shape<'m> {
    model.shape(member.target).unwrap()
}

impl Random<'_> {
    pub(crate) fn value(&mut self, shape: &Shape<'_>, depth: usize) -> Json {
        match shape.kind {
            Kind::Structure => self.structure(shape, depth),
            Kind::List | Kind::Set => {
                let element = target(self.model, shape.member("member").unwrap());
                let count = if depth < MAX_DEPTH {
                    self.rng.usize(0..3)
                } else {
                    0
                };
                (0..count)
                    .map(|_| self.element(shape, element, depth))
                    .collect()
            }
            Kind::Map => {
                let element = target(self.model, shape.member("value").unwrap());
                let keys = if depth < MAX_DEPTH {
                    self.rng.usize(0..3)
                } else {
                    0
                };
                let members = (0..keys).map(|_| {
                    let key = self
                        .rng
                        .choice(["READY", "a", "b c", "toString", "0"])
                        .unwrap()
                        .to_owned();
                    (key, self.element(shape, element, depth))
                });
                Json::Object(members.collect())
            }
            Kind::Union => self.union(shape, depth),
            Kind::Document => json!({}),
            Kind::Boolean => json!(self.rng.bool()),
            Kind::Enum | Kind::String => self.text(shape),
            Kind::Blob => json!(self.rng.choice(["GONE", "AAAA", ""])),
            _ => json!(self.rng.u8(0..3)),
        }
    }

    fn element(&mut self, of: &Shape<'_>, element: &Shape<'_>, depth: usize) -> Json {
        if of.has_trait("smithy.api#sparse") && self.rng.usize(0..3) == 0 {
            return Json::Null;
        }
        self.value(element, depth.saturating_add(1))
    }

    fn structure(&mut self, shape: &Shape<'_>, depth: usize) -> Json {
        let mut members = Map::new();
        for member in &shape.members {
            // Members are rarer at greater depths, which limits the size of recursive shapes.
            if depth < MAX_DEPTH && self.rng.usize(0..8) > depth.saturating_add(1) {
                let target = target(self.model, member);
                let value = self.value(target, depth.saturating_add(1));
                members.insert(member.name.to_owned(), value);
            }
        }
        Json::Object(members)
    }

    fn union(&mut self, shape: &Shape<'_>, depth: usize) -> Json {
        let member = &shape.members[self.rng.usize(..shape.members.len())];
        if depth >= MAX_DEPTH {
            return json!({});
        }
        let value = self.value(target(self.model, member), depth.saturating_add(1));
        json!({member.name: value})
    }

    fn text(&mut self, shape: &Shape<'_>) -> Json {
        let of_enum = shape.members.iter().filter_map(|member| {
            let value = member.find_trait("smithy.api#enumValue")?;
            value.value.as_str().map(str::to_owned)
        });
        let mut texts: Vec<String> = of_enum.take(3).collect();
        texts.extend(self.texts.iter().cloned());
        texts.push("other".to_owned());
        json!(texts.get(self.rng.usize(..texts.len())).unwrap())
    }
}
