//! Two waits that cannot succeed, and the explanations of their failures.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use crate::demo::checks::Checks;
use crate::demo::clients::{ClientRun, run_clients};
use crate::demo::service::Service;
use crate::demo::stage::Stage;
use crate::demo::terminal::screen;
use crate::demo::terminal::tables;
use crate::demo::terminal::view::View;
use crate::demo::waiters::{Job, TableWaiter};

const MAX_WAIT: Duration = Duration::from_secs(3);

/// The read timeout of blocking clients, slightly above the max wait. Without it, they would never end.
const READ_TIMEOUT: f64 = 3.5;

/// Runs both waits.
pub(crate) fn show(stage: &Stage<'_>, checks: &mut Checks) -> Result<()> {
    screen::heading(
        "A service that hangs",
        "The service accepts the request and never responds. The max wait is 3 s. At the deadline, JavaScript aborts the \
         request with its signal, and Rust drops the call's future. A blocking call cannot be interrupted: boto3 returns \
         after its read timeout (3.5 s), and the late result is discarded.",
    );
    let mut service = Service::start_failing(stage)?;
    scene(stage, service.port, "timed_out", checks)?;
    screen::heading(
        "A missing permission",
        "DynamoDB returns AccessDeniedException, which no acceptor matches. Waiting cannot resolve this, so the wait fails \
         immediately. Some SDKs keep polling until the deadline.",
    );
    scene(stage, service.next_port()?, "unmatched_error", checks)
}

fn scene(stage: &Stage<'_>, port: u16, code: &str, checks: &mut Checks) -> Result<()> {
    let options = json!({"maxWait": MAX_WAIT.as_secs(), "minDelay": 0.3, "maxDelay": 1});
    let job = Job::new(TableWaiter::Exists, options)?.with_endpoint(port, READ_TIMEOUT);
    let mut view = View::open(stage, MAX_WAIT);
    let runs = run_clients(stage, "wait", &job, &mut view, None)?;
    stage.leave_lines();
    tables::print(&tables::ends_table(&runs));
    let mut agreed = true;
    for run in &runs {
        let what = format!("the failure in {}", run.language);
        agreed &= checks.same(&what, &*run.end.code, code);
        agreed &= checks.same(&format!("{what}: attempts"), &run.end.attempts, &1);
    }
    explain(&runs)?;
    if agreed {
        screen::agreement(&format!("`{code}` in all three"));
    }
    Ok(())
}

/// Prints the explanation, which comes from the engine, of one language.
fn explain(runs: &[ClientRun]) -> Result<()> {
    let run = runs.first().context("no client ran")?;
    let text = run.end.explanation.as_deref();
    screen::line(&format!("explain() in {}:", run.language));
    screen::quote(text.context("the failure has no explanation")?);
    screen::blank();
    Ok(())
}
