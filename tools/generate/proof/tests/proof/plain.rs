//! Matchers over plain types and the interpreter on the same responses: of the models in this repository.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use serde_json::{Value as Json, json};
use smithy_waiters::{ErrorMetadata, Observation, Waiter};
use smithy_waiters_generate_proof::plain::{WAITERS, first_match};
use smithy_waiters_model::{Model, Shape, Sources, read};

use crate::cases::{report, responses, smaller};
use crate::random::Random;

/// How many random responses every matcher is given, unless the environment variable sets another number.
pub(crate) const RANDOM: usize = 400;

/// What a matcher is asked of: the interpreter says what it must say.
pub(crate) struct Held<'m> {
    pub(crate) service: &'m str,
    pub(crate) waiter: Waiter,
}

impl Held<'_> {
    /// Whether some acceptor matched a response; both sides agree on which.
    pub(crate) fn agree(&self, input: &Json, output: &Json) -> Option<usize> {
        let both = |output: &Json| {
            let seen = Observation::Response(output);
            let expected = self.waiter.evaluate(input, seen).acceptor();
            let name = self.waiter.name().unwrap();
            (first_match(self.service, name, input, Ok(output)), expected)
        };
        let (got, expected) = both(output);
        if got != expected {
            let output = smaller(output.clone(), &|part| {
                let (got, expected) = both(part);
                got != expected
            });
            let (got, expected) = both(&output);
            assert_eq!(
                got,
                expected,
                "{} {:?}: {input} {output}",
                self.service,
                self.waiter.name()
            );
        }
        got
    }

    fn agree_on_error(&self, error: &str) {
        self.agree_on_error_of(error, &[error]);
    }

    /// The interpreter is told all names of an error, the matcher knows them by one.
    pub(crate) fn agree_on_error_of(&self, error: &str, names: &[&str]) -> Option<usize> {
        let known = ErrorMetadata::of_codes(names.iter().copied());
        let seen = Observation::<&Json>::Error(&known);
        let expected = self.waiter.evaluate(&Json::Null, seen).acceptor();
        let name = self.waiter.name().unwrap();
        let facts = ErrorMetadata::of_code(error);
        let got = first_match(self.service, name, &json!({}), Err(&facts));
        assert_eq!(got, expected, "{} {name}: {error}", self.service);
        got
    }
}

/// The strings that the acceptors of a waiter name.
fn texts(waiter: &Waiter) -> Vec<String> {
    let acceptors = waiter
        .acceptors()
        .map(|text| serde_json::from_str(text).unwrap());
    let expected = acceptors.filter_map(|acceptor: Json| {
        let side = |side: &str| acceptor.pointer(&format!("/matcher/{side}/expected"));
        let expected = side("output").or_else(|| side("inputOutput"))?;
        expected.as_str().map(str::to_owned)
    });
    expected.collect()
}

pub(crate) fn random<'m>(model: &'m Model<'m>, waiter: &Waiter) -> Random<'m> {
    Random {
        model,
        rng: Rng::with_seed(11),
        texts: texts(waiter),
    }
}

pub(crate) fn side<'m>(model: &'m Model<'m>, operation: &str, side: &str) -> &'m Shape<'m> {
    let operation = model.shape(operation).unwrap();
    model.input_or_output(operation, side).unwrap()
}

/// Names that the languages use, and paths that they have in a way of their own.
#[test]
fn odd_waiters_are_as_the_interpreter_has_them() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/generated/odd.smithy");
    let mut sources = Sources::default();
    sources.add("odd.smithy", fs::read_to_string(path).unwrap());
    let model = read(&sources);
    let ast: Json = serde_json::from_str(&model.to_ast()).unwrap();
    let asked = |waiter: &str| Held {
        service: "odd",
        waiter: Waiter::from_model_value(&ast, waiter, None).unwrap(),
    };
    let is_ready = json!({"thing": {"state": "READY"}});
    for waiter in ["Delete", "Self", "Option", "Box", "WaitUntil"] {
        assert_eq!(asked(waiter).agree(&json!({}), &is_ready), Some(0));
    }
    let unseen = json!({"thing": {"name": "a\r\u{202e}b\u{85}\0"}});
    assert_eq!(asked("Unseen").agree(&json!({}), &unseen), Some(0));
    let turned = json!({"thing": {"name": "c\u{2066}d"}});
    assert_eq!(asked("Unseen").agree(&json!({}), &turned), Some(1));
    let great = 9_007_199_254_740_993_u64;
    let numbers = [
        json!(null),
        json!(1),
        json!(great),
        json!(great - 1),
        json!(great + 1),
    ];
    for one in &numbers {
        for other in &numbers {
            asked("Great").agree(&json!({}), &json!({"one": one, "other": other}));
        }
    }
    for input in [json!({}), json!({"class": "a"})] {
        for thing in [
            json!({}),
            json!({"name": "cab", "tags": ["b"]}),
            json!({"name": "", "tags": ["a"]}),
        ] {
            asked("Null").agree(&input, &json!({"thing": thing}));
        }
    }
}

