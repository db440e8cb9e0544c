//! The blocks for Rust of `docs/recipes.md`, on the scripts of `tests/recipes.json`. Each block is also in this file, so that it is compiled.

#![cfg(feature = "tokio")]
#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a panic fails the test"
)]

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::future::{Ready, ready};

use serde_json::{Value, json};
use smithy_waiters::driver::WaitersError;
use smithy_waiters::{ErrorMetadata, FailureKind};

// The imports of the page.
use std::time::Duration;

use smithy_waiters::driver::{EachOptions, TokioRuntime};
use smithy_waiters::{
    Driver, FleetOptions, Left, LeftElse, Same, WaitOptions, Waiter, WaiterError,
};

const PAGE: &str = include_str!("../../docs/recipes.md");
const SCRIPTS: &str = include_str!("../../tests/recipes.json");
const THIS_FILE: &str = include_str!("recipes.rs");

type Ended = Result<(), Box<dyn Error>>;
type Failure = ErrorMetadata<'static>;

/// Answers for the operation that is repeated. The last answer is repeated.
struct Script {
    template: String,
    answers: Vec<Value>,
    calls: Cell<usize>,
    asked: RefCell<Vec<Value>>,
}

impl Script {
    fn new(recipe: &Value, script: &Value) -> Self {
        let expanded = |one: &Value| match one.as_array().map(Vec::as_slice) {
            Some([answer, Value::Number(times)]) => {
                vec![answer.clone(); times.to_string().parse().unwrap()]
            }
            _ => vec![one.clone()],
        };
        Self {
            template: recipe["answer"].to_string(),
            answers: (script["answers"].as_array().unwrap().iter())
                .flat_map(expanded)
                .collect(),
            calls: Cell::new(0),
            asked: RefCell::default(),
        }
    }

    fn poll(&self) -> Ready<Result<Value, Failure>> {
        let answer = self.answers.get(self.calls.get());
        let answer = answer.unwrap_or(self.answers.last().unwrap());
        self.calls.set(self.calls.get() + 1);
        if let Some(code) = answer["error"].as_str() {
            return ready(Err(ErrorMetadata::of_code(code.to_owned())));
        }
        let filled = self.template.replace("\"$\"", &answer.to_string());
        ready(Ok(serde_json::from_str(&filled).unwrap()))
    }

    fn other<T>(&self, operation: &str, answer: T) -> Ready<Result<T, Failure>> {
        self.asked.borrow_mut().push(operation.into());
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
        .fail(["deleting", "failed", "incompatible-parameters"])
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
    let options = WaitOptions::new(Duration::from_secs(1800)).same(Same::of(deployment));
    Waiter::preset("ecs/deployment")?
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
    let fleet = driver.fleet(&available, &fleet, describe_volumes)?;
    fleet
        .wait_each(volumes, &options, EachOptions::new())
        .await?;
    Ok(())
}

async fn rollout(script: &Script) -> Ended {
    let patch_deployment = |_| script.other("patchNamespacedDeployment", 3);
    let read_deployment = |_| script.poll();
    let generation = patch_deployment("web").await?; // its `metadata.generation`
    let options = WaitOptions::new(Duration::from_secs(1800))
        .at_least("status.observedGeneration", generation);
    Waiter::preset("kubernetes/deployment")?
        .wait(|_| read_deployment("web"), options)
        .await?;
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
        .show(["reason"]);
    let ended = done.wait(|_| get_job(job), options).await;
    if let Err(WaiterError::Failure(failure)) = &ended
        && failure.kind.leaves_work()
    {
        cancel_job(job).await?;
    }
    ended?;
    Ok(())
}

/// Returns the code of a failure, or those of the members of a fleet.
fn code(error: &(dyn Error + 'static)) -> String {
    if let Some(WaitersError::Failed { failures, .. }) = error.downcast_ref() {
        let code = |kind: Option<FailureKind>| kind.map_or("", FailureKind::code);
        let codes = failures
            .iter()
            .map(|(id, report)| format!("{id}: {}", code(report.kind)));
        return codes.collect::<Vec<_>>().join(", ");
    }
    let error = error.downcast_ref::<WaiterError<Value, Failure>>();
    error.map_or("", WaiterError::code).to_owned()
}

/// Runs the block of a recipe on all its scripts.
async fn check(title: &str, block: impl AsyncFn(&Script) -> Ended) {
    let recipes: Vec<Value> = serde_json::from_str(SCRIPTS).unwrap();
    let recipe = recipes
        .iter()
        .find(|recipe| recipe["title"] == title)
        .unwrap();
    for data in recipe["scripts"].as_array().unwrap() {
        let script = Script::new(recipe, data);
        let ended = block(&script).await;
        let words = ended
            .as_ref()
            .map_or_else(ToString::to_string, |()| String::new());
        let end = ended.map_or_else(|error| code(&*error), |()| "success".to_owned());
        assert_eq!(data["end"], end, "{data}: {words}");
        assert!(
            data["calls"].is_null() || data["calls"] == script.calls.get(),
            "{data}"
        );
        assert!(
            words.contains(data["words"].as_str().unwrap_or("")),
            "{data}: {words}"
        );
        assert!(
            data["asked"].is_null() || script.asked.borrow().contains(&data["asked"]),
            "{data}"
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
    check("Your own queue", queue).await;
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
