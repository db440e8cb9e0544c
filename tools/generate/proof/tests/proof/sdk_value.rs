//! A response as the SDK's types can hold it: lists have no nulls, and numbers that have a default are never missing.

use serde_json::{Map, Value as Json, json};
use smithy_waiters_model::{Kind, Member, Model, Shape};

/// The rest of a value in a type for a shape; `fills` if members that have a default are never missing, as in SDKs.
pub(crate) fn sdk_value(model: &Model<'_>, shape: &Shape<'_>, value: &Json, fills: bool) -> Json {
    match (shape.kind, value) {
        (Kind::Structure, Json::Object(members)) => structure(model, shape, members, fills),
        (Kind::List | Kind::Set, Json::Array(items)) => {
            let element = target(model, shape.member("member").unwrap());
            let items = items.iter().filter(|item| !item.is_null());
            items
                .map(|item| sdk_value(model, element, item, fills))
                .collect()
        }
        (Kind::Map, Json::Object(members)) => {
            let element = target(model, shape.member("value").unwrap());
            let members = members.iter().filter(|(_, value)| !value.is_null());
            let members =
                members.map(|(key, value)| (key.clone(), sdk_value(model, element, value, fills)));
            Json::Object(members.collect())
        }
        _ => value.clone(),
    }
}

fn structure(model: &Model<'_>, shape: &Shape<'_>, given: &Map<String, Json>, fills: bool) -> Json {
    let mut members = Map::new();
    for member in &shape.members {
        let value = given.get(member.name).filter(|value| !value.is_null());
        let value = value.map(|value| sdk_value(model, target(model, member), value, fills));
        if let Some(value) = value.or_else(|| default(model, member).filter(|_| fills)) {
            members.insert(member.name.to_owned(), value);
        }
    }
    Json::Object(members)
}

/// What a member has that is missing, where the SDK's type has no room for that.
fn default(model: &Model<'_>, member: &Member<'_>) -> Option<Json> {
    let default = member.find_trait("smithy.api#default");
    let has_default = default.is_some_and(|default| default.value.kind() != "null");
    if !(has_default || member.has_trait("smithy.api#required")) {
        return None;
    }
    Some(match target(model, member).kind {
        Kind::Boolean => json!(false),
        Kind::Integer | Kind::Long | Kind::Double | Kind::Float | Kind::Timestamp => json!(0),
        Kind::String => json!(""),
        Kind::Enum => json!("no value was set"),
        Kind::List => json!([]),
        Kind::Map => json!({}),
        _ => return None,
    })
}

pub(crate) fn target<'m>(model: &'m Model<'_>, member: &Member<'_>) -> &'m Shape<'m> {
    model.shape(member.target).unwrap()
}
