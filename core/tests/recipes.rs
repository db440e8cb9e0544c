//! The blocks for Rust of `docs/recipes.md`, on the scripts of `tests/recipes.json`. Each block is also in this file, so that it is compiled.

#![cfg(feature = "tokio")]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Ready, ready};

use serde_json::{Value, json};
use smithy_waiters::driver::WaitersError;
use smithy_waiters::{DefinitionError, ErrorMetadata, FailureKind, OptionsError};

#[rustfmt::skip] // The imports of the page.
use std::time::Duration;

use smithy_waiters::driver::{EachOptions, TokioRuntime};
use smithy_waiters::{
    Driver, FleetOptions, Goal, Left, LeftElse, Same, WaitOptions, Waiter, WaiterError,
};

const PAGE: &str = include_str!("../../docs/recipes.md");
const SCRIPTS: &str = include_str!("../../tests/recipes.json");
const THIS_FILE: &str = include_str!("recipes.rs");

/// The code of a failure, and its words.
struct Failed(String, String);

type Ended = Result<(), Failed>;
type Answer = Result<Value, ErrorMetadata<'static>>;

impl From<WaiterError<Value, ErrorMetadata<'static>>> for Failed {
    fn from(error: WaiterError<Value, ErrorMetadata<'static>>) -> Self {
        Self(error.code().to_owned(), error.to_string())
    }
}

impl From<WaitersError> for Failed {
    fn from(error: WaitersError) -> Self {
        let words = error.to_string();
        let WaitersError::Failed { failures, .. } = error else {
            return Self("other".to_owned(), words);
        };
        let codes = failures
            .iter()
            .map(|(id, report)| format!("{id}: {}", report.kind.map_or("success", FailureKind::code)));
        Self(codes.collect::<Vec<_>>().join(", "), words)
    }
}

impl From<DefinitionError> for Failed {
    fn from(error: DefinitionError) -> Self {
        Self("definition".to_owned(), error.to_string())
    }
}

impl From<OptionsError> for Failed {
    fn from(error: OptionsError) -> Self {
        Self("options".to_owned(), error.to_string())
    }
}

impl From<ErrorMetadata<'static>> for Failed {
    fn from(error: ErrorMetadata<'static>) -> Self {
        Self("call".to_owned(), error.to_string())
    }
}

/// Answers for the operation that is repeated. The last answer is repeated.
struct Script {
    template: String,
    left: RefCell<VecDeque<Value>>,
    calls: RefCell<u64>,
    others: RefCell<Vec<&'static str>>,
}

impl Script {
    fn new(recipe: &Value, script: &Value) -> Self {
        let mut left = VecDeque::new();
        for one in script["answers"].as_array().unwrap() {
            match one.as_array().map(Vec::as_slice) {
                Some([answer, Value::Number(times)]) => {
                    left.extend((0..times.as_u64().unwrap()).map(|_| answer.clone()));
                }
                _ => left.push_back(one.clone()),
            }
        }
        Self {
            template: recipe["answer"].to_string(),
            left: RefCell::new(left),
            calls: RefCell::new(0),
            others: RefCell::new(Vec::new()),
        }
    }

    fn poll(&self) -> Ready<Answer> {
        *self.calls.borrow_mut() += 1;
        let mut left = self.left.borrow_mut();
        let answer = left.pop_front().unwrap();
        if left.is_empty() {
            left.push_back(answer.clone());
        }
        let is_error = answer.as_object().is_some_and(|answer| answer.len() == 1);
        if let Some(code) = answer["error"].as_str().filter(|_| is_error) {
            return ready(Err(ErrorMetadata::of_code(code.to_owned())));
        }
        let filled = self.template.replace("\"$\"", &answer.to_string());
        ready(Ok(serde_json::from_str(&filled).unwrap()))
    }

    fn other(&self, operation: &'static str, answer: Value) -> Ready<Answer> {
        self.others.borrow_mut().push(operation);
        ready(Ok(answer))
    }
}

async fn certificate(script: &Script) -> Ended {
    let (arn, describe_certificate) = ("arn:17", |_| script.poll());
    let issued = Waiter::until("Certificate.Status", "ISSUED")
        .pending(["PENDING_VALIDATION"])
        .build()?;
    let options = WaitOptions::new(Duration::from_secs(3600))
        .not_found_for(Duration::from_secs(60))
        .show(["Certificate.FailureReason"]);
    issued.wait(|_| describe_certificate(arn), options).await?;
    Ok(())
}

async fn database(script: &Script) -> Ended {
    let modify_db_instance = |_| script.other("ModifyDBInstance", json!({}));
    let describe_db_instances = |_| script.poll();
    modify_db_instance("orders").await?;
    let available = Waiter::until("DBInstances[0].DBInstanceStatus", "available")
        .fail(["failed", "incompatible-parameters", "storage-full"])
        .build()?;
    let options = WaitOptions::new(Duration::from_secs(2 * 3600))
        .left(Left::new("available"))
        .left_within(Duration::from_secs(300))
        .left_else(LeftElse::Accept);
    available
        .wait(|_| describe_db_instances("orders"), options)
        .await?;
    Ok(())
}

