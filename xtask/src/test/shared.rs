//! The tests of `tests/javascript` and `tests/python`, which are the same in both languages.

use std::path::Path;

use anyhow::Result;
use duct::Expression;

use super::{counts, data, javascript, python};
use crate::process::TeeOutput;
use crate::project::{self, Project};

/// The runner of a language that has a file for each of these tests.
#[derive(Clone, Copy)]
pub(crate) enum Runner {
    JavaScript,
    Python,
}

impl Runner {
    /// Runs the vectors that all languages share.
    pub(super) fn vectors(self, project: &Project) -> Result<String> {
        let results = match self {
            Self::JavaScript => "vectors/javascript.json",
            Self::Python => "vectors/python.json",
        };
        // Remove the results of an earlier run.
        project::write(&project.target(results), "{}")?;
        self.summarize(&self.run(project, "vectors", Ok)?)
    }

    /// Runs a number of waits right after a change.
    pub(crate) fn stale(self, project: &Project, runs: &str) -> Result<String> {
        let output = self.run(project, "stale", |command| {
            Ok(command.env("SMITHY_WAITERS_STALE_RUNS", runs))
        })?;
        self.summarize(&output)
    }

    /// Runs the official JMESPath compliance suite.
    pub(super) fn compliance(self, project: &Project) -> Result<String> {
        let output = self.run(project, "compliance", |command| {
            data::with_compliance(project, &command)
        })?;
        output.summarize(|output| counts::line(output, data::COMPLIANCE))
    }

    /// Runs the verdicts on real models.
    pub(super) fn aws_verdicts(self, project: &Project) -> Result<String> {
        let output = self.run(project, "aws_verdicts", |command| {
            data::with_all_verdicts(project, &command)
        })?;
        output.summarize(|output| counts::line(output, data::AWS_VERDICTS))
    }

    /// Compares the package with the oracle on the cases of a folder.
    pub(super) fn as_in_the_oracle(self, project: &Project, cases: &Path) -> Result<()> {
        let output = self.run(project, "oracle", |command| {
            Ok(command.env("SMITHY_WAITERS_CASES", cases))
        })?;
        output.describe("").map(drop)
    }

    fn run(
        self,
        project: &Project,
        name: &str,
        prepare: impl Fn(Expression) -> Result<Expression>,
    ) -> Result<TeeOutput> {
        match self {
            Self::JavaScript => javascript::shared(project, &name.replace('_', "-"), prepare),
            Self::Python => {
                python::pytest_file(project, &format!("tests/python/test_{name}.py"), prepare)
            }
        }
    }

    fn summarize(self, output: &TeeOutput) -> Result<String> {
        output.summarize(match self {
            Self::JavaScript => counts::node_test,
            Self::Python => counts::pytest,
        })
    }
}
