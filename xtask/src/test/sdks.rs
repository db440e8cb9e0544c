//! Tests of the adapters for boto3, aiobotocore and aioboto3, with moto and with botocore's own tests.

use anyhow::Result;

use super::{counts, python};
use crate::process;
use crate::project::Project;
use crate::tools::python::Environment;

const TESTS: &str = "tests/sdks";

/// Runs the waiters of boto3's clients against moto.
pub(super) fn boto3(project: &Project) -> Result<String> {
    pytest(project, &environment(project, "boto3")?, "test_moto.py")
}

/// Runs the waiters of asynchronous clients against moto. aioboto3 requires another aiobotocore than the newest one.
pub(super) fn asynchronous(project: &Project) -> Result<String> {
    let test = |name| pytest(project, &environment(project, name)?, "test_aiobotocore.py");
    Ok(format!(
        "aiobotocore: {}; aioboto3: {}",
        test("aiobotocore")?,
        test("aioboto3")?
    ))
}

/// Runs botocore's own tests of waiters with patched waiters. They are a part of its source distribution.
pub(super) fn botocore(project: &Project) -> Result<String> {
    let environment = environment(project, "boto3")?;
    let pins = project.path(TESTS).join("requirements-botocore.txt");
    let folder = project.target("python/botocore-tests");
    let program = project.path(TESTS).join("botocore_tests.py");
    let program = [&program, &pins, &folder].map(|path| path.to_string_lossy().into_owned());
    let command = environment.python(&program.each_ref().map(String::as_str));
    process::tee(
        "botocore's tests of waiters",
        &process::without_aws_settings(project, &command),
    )?
    .summarize(counts::pytest)
}

/// Returns the environment of an SDK, with the wheel. The SDKs require different versions of botocore.
pub(crate) fn environment(project: &Project, name: &str) -> Result<Environment> {
    let requirements = project.path(TESTS).join(format!("requirements-{name}.txt"));
    python::environment_with(project, &format!("sdk-{name}"), &requirements)
}

/// Runs a file of tests. The service runs in the environment that has moto.
fn pytest(project: &Project, environment: &Environment, file: &str) -> Result<String> {
    let moto = self::environment(project, "boto3")?.program("python");
    let files = [format!("{TESTS}/{file}")];
    python::pytest_files(project, environment, &files, |pytest| {
        let pytest = pytest.env("SMITHY_WAITERS_MOTO_PYTHON", &moto);
        Ok(process::without_aws_settings(project, &pytest))
    })?
    .summarize(counts::pytest)
}
