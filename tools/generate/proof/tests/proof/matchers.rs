//! Every generated matcher and the interpreter on the same responses: those of the verdicts, and random ones.

use fastrand::Rng;
use serde_json::Value as Json;
use smithy_waiters::driver::OperationError;
use smithy_waiters::{ErrorMetadata, Observation, Waiter};
use smithy_waiters_generate_proof::{dynamodb, ecs, s3};
use smithy_waiters_model::{Model, Shape, read};

use crate::cases::{report, responses};
use crate::data::{Given, given_of_sdk, sdk_model};
use crate::random::Random;
use crate::sdk_value::sdk_value;
use crate::wire::{self, Replies, Reply};

/// How many random responses every matcher is given, unless the environment variable sets another number.
const RANDOM: usize = 300;

/// What the matcher says of what a call gave.
fn matched<T, E: OperationError>(
    result: Result<T, E>,
    matcher: impl Fn(Result<&T, &ErrorMetadata<'_>>) -> Option<usize>,
) -> Option<usize> {
    match &result {
        Ok(output) => matcher(Ok(output)),
        Err(error) => matcher(Err(&error.metadata())),
    }
}

/// Asks a waiter's matcher about what a call gives, by the waiter's name.
macro_rules! ask {
    ($sdk:ident, $waiter:expr, $($name:literal => $call:expr, $matcher:path;)+) => {
        match $waiter.name().unwrap() {
            $($name => {
                let retries = $sdk::config::retry::RetryConfig::disabled();
                let config = $sdk::config::Builder::new().retry_config(retries);
                matched($call.customize().config_override(config).send().await, $matcher)
            })+
            other => panic!("no call for {other}"),
        }
    };
}

fn interpreted(waiter: &Waiter, output: &Json) -> Option<usize> {
    waiter
        .evaluate(&Json::Null, Observation::Response(output))
        .acceptor()
}

fn interpreted_error(waiter: &Waiter, error: &str) -> Option<usize> {
    let facts = ErrorMetadata::of_code(error);
    let seen = Observation::<&Json>::Error(&facts);
    waiter.evaluate(&Json::Null, seen).acceptor()
}

/// A waiter's random responses.
fn random<'m>(model: &'m Model<'m>, given: &Given, output: &'m Shape<'m>) -> Vec<Json> {
    let definition: Vec<Json> = given
        .waiter
        .acceptors()
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    let expected = definition.iter().filter_map(|acceptor| {
        let expected = acceptor.pointer("/matcher/output/expected")?;
        expected.as_str().map(str::to_owned)
    });
    let mut random = Random {
        model,
        rng: Rng::with_seed(7),
        texts: expected.collect(),
    };
    (0..responses(RANDOM))
        .map(|_| random.value(output, 0))
        .collect()
}

/// How often each acceptor matched, and none.
#[derive(Default)]
struct Counts {
    matches: usize,
    others: usize,
}

impl Counts {
    fn agree(&mut self, waiter: &Waiter, about: &str, got: Option<usize>, expected: Option<usize>) {
        assert_eq!(got, expected, "{}: {about}", waiter.name().unwrap());
        if got.is_some() {
            self.matches = self.matches.saturating_add(1);
        } else {
            self.others = self.others.saturating_add(1);
        }
    }
}

/// A reply, what it says, and the acceptor that matches it.
type Scripted = (Reply, String, Option<usize>);

