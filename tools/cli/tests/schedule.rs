//! The output of the verb `schedule`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::process::{Command, Output};

fn schedule(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    command.arg("schedule").args(arguments).output().unwrap()
}

fn stdout(arguments: &[&str]) -> String {
    String::from_utf8(schedule(arguments).stdout).unwrap()
}

fn stderr(arguments: &[&str]) -> String {
    String::from_utf8(schedule(arguments).stderr).unwrap()
}

const STEADY: [&str; 4] = ["--min-delay", "1", "--max-delay", "1"];

#[test]
fn a_schedule_is_the_same_on_every_run() {
    let steady = [&STEADY[..], &["--max-wait", "3", "--draws", "10"]].concat();
    let output = stdout(&steady);
    // One call at the start, then one per second. The last one starts a minimum delay before the end.
    for line in [
        "a sample of 10 waits:",
        "      1   100 %    0.0 s    0.0 s    0.0 s",
        "      3   100 %    2.0 s    2.0 s    2.0 s",
    ] {
        assert!(output.contains(line), "{output}");
    }
    assert!(output.contains("\ncalls: 3.0 on average\n       at least 3 with the longest delays, at most 3 with the shortest\n"), "{output}");
    assert_eq!(stdout(&[]), stdout(&[]));
}

#[test]
fn a_sample_is_a_table_with_a_plot_and_the_lag() {
    let few = ["--draws", "8", "--max-wait", "20", "--max-delay", "8"];
    let expected = "\
a sample of 8 waits:

attempt   waits     10 %   median     90 %
      1   100 %    0.0 s    0.0 s    0.0 s  ●···································
      2   100 %    2.0 s    2.0 s    2.0 s  ···●································
      3   100 %    4.0 s    5.4 s    5.5 s  ·······──●··························
      4   100 %    7.0 s   11.1 s   12.9 s  ············───────●───·············
      5   100 %    9.9 s   14.8 s   17.9 s  ·················────────●──────····
      6   100 %   14.6 s   17.5 s   18.0 s  ·························─────●─····
      7    50 %   18.0 s   18.0 s   18.0 s  ·······························●····

calls: 6.5 on average
       at least 5 with the longest delays, at most 10 with the shortest
end: after 18.0 s at the latest, 2.0 s before the max wait

ready at  noticed mean lag     95 %    calls
   2.0 s    100 %    1.4 s    2.7 s      2.4
  10.0 s    100 %    2.8 s    4.8 s      4.5
  18.0 s     62 %    0.4 s    0.5 s      6.0
";
    assert_eq!(stdout(&few), expected);
    // Long times need wider columns, and few of many calls are listed.
    let long = stdout(&["--draws", "40", "--max-wait", "200000", "--max-delay", "6"]);
    for part in [
        "\nattempt   waits       10 %     median       90 %\n",
        "\n     30   100 %    106.0 s    112.4 s    118.7 s  ●·····························\nlater attempts are not listed\n",
        "\ncalls: 50000.9 on average\n",
        "\n  ready at  noticed   mean lag       95 %    calls\n",
        "\n100000.0 s    100 %      2.0 s      3.8 s  24900.3\n",
    ] {
        assert!(long.contains(part), "{part}{long}");
    }
    let rare = ["--draws", "2000", "--max-wait", "30", "--max-delay", "20"];
    let rare = stdout(&rare);
    assert!(
        rare.contains("\n      9    <1 %   27.7 s   28.0 s"),
        "{rare}"
    );
    // The bounds of other paces are those of the sample.
    let other = [
        "--draws",
        "9",
        "--max-wait",
        "60",
        "--pace",
        "proportional=1",
    ];
    let other = stdout(&[&other[..], &["--max-delay", "40"]].concat());
    assert!(other.contains("\n       7 to 8 in the sample\n"), "{other}");
}

#[test]
fn bounds_are_not_those_of_the_sample() {
    // A random wait is unlikely to have 150 calls.
    let output = stdout(&["--draws", "1"]);
    assert!(
        output.contains("at least 9 with the longest delays, at most 150 with the shortest"),
        "{output}"
    );
}

#[test]
fn what_is_cut_is_said() {
    let long = [&STEADY[..], &["--max-wait", "1000000", "--draws", "100"]].concat();
    let output = stdout(&long);
    assert!(
        output.contains("later attempts are not listed\n"),
        "{output}"
    );
    assert!(output.contains("calls: 1000000.0 on average\n       at least 1000000 with the longest delays, at most 1000000 with"), "{output}");
    assert!(
        output.contains("the average is an estimate: each wait is simulated up to call 20000\n"),
        "{output}"
    );
    assert!(!stdout(&[]).contains("estimated"));
}

#[test]
fn times_that_no_waiter_has_are_refused() {
    for (arguments, message) in [
        (
            ["--min-delay", "200"],
            "error: `--min-delay` must not exceed `--max-delay`, got 200 s and 120 s\n",
        ),
        (
            ["--min-delay", "0.0001"],
            "error: `--min-delay` must be between 0.001 and 315360000 (ten years), got 0.0001\n",
        ),
        (
            ["--max-wait", "NaN"],
            "error: `--max-wait` must be between 0.001 and 315360000 (ten years), got NaN\n",
        ),
    ] {
        assert_eq!(stderr(&arguments), message);
        assert_eq!(schedule(&arguments).status.code(), Some(2));
    }
}

