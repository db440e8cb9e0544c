//! Random responses that conform to the model: with required members, values of enums, and one member of each union.

use serde_json::Value as Json;
use smithy_waiters_model::{Kind, Model, Shape};

use crate::chance::Chance;

const MAX_DEPTH: usize = 5;

/// Texts that paths are compared with, and other texts.
pub(crate) const TEXTS: [&str; 8] = ["", "x", "ready", "failed", "on", "of", "nope", "true"];
const NUMBERS: [f64; 8] = [0.0, 1.0, 2.0, 3.0, -1.0, 50.0, 1.5, 101.0];

/// Pairs of an input and an output.
pub(crate) struct Answers(Vec<(Json, Json)>);

impl Answers {
    pub(crate) fn of(model: &Model<'_>, count: u64) -> Self {
        let maker = Maker { model };
        let answer = |seed| {
            let chance = &mut Chance::of(seed);
            let side = |name: &str| format!("ns#GetThings{name}");
            let input = maker.target(&side("Input"), chance, 0);
            (input, maker.target(&side("Output"), chance, 0))
        };
        Self((0..count).map(answer).collect())
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &(Json, Json)> {
        self.0.iter()
    }

    pub(crate) fn outputs(&self) -> impl Iterator<Item = &Json> {
        self.0.iter().map(|(_, output)| output)
    }
}

struct Maker<'m, 'a> {
    model: &'m Model<'a>,
}

impl Maker<'_, '_> {
    fn target(&self, id: &str, chance: &mut Chance, depth: usize) -> Json {
        let Some(shape) = self.model.shape(id) else {
            return prelude(id, chance);
        };
        match shape.kind {
            Kind::Enum => {
                let member = chance.one_of(&shape.members);
                let value = member.find_trait("smithy.api#enumValue");
                value
                    .map_or(member.name, |value| value.value.as_str().unwrap())
                    .into()
            }
            Kind::IntEnum => json_number(*chance.one_of(&[1.0, 2.0])),
            Kind::Integer if shape.has_trait("smithy.api#range") => {
                json_number(*chance.one_of(&[0.0, 1.0, 50.0, 100.0]))
            }
            Kind::List => self.list(shape, chance, depth),
            Kind::Map => self.map(shape, chance, depth),
            Kind::Structure => self.structure(shape, chance, depth),
            Kind::Union => {
                let member = chance.one_of(&shape.members);
                let value = self.target(member.target, chance, depth.saturating_add(1));
                Json::Object([(member.name.to_owned(), value)].into_iter().collect())
            }
            _ => prelude(id, chance),
        }
    }

    fn list(&self, shape: &Shape<'_>, chance: &mut Chance, depth: usize) -> Json {
        let bounds = shape.find_trait("smithy.api#length");
        let bound = |name: &str| bounds?.value.member(name)?.as_f64();
        let least = bound("min").unwrap_or(0.0) as usize;
        let most = bound("max").map_or(3, |most| most as usize);
        let most = if depth > MAX_DEPTH { least } else { most };
        let count =
            least.saturating_add(chance.below(most.saturating_sub(least).saturating_add(1)));
        let is_sparse = shape.has_trait("smithy.api#sparse");
        let target = shape.member("member").unwrap().target;
        let element = |_| {
            if is_sparse && chance.once_in(3) {
                return Json::Null;
            }
            self.target(target, chance, depth.saturating_add(1))
        };
        (0..count).map(element).collect()
    }

    fn map(&self, shape: &Shape<'_>, chance: &mut Chance, depth: usize) -> Json {
        let count = if depth > MAX_DEPTH {
            0
        } else {
            chance.below(3)
        };
        let (key, value) = (shape.member("key").unwrap(), shape.member("value").unwrap());
        let entry = |_| {
            let name = self.target(key.target, chance, depth);
            let value = self.target(value.target, chance, depth.saturating_add(1));
            (name.as_str().unwrap().to_owned(), value)
        };
        (0..count).map(entry).collect()
    }

    fn structure(&self, shape: &Shape<'_>, chance: &mut Chance, depth: usize) -> Json {
        // Some responses have all members, and some have only the required ones.
        let seldom = *chance.one_of(&[1, 2, 3, 1_000]);
        let mut members = serde_json::Map::new();
        for member in &shape.members {
            let is_required = member.has_trait("smithy.api#required");
            let is_deep = depth > MAX_DEPTH;
            let value = if is_required || (!is_deep && !chance.once_in(seldom)) {
                self.target(member.target, chance, depth.saturating_add(1))
            } else if chance.once_in(2) {
                Json::Null
            } else {
                continue;
            };
            members.insert(member.name.to_owned(), value);
        }
        members.into()
    }
}

fn prelude(id: &str, chance: &mut Chance) -> Json {
    match id {
        "smithy.api#Boolean" => chance.once_in(2).into(),
        "smithy.api#Byte" => json_number(*chance.one_of(&[-128.0, 0.0, 1.0, 127.0])),
        "smithy.api#Document" => anything(chance, 0),
        "smithy.api#Integer" => {
            let integers = NUMBERS.map(f64::trunc);
            json_number(*chance.one_of(&integers))
        }
        "smithy.api#Timestamp" => json_number(*chance.one_of(&NUMBERS)),
        _ => (*chance.one_of(&TEXTS)).into(),
    }
}

fn anything(chance: &mut Chance, depth: usize) -> Json {
    let most = if depth > 2 { 4 } else { 7 };
    match chance.below(most) {
        0 => Json::Null,
        1 => chance.once_in(2).into(),
        2 => json_number(*chance.one_of(&NUMBERS)),
        3 => (*chance.one_of(&TEXTS)).into(),
        4 => (0..chance.below(3))
            .map(|_| anything(chance, depth.saturating_add(1)))
            .collect(),
        _ => {
            let names = ["a", "b"].into_iter();
            names
                .map(|name| (name.to_owned(), anything(chance, depth.saturating_add(1))))
                .collect()
        }
    }
}

/// Converts a number to JSON, with integral numbers without a fraction.
fn json_number(number: f64) -> Json {
    if number.fract() == 0.0 {
        (number as i64).into()
    } else {
        number.into()
    }
}