/// An error's code is not always the name of its shape: a waiter names either, a response has the code.
#[test]
fn errors_are_known_by_shape_and_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("model/paths.smithy");
    let mut sources = Sources::default();
    sources.add("paths.smithy", fs::read_to_string(path).unwrap());
    let ast: Json = serde_json::from_str(&read(&sources).to_ast()).unwrap();
    let asked = Held {
        service: "paths",
        waiter: Waiter::from_model_value(&ast, "Codes", None).unwrap(),
    };
    for (names, acceptor) in [
        (["Full", "DiskFull"], Some(0)),
        (["Absent", "Missing"], Some(1)),
        (["Gone", "Other"], None),
    ] {
        for name in names {
            assert_eq!(asked.agree_on_error_of(name, &names), acceptor, "{name}");
        }
    }
}

/// Every kind of path on thousands of responses; each acceptor but those that are never reached matches some.
#[test]
fn every_kind_of_path_is_as_the_interpreter_has_it() {
    const NEVER: [(&str, &[usize]); 4] = [
        ("Codes", &[0, 1]),
        ("Errors", &[0, 1, 3]),
        ("Members", &[4]),
        ("Projections", &[5]),
    ];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("model/paths.smithy");
    let mut sources = Sources::default();
    sources.add("paths.smithy", fs::read_to_string(path).unwrap());
    let model = read(&sources);
    let operation = model.shape("example.paths#GetThings").unwrap();
    let ast: Json = serde_json::from_str(&model.to_ast()).unwrap();
    let waitable = operation.find_trait("smithy.waiters#waitable").unwrap();
    let mut count = 0_usize;
    for entry in waitable.value.entries() {
        let waiter = Waiter::from_model_value(&ast, entry.key, None).unwrap();
        let mut random = random(&model, &waiter);
        let asked = Held {
            service: "paths",
            waiter,
        };
        let (input, output) = (
            side(&model, operation.id, "input"),
            side(&model, operation.id, "output"),
        );
        let mut matches = vec![0_usize; asked.waiter.acceptors().len()];
        for _ in 0..responses(5_000) {
            count = count.saturating_add(1);
            let (input, output) = (random.value(input, 0), random.value(output, 0));
            if let Some(count) = asked
                .agree(&input, &output)
                .and_then(|index| matches.get_mut(index))
            {
                *count = count.saturating_add(1);
            }
        }
        for error in ["Gone", "a.b#Gone:http://x", "Busy", "Other"] {
            asked.agree_on_error(error);
        }
        let never = NEVER.iter().find(|(name, _)| *name == entry.key);
        let never = never.map_or(&[][..], |(_, never)| never);
        for (index, count) in matches.iter().enumerate() {
            assert_eq!(
                *count == 0,
                never.contains(&index),
                "{} {index}: {matches:?}",
                entry.key
            );
        }
    }
    report(count, "every kind of path");
}

/// Whatever paths somebody may write.
#[test]
fn random_waiters_are_as_the_interpreter_has_them() {
    let path = concat!(env!("OUT_DIR"), "/random.smithy");
    let mut sources = Sources::default();
    sources.add("random.smithy", fs::read_to_string(path).unwrap());
    let model = read(&sources);
    let ast: Json = serde_json::from_str(&model.to_ast()).unwrap();
    let waitable = |shape: &&Shape<'_>| shape.find_trait("smithy.waiters#waitable").is_some();
    let operation = model.shapes().iter().find(waitable).unwrap().id;
    let sides = ["input", "output"].map(|name| side(&model, operation, name));
    let (mut waiters, mut matches) = (0_usize, 0_usize);
    for (service, name) in WAITERS.iter().filter(|(service, _)| *service == "random") {
        let waiter = Waiter::from_model_value(&ast, name, None).unwrap();
        let last = waiter.acceptors().len().checked_sub(1);
        let mut random = random(&model, &waiter);
        let asked = Held { service, waiter };
        for _ in 0..responses(RANDOM) {
            let [input, mut output] = sides.map(|side| random.value(side, 0));
            // The values of a map have an order in JSON only: the types have that of the keys.
            output.sort_all_objects();
            let got = asked.agree(&input, &output);
            matches = matches.saturating_add(usize::from(got != last));
        }
        waiters = waiters.saturating_add(1);
    }
    assert!(waiters > 30 && matches > 1_000, "{waiters} {matches}");
    report(waiters.saturating_mul(responses(RANDOM)), "random waiters");
}