async fn service(script: &Script) -> Ended {
    let deployments = json!([{"id": "ecs-svc/2", "status": "PRIMARY"}]);
    let update_service = |_, _| script.other("UpdateService", json!({"deployments": deployments}));
    let describe_services = |_, _| script.poll();
    let service = update_service("prod", "web").await?;
    let deployment = service["deployments"][0]["id"].clone();
    let primary = "services[0].deployments[?status=='PRIMARY']";
    let deployed = Waiter::until(format!("{primary}.rolloutState | [0]"), "COMPLETED")
        .fail(["FAILED"])
        .build()?;
    let options = WaitOptions::new(Duration::from_secs(1800))
        .same(Same::new(format!("{primary}.id | [0]")).is(deployment))
        .show(["services[0].events[0].message"]);
    deployed
        .wait(|_| describe_services("prod", "web"), options)
        .await?;
    Ok(())
}

async fn volumes(script: &Script) -> Ended {
    let (volumes, describe_volumes) = (["vol-1", "vol-2"], |_: Vec<String>| script.poll());
    let available = Waiter::until("Volumes[].State", "available")
        .fail(["error", "deleting", "deleted"])
        .build()?;
    let options = WaitOptions::new(Duration::from_secs(600)).not_found_for(Duration::from_secs(60));
    let driver = Driver::new(TokioRuntime::new());
    let fleet = FleetOptions::new("Volumes[]", "VolumeId");
    let fleet = driver.fleet(&available, &fleet, |ids| describe_volumes(ids))?;
    fleet
        .wait_each(volumes, &options, EachOptions::new())
        .await?;
    Ok(())
}

async fn rollout(script: &Script) -> Ended {
    let patch_deployment = async |_| {
        script.other("patchNamespacedDeployment", json!({})).await?;
        Ok::<_, Failed>(3)
    };
    let read_deployment = |_| script.poll();
    let generation = patch_deployment("web").await?; // its `metadata.generation`
    let counts = ["replicas", "updatedReplicas", "availableReplicas"];
    let equal = |count| format!("not_null(status.{count}, `0`) == spec.replicas");
    let failed = Goal::equals("status.conditions[].reason", ["ProgressDeadlineExceeded"]);
    let rolled_out = Waiter::until_all(counts.map(|count| Goal::condition(equal(count))))
        .fail_when(failed)
        .build()?;
    let options = WaitOptions::new(Duration::from_secs(1800))
        .at_least("status.observedGeneration", generation)
        .show(["status.conditions[?type=='Progressing'].message | [0]"]);
    rolled_out.wait(|_| read_deployment("web"), options).await?;
    Ok(())
}

async fn queue(script: &Script) -> Ended {
    let (job, get_job) = ("job-17", |_| script.poll());
    let cancel_job = |_| script.other("cancel", json!({}));
    let done = Waiter::until("state", "done")
        .pending(["queued", "running"])
        .build()?;
    let options = WaitOptions::new(Duration::from_secs(3600))
        .not_found_for(Duration::from_secs(30))
        .label(job)
        .show(["error"]);
    let ended = done.wait(|_| get_job(job), options).await;
    if let Err(WaiterError::Failure(failure)) = &ended
        && failure.kind.leaves_work()
    {
        cancel_job(job).await?;
    }
    ended?;
    Ok(())
}

/// Runs the block of a recipe on all its scripts.
async fn check(title: &str, block: impl AsyncFn(&Script) -> Ended) {
    let recipes: Vec<Value> = serde_json::from_str(SCRIPTS).unwrap();
    let recipe = recipes.iter().find(|recipe| recipe["title"] == title);
    let recipe = recipe.unwrap();
    for data in recipe["scripts"].as_array().unwrap() {
        let script = Script::new(recipe, data);
        let Failed(code, words) = match block(&script).await {
            Ok(()) => Failed("success".to_owned(), String::new()),
            Err(failed) => failed,
        };
        let (calls, name) = (*script.calls.borrow(), &data["name"]);
        assert_eq!(data["end"], code, "{name}: {words}");
        assert_eq!(data["calls"].as_u64().unwrap_or(calls), calls, "{name}");
        assert!(
            words.contains(data["words"].as_str().unwrap_or("")),
            "{name}: {words}"
        );
        let asked = data["asked"].as_str();
        assert!(
            asked.is_none_or(|asked| script.others.borrow().contains(&asked)),
            "{name}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn the_blocks_end_as_they_must() {
    check("A certificate of ACM", certificate).await;
    check("A change of an RDS instance", database).await;
    check("A deployment of ECS", service).await;
    check("Many volumes with one call", volumes).await;
    check("A rollout of a Deployment", rollout).await;
    check("A queue of your own", queue).await;
}

#[test]
fn the_blocks_of_the_page_are_in_this_file() {
    let without_spaces = |text: &str| text.split_whitespace().collect::<String>();
    let blocks: Vec<_> = PAGE.split("```rust\n").skip(1).collect();
    assert_eq!(blocks.len(), 7);
    for block in blocks {
        let (code, _) = block.split_once("```").unwrap();
        assert!(
            without_spaces(THIS_FILE).contains(&without_spaces(code)),
            "{code}"
        );
    }
}
