//! Extracts the number of tests from the runners' summaries. A runner that ran no tests fails.

use anyhow::{Context, Result, ensure};
use regex::Regex;

/// Returns the last non-empty line of the output.
pub(crate) fn last_line(output: &str) -> Result<String> {
    let last = output.lines().rev().find(|line| !line.trim().is_empty());
    Ok(last.context("the output is empty")?.trim().to_owned())
}

/// Returns the first line that starts with a prefix.
pub(super) fn line(output: &str, prefix: &str) -> Result<String> {
    // Node's reporters write a symbol before the output of a test file.
    let mut lines = output
        .lines()
        .map(|line| line.trim_start_matches(['#', 'ℹ', ' ']));
    let line = lines.find(|line| line.starts_with(prefix));
    Ok(line
        .with_context(|| format!("the output has no line that starts with `{prefix}`"))?
        .to_owned())
}

/// Returns the rest of the first line that starts with a prefix.
pub(super) fn after(output: &str, prefix: &str) -> Result<String> {
    Ok(line(output, prefix)?.replacen(prefix, "", 1))
}

/// Sums up the results of cargo's test programs: `test result: ok. 12 passed; 0 failed; 1 ignored; …`.
pub(crate) fn cargo_test(output: &str) -> Result<String> {
    let results = Regex::new(
        r"test result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; (?P<skipped>\d+) ignored",
    )?;
    let mut counts = Counts::default();
    for captures in results.captures_iter(output) {
        counts.add(&captures)?;
    }
    counts.sentence()
}

/// Reads the summary of Node's test runner: lines such as `ℹ pass 12`.
pub(super) fn node_test(output: &str) -> Result<String> {
    let count = |name: &str| -> Result<usize> {
        let line = Regex::new(&format!(r"(?m)^\S+ {name} (\d+)$"))?;
        let count = line
            .captures(output)
            .and_then(|captures| captures.get(1))
            .context("the output has no summary")?;
        Ok(count.as_str().parse()?)
    };
    let failed = count("fail")?.saturating_add(count("cancelled")?);
    Counts {
        passed: count("pass")?,
        failed,
        skipped: count("skipped")?.saturating_add(count("todo")?),
    }
    .sentence()
}

/// Reads the summary of Playwright's list: lines such as `  12 passed (3.4s)`.
pub(super) fn playwright(output: &str) -> Result<String> {
    let count = |name: &str| -> Result<usize> {
        let line = Regex::new(&format!(r"(?m)^ +(\d+) {name}\b"))?;
        let count = line.captures(output).and_then(|captures| captures.get(1));
        Ok(count.map_or(Ok(0), |count| count.as_str().parse())?)
    };
    Counts {
        passed: count("passed")?,
        failed: count("failed")?.saturating_add(count("flaky")?),
        skipped: count("skipped")?.saturating_add(count("did not run")?),
    }
    .sentence()
}

/// Reads pytest's last line, which omits zeros: `=== 1 failed, 12 passed, 1 skipped in 0.12s ===`.
pub(super) fn pytest(output: &str) -> Result<String> {
    let closing = last_line(output)?;
    let count = |names: &str| -> Result<usize> {
        let part = Regex::new(&format!(r"(\d+) (?:{names})\b"))?;
        let counts = part
            .captures_iter(&closing)
            .filter_map(|captures| captures.get(1)?.as_str().parse::<usize>().ok());
        Ok(counts.fold(0, usize::saturating_add))
    };
    let counts = Counts {
        passed: count("passed|xpassed")?,
        failed: count("failed|errors?")?,
        skipped: count("skipped|xfailed|deselected")?,
    };
    counts.sentence()
}

#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Counts {
    fn add(&mut self, captures: &regex::Captures<'_>) -> Result<()> {
        let count = |name: &str| -> Result<usize> {
            Ok(captures.name(name).context("no count")?.as_str().parse()?)
        };
        self.passed = self.passed.saturating_add(count("passed")?);
        self.failed = self.failed.saturating_add(count("failed")?);
        self.skipped = self.skipped.saturating_add(count("skipped")?);
        Ok(())
    }

    fn sentence(&self) -> Result<String> {
        ensure!(self.passed.saturating_add(self.failed) > 0, "no tests ran");
        let parts = [
            (self.passed, "passed"),
            (self.failed, "failed"),
            (self.skipped, "skipped"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{count} {name}"))
            .collect();
        Ok(parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::{cargo_test, line, node_test, playwright, pytest};

    #[test]
    fn a_line_is_found_by_its_beginning() {
        let output = "✔ one\nℹ suite: 3 of 3\nℹ pass 3\n";
        assert_eq!(line(output, "suite: ").unwrap(), "suite: 3 of 3");
        assert!(line(output, "other: ").is_err());
    }

    #[test]
    fn cargo_sums_the_test_programs() {
        let output = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\
                      test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(
            cargo_test(output).unwrap(),
            "15 passed, 2 failed, 1 skipped"
        );
        assert!(cargo_test("error: could not compile").is_err());
        assert!(
            cargo_test("test result: ok. 0 passed; 0 failed; 0 ignored;").is_err(),
            "no tests ran"
        );
    }

    #[test]
    fn node_counts_cancelled_as_failed() {
        let output = "ℹ tests 6\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 5\n";
        assert_eq!(node_test(output).unwrap(), "3 passed, 2 failed, 1 skipped");
        assert!(node_test("Could not find 'x'").is_err());
    }

    #[test]
    fn pytest_omits_zeros() {
        assert_eq!(
            pytest("a\n===== 1 failed, 12 passed, 2 skipped, 1 error in 0.12s =====\n").unwrap(),
            "12 passed, 2 failed, 2 skipped"
        );
        assert_eq!(pytest("===== 3 passed in 0.01s =====").unwrap(), "3 passed");
        assert!(pytest("===== no tests ran in 0.00s =====").is_err());
    }

    #[test]
    fn playwright_prints_a_line_for_each_result() {
        let output = "  ✓ 1 [it] › 12 failed\n  1 failed\n    a.spec.ts:1\n  1 skipped\n  19 passed (4.8m)\n";
        assert_eq!(
            playwright(output).unwrap(),
            "19 passed, 1 failed, 1 skipped"
        );
        assert!(playwright("").is_err());
    }
}
