//! Validates `idempotencyToken`, which has an effect only in inputs.
//!
//! Clause: [idempotencyToken](https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait).

use rustc_hash::FxHashMap;

use crate::event::{Event, Severity};
use crate::shapes::id::IDEMPOTENCY_TOKEN;
use crate::shapes::{Kind, Model, Shape};

const MIXIN: &str = "smithy.api#mixin";

/// Reports tokens in structures that are not only used as inputs.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let uses = Uses::new(model);
    let mut events = Vec::new();
    let structures = model.of_kind(Kind::Structure);
    for shape in structures.filter(|shape| !shape.has_trait(MIXIN)) {
        let Some(users) = uses.ignored.get(shape.id) else {
            continue;
        };
        for member in &shape.members {
            if let Some(token) = member.find_trait(IDEMPOTENCY_TOKEN) {
                let message = format!(
                    "an idempotency token is ignored outside of an operation's input, here {}",
                    users.join(", ")
                );
                let target = format!("{}${}", shape.id, member.name);
                let event = Event::new(Severity::Warning, "IdempotencyTokenIgnored", message);
                events.push(event.at(token.at).on(&target));
            }
        }
    }
    events
}

/// The uses of structures with tokens other than as input.
struct Uses<'a> {
    ignored: FxHashMap<&'a str, Vec<String>>,
}

impl<'a> Uses<'a> {
    fn new(model: &Model<'a>) -> Self {
        let mut uses = Self {
            ignored: FxHashMap::default(),
        };
        let has_token = |shape: &&Shape<'a>| {
            shape
                .members
                .iter()
                .any(|member| member.has_trait(IDEMPOTENCY_TOKEN))
        };
        let tokens = model.of_kind(Kind::Structure).filter(has_token);
        uses.ignored
            .extend(tokens.map(|shape| (shape.id, Vec::new())));
        if !uses.ignored.is_empty() {
            for shape in model.shapes() {
                uses.add_shape(model, shape);
            }
        }
        uses.ignored.retain(|_, users| !users.is_empty());
        uses
    }

    fn add_shape(&mut self, model: &Model<'a>, shape: &Shape<'a>) {
        for member in &shape.members {
            self.add(member.target, || {
                format!("as `{}${}`", shape.id, member.name)
            });
        }
        match shape.kind {
            Kind::Operation => {
                if let Some(output) = shape.reference("output") {
                    self.add(output, || format!("as the output of `{}`", shape.id));
                }
                self.errors(model, shape);
            }
            Kind::Resource => {
                let properties = shape.property("properties");
                for property in properties.map_or(&[][..], |properties| properties.entries()) {
                    let target = property.value.member("target");
                    if let Some(target) = target.and_then(|target| target.as_str()) {
                        self.add(target, || format!("as a property of `{}`", shape.id));
                    }
                }
            }
            Kind::Service => self.errors(model, shape),
            _ => {}
        }
    }

    fn errors(&mut self, model: &Model<'a>, shape: &Shape<'a>) {
        for error in model.errors(shape) {
            self.add(error, || format!("as an error of `{}`", shape.id));
        }
    }

    fn add(&mut self, target: &str, user: impl FnOnce() -> String) {
        if let Some(users) = self.ignored.get_mut(target) {
            users.push(user());
        }
    }
}