/// The responses to a waiter's matcher with the acceptors that the interpreter finds.
fn scripts(service: &str) -> Vec<(Waiter, Vec<Scripted>)> {
    let sources = sdk_model(service);
    let model = read(&sources);
    let given = given_of_sdk(service);
    let scripts = given.iter().map(|given| {
        let operation = model.shape(&given.operation).unwrap();
        let output = model.input_or_output(operation, "output").unwrap();
        let mut script = Vec::new();
        for case in &given.cases {
            match (&case.output, &case.error) {
                (Some(given_output), _) => {
                    let held = sdk_value(&model, output, given_output, true);
                    let expected = interpreted(&given.waiter, &held);
                    if held == *given_output {
                        assert_eq!(expected, case.acceptor);
                    }
                    script.push((Reply::json(&held), held.to_string(), expected));
                }
                (None, error) => {
                    let error = error.as_deref().unwrap();
                    let expected = interpreted_error(&given.waiter, error);
                    assert_eq!(expected, case.acceptor);
                    script.push((Reply::json_error(error), error.to_owned(), expected));
                }
            }
        }
        for value in random(&model, given, output) {
            let held = sdk_value(&model, output, &value, true);
            let expected = interpreted(&given.waiter, &held);
            script.push((Reply::json(&held), held.to_string(), expected));
        }
        (given.waiter.clone(), script)
    });
    scripts.collect()
}

#[tokio::test]
async fn of_dynamodb() {
    let replies = Replies::default();
    let client = wire::dynamodb(&replies);
    for (waiter, script) in scripts("dynamodb") {
        let mut counts = Counts::default();
        for (reply, about, expected) in script {
            replies.set(vec![reply]);
            let got = ask!(aws_sdk_dynamodb, waiter,
                "TableExists" => client.describe_table().table_name("t"), dynamodb::matchers::table_exists;
                "ContributorInsightsEnabled" =>
                    client.describe_contributor_insights().table_name("t"), dynamodb::matchers::contributor_insights_enabled;
                "ExportCompleted" => client.describe_export().export_arn("a"), dynamodb::matchers::export_completed;
                "ImportCompleted" => client.describe_import().import_arn("a"), dynamodb::matchers::import_completed;
                "KinesisStreamingDestinationActive" =>
                    client.describe_kinesis_streaming_destination().table_name("t"), dynamodb::matchers::kinesis_streaming_destination_active;
                "TableNotExists" => client.describe_table().table_name("t"), dynamodb::matchers::table_not_exists;
            );
            counts.agree(&waiter, &about, got, expected);
        }
        assert!(counts.matches > 0 && counts.others > 10);
        report(
            counts.matches.saturating_add(counts.others),
            waiter.name().unwrap(),
        );
    }
}

#[tokio::test]
async fn of_ecs() {
    let replies = Replies::default();
    let client = wire::ecs(&replies);
    for (waiter, script) in scripts("ecs") {
        let mut counts = Counts::default();
        for (reply, about, expected) in script {
            replies.set(vec![reply]);
            let got = ask!(aws_sdk_ecs, waiter,
                "ServicesInactive" => client.describe_services(), ecs::matchers::services_inactive;
                "ServicesStable" => client.describe_services(), ecs::matchers::services_stable;
                "TasksRunning" => client.describe_tasks(), ecs::matchers::tasks_running;
                "TasksStopped" => client.describe_tasks(), ecs::matchers::tasks_stopped;
            );
            counts.agree(&waiter, &about, got, expected);
        }
        assert!(counts.matches > 10 && counts.others > 10);
        report(
            counts.matches.saturating_add(counts.others),
            waiter.name().unwrap(),
        );
    }
}

/// S3's waiters look at whether there is an answer, and at errors.
#[tokio::test]
async fn of_s3() {
    let replies = Replies::default();
    let client = wire::s3(&replies);
    for given in given_of_sdk("s3") {
        for case in &given.cases {
            let error = case.error.as_deref();
            replies.set(vec![error.map_or_else(Reply::empty, Reply::xml_error)]);
            let got = ask!(aws_sdk_s3, given.waiter,
                "BucketExists" => client.head_bucket().bucket("b"), s3::matchers::bucket_exists;
                "BucketNotExists" => client.head_bucket().bucket("b"), s3::matchers::bucket_not_exists;
                "ObjectExists" => client.head_object().bucket("b").key("k"), s3::matchers::object_exists;
                "ObjectNotExists" => client.head_object().bucket("b").key("k"), s3::matchers::object_not_exists;
            );
            assert_eq!(got, case.acceptor, "{:?}: {error:?}", given.waiter.name());
        }
    }
}
