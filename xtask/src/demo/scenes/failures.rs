//! Two waits that cannot succeed, and what the failures say.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::json;

use crate::demo::act::{Story, play};
use crate::demo::checks::Checks;
use crate::demo::service::Service;
use crate::demo::stage::Stage;
use crate::demo::terminal::screen;
use crate::demo::terminal::tables;
use crate::demo::terminal::view::View;
use crate::demo::waiters::{Job, TableWaiter};

const MAX_WAIT: Duration = Duration::from_secs(3);

/// A little above the max wait: what a blocking client needs so that it ends at all.
const READ_TIMEOUT: f64 = 3.5;

/// Shows both.
pub(crate) fn show(stage: &Stage<'_>, checks: &mut Checks) -> Result<()> {
    screen::heading(
        "A service that hangs",
        "It takes the request and never answers; the max wait is 3 s. At the deadline JavaScript aborts the request by its signal, and \
         Rust drops the call's future. A blocking call cannot be cut: boto3 returns when its own read timeout (3.5 s) is over, and \
         what it returns is not looked at any more.",
    );
    let mut service = Service::start_failing(stage)?;
    scene(stage, service.port, "timed_out", checks)?;
    screen::heading(
        "A permission that is missing",
        "DynamoDB answers AccessDeniedException, which no acceptor knows. Time will not change that, so the wait ends at once; some \
         SDKs go on asking until the deadline.",
    );
    scene(stage, service.next_port()?, "unmatched_error", checks)
}

fn scene(stage: &Stage<'_>, port: u16, code: &str, checks: &mut Checks) -> Result<()> {
    let options = json!({"maxWait": MAX_WAIT.as_secs(), "minDelay": 0.3, "maxDelay": 1});
    let job = Job::new(TableWaiter::Exists, options)?.at(port, READ_TIMEOUT);
    let mut view = View::open(stage, MAX_WAIT);
    let stories = play(stage, "wait", &job, &mut view, None)?;
    stage.leave_lines();
    tables::print(&tables::of_ends(&stories));
    let mut agreed = true;
    for story in &stories {
        let what = format!("the failure in {}", story.language);
        agreed &= checks.same(&what, &*story.end.code, code);
        agreed &= checks.same(&format!("{what}: attempts"), &story.end.attempts, &1);
    }
    explain(&stories)?;
    if agreed {
        screen::agreement(&format!("`{code}` in all three"));
    }
    Ok(())
}

/// One language's words, which are the engine's.
fn explain(stories: &[Story]) -> Result<()> {
    let story = stories.first().context("nobody waited")?;
    let text = story.end.explanation.as_deref();
    screen::line(&format!("explained, in {}:", story.language));
    screen::quote(text.context("a failure without an explanation")?);
    screen::blank();
    Ok(())
}
