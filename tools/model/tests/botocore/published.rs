//! Compares the waiters and paginators of DynamoDB in botocore with those in the model that AWS publishes.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Write as _, stderr};
use std::path::Path;

use serde_json::Value;

/// Operations with a paginator only in botocore: the published model is older.
const ONLY_BOTOCORE: [&str; 3] = ["ListBackups", "ListBulkOperations", "ListTagsOfResource"];
const ONLY_PUBLISHED: [&str; 3] = ["ListContributorInsights", "ListExports", "ListImports"];

/// Returns the values of a trait by operation.
fn traits(model: &Value, id: &str) -> BTreeMap<String, Value> {
    let shapes = model["shapes"].as_object().unwrap().iter();
    let with = shapes.filter_map(|(name, shape)| {
        let value = shape["traits"].get(id)?;
        Some((name.rsplit('#').next()?.to_owned(), value.clone()))
    });
    with.collect()
}

#[test]
fn dynamodb_is_what_aws_publishes() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data");
    let paths = ["aws-models/dynamodb.json", "published/dynamodb-1.0.14.json"];
    let texts: Vec<String> = paths
        .iter()
        .filter_map(|path| fs::read_to_string(data.join(path)).ok())
        .collect();
    let [ours, published] = texts.as_slice() else {
        // `println!` would be captured if the test passes.
        let skipped = "SKIPPED: DynamoDB as AWS publishes it; `cargo xtask data` fetches it";
        return writeln!(stderr(), "{skipped}").unwrap();
    };
    let [ours, published] = [ours, published].map(|text| serde_json::from_str(text).unwrap());

    let waitable = "smithy.waiters#waitable";
    let mut waiters = traits(&ours, waitable);
    assert!(
        waiters.remove("DescribeBulkOperation").is_some(),
        "newer than the published model"
    );
    assert_eq!(waiters, traits(&published, waitable));

    let paginated = "smithy.api#paginated";
    let (mut ours, mut published) = (traits(&ours, paginated), traits(&published, paginated));
    for name in ONLY_BOTOCORE {
        ours.remove(name).unwrap();
    }
    for name in ONLY_PUBLISHED {
        published.remove(name).unwrap();
    }
    assert_eq!(ours.len(), 3);
    assert_eq!(ours, published);
}
