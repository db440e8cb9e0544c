//! Responses that violate their model, because some values have another type.

use serde_json::{Value as Json, json};

use crate::random::Random;

impl Random<'_> {
    /// Replaces some parts of a value.
    pub(crate) fn vary(&mut self, value: Json) -> Json {
        if self.rng.u8(0..8) == 0 {
            return self.another(value);
        }
        match value {
            Json::Array(items) => items.into_iter().map(|item| self.vary(item)).collect(),
            Json::Object(members) => {
                let members = members.into_iter();
                Json::Object(
                    members
                        .map(|(name, value)| (name, self.vary(value)))
                        .collect(),
                )
            }
            value => value,
        }
    }

    /// Returns a replacement: a value of any type, or the value itself in a list or an object.
    fn another(&mut self, value: Json) -> Json {
        match self.rng.u8(0..14) {
            0 => Json::Null,
            1 => json!(false),
            2 => json!(true),
            3 => json!(0),
            4 => json!(1),
            5 => json!(""),
            6 => json!("2"),
            7 => json!("READY \u{1f980}"),
            8 => json!([]),
            9 => json!({}),
            10 => json!([value]),
            11 => json!([value, null, "READY"]),
            12 => json!({"a": value, "length": 1}),
            _ => json!({"0": value}),
        }
    }
}
