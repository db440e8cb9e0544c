//! Reads any members and values as the options of a host. A wait with accepted options starts, and is the same after it was saved.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};
use smithy_waiters::compression::CompressionSettings;
use smithy_waiters::internal::{FromHost, Identifiers, MaxWait, ReportLimit, TallyOptions};
use smithy_waiters::paginator::Paging;
use smithy_waiters::retry::{RequestOptions, RetryOptions, RetryQuota, StandardRetryStrategy};
use smithy_waiters::{
    Defaults, DelayInput, Extension, FleetOptions, RateLimit, Snapshot, Step, Until, WaitOptions,
    Waiter, delay,
};

#[derive(Arbitrary, Debug)]
enum Member<'a> {
    Null,
    Boolean(bool),
    Integer(i64),
    Number(f64),
    Text(&'a str),
    Texts(Vec<&'a str>),
    Members(Vec<(&'a str, i32)>),
    /// Words and paths that options know.
    Known(u8),
}

const KNOWN: [&str; 14] = [
    "s",
    "a[].b",
    "length(@)",
    "specification",
    "late",
    "fail",
    "accept",
    "retry",
    "doubling",
    "standard",
    "gzip",
    "any",
    "all",
    "",
];

impl Member<'_> {
    fn json(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Boolean(boolean) => json!(boolean),
            Self::Integer(number) => json!(number),
            Self::Number(number) => json!(number),
            Self::Text(text) => json!(text),
            Self::Texts(texts) => json!(texts),
            Self::Members(members) => members
                .iter()
                .map(|(name, number)| ((*name).to_owned(), json!(number)))
                .collect(),
            Self::Known(index) => json!(KNOWN[usize::from(*index) % KNOWN.len()]),
        }
    }
}

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// The index of an option's name; a large one is an unknown name.
    members: Vec<(u8, Member<'a>)>,
    text: &'a str,
    seed: u64,
}

fn read<T: FromHost>(input: &Input<'_>) -> Option<T> {
    let member = |(index, member): &(u8, Member<'_>)| {
        let name = T::NAMES.get(usize::from(*index)).unwrap_or(&"unknown");
        ((*name).to_owned(), member.json())
    };
    let object: Map<_, _> = input.members.iter().map(member).collect();
    let read = T::from_host(&Value::Object(object.clone()));
    assert_eq!(
        read.is_ok(),
        T::from_host(&Value::Object(object)).is_ok(),
        "two readings differ"
    );
    read.ok()
}

fn start(options: &WaitOptions, seed: u64) {
    let Ok(waiter) = Waiter::until("s", "x").build() else {
        return;
    };
    let Ok(mut wait) = waiter.start(options, seed) else {
        return;
    };
    if matches!(wait.poll(0), Step::Done(_)) {
        return;
    }
    let saved = wait.snapshot().map(|saved| saved.to_json());
    let Ok(saved) = saved else {
        panic!("a wait that is running cannot be saved");
    };
    let read = Snapshot::from_json(&saved).map(|read| read.to_json());
    assert_eq!(read.as_ref(), Ok(&saved));
}

fuzz_target!(|input: Input<'_>| {
    if let Some(options) = read::<WaitOptions>(&input) {
        start(&options, input.seed);
    }
    if let Some(options) = read::<RetryOptions>(&input) {
        let _ = StandardRetryStrategy::new(&options, input.seed);
    }
    if let Some(inputs) = read::<DelayInput>(&input) {
        let _ = delay(&inputs);
    }
    let _ = read::<CompressionSettings>(&input);
    let _ = read::<Defaults>(&input);
    let _ = read::<FleetOptions>(&input);
    let _ = read::<Identifiers>(&input);
    let _ = read::<MaxWait>(&input);
    let _ = read::<Paging>(&input);
    let _ = read::<RateLimit>(&input);
    let _ = read::<ReportLimit>(&input);
    let _ = read::<RequestOptions>(&input);
    let _ = read::<RetryQuota>(&input);
    let _ = read::<TallyOptions>(&input);
    let _ = Until::from_json(input.text).map(|until| until.build());
    let _ = Extension::from_json(input.text);
});
