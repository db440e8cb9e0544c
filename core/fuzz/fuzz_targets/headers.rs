//! Classifies failed requests of any status, code and headers. The same failure has the same class, and no wait goes back in time.
#![no_main]

use std::time::{Duration, UNIX_EPOCH};

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use smithy_waiters::retry::{RequestFailure, Transport};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    status: Option<u16>,
    code: Option<&'a str>,
    retry_after: Option<Header<'a>>,
    amz_retry_after: Option<Header<'a>>,
    transport: u8,
    now: Option<u32>,
    elapsed_ms: u64,
}

#[derive(Arbitrary, Debug)]
enum Header<'a> {
    Text(&'a str),
    Number(u64),
    /// The parts of an HTTP date, most of which make an invalid one.
    Date(u8, u8, u8, u16, [u8; 3]),
}

const DAYS: [&str; 8] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Xyz"];

const MONTHS: [&str; 13] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Abc",
];

impl Header<'_> {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => (*text).to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Date(day, date, month, year, [hour, minute, second]) => {
                let (day, month) = (DAYS[usize::from(day % 8)], MONTHS[usize::from(month % 13)]);
                format!("{day}, {date:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
            }
        }
    }
}

fn failure<'a>(input: &Input<'a>) -> RequestFailure<'a> {
    let names = ["connection", "host_not_found", "permanent", "timeout", ""];
    let mut failure = RequestFailure::default();
    if let Some(status) = input.status {
        failure = failure.status(status);
    }
    if let Some(code) = input.code {
        failure = failure.code(code);
    }
    if let Some(header) = &input.retry_after {
        failure = failure.retry_after(header.text());
    }
    if let Some(header) = &input.amz_retry_after {
        failure = failure.amz_retry_after(header.text());
    }
    if let Some(transport) = Transport::from_name(names[usize::from(input.transport) % 5]) {
        failure = failure.transport(transport);
    }
    let now = input.now.map(|now| UNIX_EPOCH + Duration::from_secs(now.into()));
    failure.now(now)
}

fuzz_target!(|input: Input<'_>| {
    let classes = [failure(&input).classify(), failure(&input).classify()];
    assert_eq!(format!("{:?}", classes[0]), format!("{:?}", classes[1]));
    if let Some(transient) = failure(&input).transient(input.elapsed_ms) {
        assert!(transient.not_before_ms == 0 || transient.not_before_ms >= input.elapsed_ms);
    }
});
