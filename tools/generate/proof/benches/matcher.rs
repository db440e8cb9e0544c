//! Compares the time of a generated matcher with that of a hand-written one over the same types.
//!
//! `cargo bench -p smithy-waiters-generate-proof`: prints one JSON object a case, times in nanoseconds.

#[cfg(models)]
#[path = "../../../../core/benches/timing/mod.rs"]
mod timing;

#[cfg(models)]
#[expect(clippy::print_stdout, reason = "a benchmark's figures")]
fn main() {
    println!("{}", table_status());
}

#[cfg(not(models))]
fn main() {
    eprintln!("SKIPPED: AWS's models; `cargo xtask data` fetches them");
}

/// The path of all benchmarks, over a client's own types.
#[cfg(models)]
fn table_status() -> serde_json::Value {
    use std::hint::black_box;

    use aws_sdk_dynamodb::operation::describe_table::DescribeTableOutput;
    use aws_sdk_dynamodb::types::{TableDescription, TableStatus};
    use smithy_waiters_generate_proof::dynamodb::matchers::table_exists;
    use timing::{Contestant, medians};

    let table = TableDescription::builder()
        .table_status(TableStatus::Active)
        .build();
    let output = DescribeTableOutput::builder().table(table).build();
    let by_hand = |output: &DescribeTableOutput| {
        let status = output.table().and_then(|table| table.table_status());
        status
            .is_some_and(|status| status.as_str() == "ACTIVE")
            .then_some(0_usize)
    };
    let contestants: Vec<Contestant<'_>> = vec![
        (
            "engine",
            Box::new(|| {
                black_box(table_exists(Ok(black_box(&output))));
            }),
        ),
        (
            "byHand",
            Box::new(|| {
                black_box(by_hand(black_box(&output)));
            }),
        ),
    ];
    let mut figure = serde_json::json!({"case": "generated matcher"});
    for (name, time) in medians(contestants) {
        if let Some(members) = figure.as_object_mut() {
            members.insert(name.to_owned(), time.into());
        }
    }
    figure
}