/// Returns the numbers in the row for a resource that becomes ready at a time.
fn lag(output: &str, ready: &str) -> Vec<f64> {
    let line = output
        .lines()
        .find(|line| line.trim_start().starts_with(ready));
    let cells = line.unwrap().split_whitespace();
    cells.filter_map(|cell| cell.parse().ok()).collect()
}

#[test]
fn the_lag_of_a_fixed_delay_is_spread_evenly_over_it() {
    let output = stdout(&["--pace", "every=10", "--max-wait", "1000"]);
    assert!(
        output.contains("at least 100 with the longest delays, at most 100"),
        "{output}"
    );
    assert!(
        output.contains("\nend: after 990.0 s at the latest, 10.0 s before the max wait\n"),
        "{output}"
    );
    let [ready, noticed, mean, p95, calls] = lag(&output, "500.0 s")[..] else {
        panic!("{output}");
    };
    assert_eq!((ready, noticed), (500.0, 100.0));
    assert!((mean - 5.0).abs() < 0.2, "{output}");
    assert!((p95 - 9.5).abs() < 0.2, "{output}");
    assert!((calls - 51.5).abs() < 0.5, "{output}");
}

#[test]
fn the_lag_of_a_proportional_pace_is_a_part_of_the_time_waited() {
    let pace = [
        "--pace",
        "proportional=0.1",
        "--max-delay",
        "7200",
        "--max-wait",
        "7200",
    ];
    let output = stdout(&pace);
    for ready in ["720.0 s", "3600.0 s"] {
        let [ready, noticed, _, p95, calls] = lag(&output, ready)[..] else {
            panic!("{output}");
        };
        // The times of a row are spread by a twentieth of the max wait in each direction.
        assert!(noticed == 100.0 && p95 <= 0.1 * (ready + 360.0), "{output}");
        assert!(calls < 80.0, "{output}");
    }
    assert!(output.contains(" in the sample\n"), "{output}");
}

#[test]
fn a_late_final_poll_leaves_no_gap_before_the_end() {
    let pace = ["--pace", "every=60", "--max-wait", "600", "--final-poll"];
    let early = stdout(&[&pace[..], &["specification"]].concat());
    assert!(
        early.contains("\nend: after 540.0 s at the latest, 60.0 s before the max wait\n"),
        "{early}"
    );
    let late = stdout(&[&pace[..], &["late"]].concat());
    assert!(
        late.contains("\nend: after 599.0 s at the latest, 1.0 s before the max wait\n"),
        "{late}"
    );
    let [noticed_early, noticed_late] = [early, late].map(|output| lag(&output, "540.0 s")[1]);
    assert!(
        noticed_early < 60.0 && noticed_late > 95.0,
        "{noticed_early} {noticed_late}"
    );
}

#[test]
fn a_waiter_of_a_model_brings_its_delays() {
    let folder = common::folder("schedule");
    let model = r#"$version: "2.0"
namespace example
use smithy.waiters#waitable

@waitable(JobDone: { minDelay: 7, maxDelay: 7, acceptors: [{ state: "success", matcher: { success: true } }] })
operation GetJob {}

@waitable(JobDone: { acceptors: [{ state: "success", matcher: { success: true } }] })
operation GetOther {}

@waitable(jOBDONE: { minDelay: 9, acceptors: [{ state: "success", matcher: { success: true } }] })
operation GetThird {}
"#;
    std::fs::write(folder.join("model.smithy"), model).unwrap();
    let model = folder.to_str().unwrap();
    let of_job = ["jobdone", model, "--operation", "GetJob"];
    let output = stdout(&[&of_job[..], &["--max-wait", "70"]].concat());
    assert!(
        output.starts_with("waiter `jobdone` of `example#GetJob`: 7 s to 7 s\n\n"),
        "{output}"
    );
    assert!(
        output.contains("      3   100 %   14.0 s   14.0 s   14.0 s"),
        "{output}"
    );
    let output = stdout(&[&of_job[..], &["--min-delay", "5", "--max-delay", "5"]].concat());
    assert!(
        output.contains("      3   100 %   10.0 s   10.0 s   10.0 s"),
        "{output}"
    );
    let output = stdout(&["jOBDONE", model]);
    assert!(output.starts_with("waiter `jOBDONE` of `example#GetThird`: 9 s"));
    let of_none = ["JobDone", model, "--operation", "GetNone"];
    assert_eq!(
        stderr(&of_none),
        "error: no operation `GetNone` has a waiter `JobDone`: run `smithy-waiters list` to list all waiters\n"
    );
    let both = stderr(&["JobDone", model]);
    let message = "error: several operations have a waiter `JobDone`: ";
    assert!(both.starts_with(message), "{both}");
}

#[test]
fn paces_that_no_wait_has_are_refused() {
    for (pace, problem) in [
        (
            "every",
            "must be `specification`, `doubling`, `every=SECONDS` or `proportional=PART`",
        ),
        (
            "every=0",
            "`every` must be between 0.001 and 315360000 (ten years), got 0",
        ),
        (
            "proportional=2",
            "`proportional` must be greater than 0 and at most 1, got 2",
        ),
    ] {
        let output = stderr(&["--pace", pace]);
        assert!(output.contains(problem), "{output}");
    }
    let output = stderr(&["--pace", "every=5", "--max-delay", "9"]);
    assert_eq!(
        output,
        "error: `--pace every` cannot be combined with `--min-delay` or `--max-delay`\n"
    );
}
