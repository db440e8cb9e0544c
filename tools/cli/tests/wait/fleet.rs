//! One call for many names: `--for-each` with `--items` and `--key`.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value as Json, json};

use crate::common::{command, folder, run, run_with, stderr, stdout};
use crate::formats::{Terminal, checked_events};
use crate::{FAST, columns, server, words};

/// Describes volumes: `vol-3` is available at the third call, `bad-1` has an error, and `none-1` makes a call fail.
const DESCRIBE: &str = r#"
n=$(($(cat calls 2>/dev/null || echo 0) + 1)); echo $n > calls; echo "$@" >> lines
for id; do case $id in none*)
    echo "An error occurred (InvalidVolume.NotFound) when calling the DescribeVolumes operation: $id does not exist." >&2
    exit 254;;
esac; done
printf '{"Volumes": ['; sep=
for id; do
    state=creating; [ $n -ge ${id##*-} ] && state=available
    case $id in bad*) state=error;; gone*) continue;; esac
    printf '%s{"VolumeId": "%s", "State": "%s"}' "$sep" "$id" $state; sep=', '
done
printf '], "failures": ['; sep=
for id; do case $id in gone*) printf '%s{"arn": "%s", "reason": "MISSING"}' "$sep" "$id"; sep=', ';; esac; done
echo ']}'
"#;

const VOLUMES: [&str; 7] = [
    "--items",
    "Volumes[]",
    "--key",
    "VolumeId",
    "--until",
    "Volumes[].State=available",
    "--rate=1000",
];

struct Wait {
    exit: Option<i32>,
    out: String,
    err: String,
    /// The arguments of each call.
    lines: Vec<String>,
}

fn wait(folder: &Path, names: &str, options: &[&str], command: &[&str]) -> Wait {
    for file in ["calls", "lines"] {
        let _ = fs::remove_file(folder.join(file));
    }
    fs::write(folder.join("describe.sh"), DESCRIBE).unwrap();
    let names = ["--for-each", names];
    let output = run(
        folder,
        &[&FAST, &names[..], options, &["--"], command].concat(),
    );
    ended(folder, &output)
}

fn ended(folder: &Path, output: &Output) -> Wait {
    let lines = fs::read_to_string(folder.join("lines")).unwrap_or_default();
    Wait {
        exit: output.status.code(),
        out: stdout(output),
        err: stderr(output),
        lines: lines.lines().map(ToOwned::to_owned).collect(),
    }
}

#[test]
fn one_call_is_for_all_names_that_are_due() {
    let folder = folder("fleet-calls");
    for (command, first, second) in [
        (&["sh", "describe.sh", "{}"][..], "vol-1 vol-2", "vol-2"),
        (&["sh", "describe.sh"], "vol-1 vol-2", "vol-2"),
        (
            &["sh", "describe.sh", "Values={}", "{}"],
            "Values=vol-1,vol-2 vol-1 vol-2",
            "Values=vol-2 vol-2",
        ),
    ] {
        // A filter is no volume, so that its state is not an integer.
        let options = [&VOLUMES[..], &["--query", "Volumes[0].VolumeId"]].concat();
        let Wait {
            exit,
            out,
            err,
            lines,
        } = wait(&folder, "vol-2,vol-1", &options, command);
        assert_eq!(
            (exit, lines),
            (Some(0), vec![first.to_owned(), second.to_owned()]),
            "{err}"
        );
        // In the order of the names.
        assert_eq!(out, "vol-2\nvol-1\n");
        assert!(err.contains("\nvol-1: was already available\n"), "{err}");
        assert!(
            err.contains("\n1 waiting (1 creating), 1 succeeded\n"),
            "{err}"
        );
        assert!(err.contains("\nvol-2: available after "), "{err}");
        assert!(err.ends_with("\n2 of 2 succeeded\n"), "{err}");
    }
    let all = wait(
        &folder,
        "vol-1,vol-1b-1,vol-1c-1",
        &[&VOLUMES[..], &["--batch", "2", "--jobs", "1"]].concat(),
        &["sh", "describe.sh"],
    );
    assert_eq!(all.lines, ["vol-1 vol-1b-1", "vol-1c-1"]);
}

#[test]
fn the_last_line_names_each_failure() {
    // A call with an unknown name fails for all, and is repeated without it.
    const CASES: &str = "\
vol-1,bad-1,vol-2 | | 1 | 2 of 3 succeeded; failed: bad-1 (exit 1)
bad-1,vol-1,bad-2 | | 1 | 1 of 3 succeeded; failed: bad-1, bad-2 (exit 1)
vol-1,none-1,vol-2 | --not-found-for 50ms | 3 | 2 of 3 succeeded; failed: none-1 (exit 3)
bad-1,vol-9 | --fail-fast | 1 | 0 of 2 succeeded; failed: bad-1 (exit 1)
vol-1,vol-9,vol-99 | --quorum 1 | 0 | 1 of 3 succeeded
bad-1,bad-2,vol-9 | --quorum 2 | 1 | 0 of 3 succeeded; failed: bad-1, bad-2 (exit 1)
vol-1,vol-2 | --once | 124 | 1 of 2 succeeded; failed: vol-2 (exit 124)
vol-1,vol-9999 | --max-attempts 2 | 124 | 1 of 2 succeeded; failed: vol-9999 (exit 124)";
    let folder = folder("fleet-failures");
    let fail = [&VOLUMES[..], &["--fail", "error"]].concat();
    let call = ["sh", "describe.sh", "{}"];
    for case in CASES.lines() {
        let [names, options, exit, last] = columns(case);
        let wait = wait(
            &folder,
            names,
            &[&fail[..], &words(options)].concat(),
            &call,
        );
        let ended = (wait.exit, wait.err.lines().last());
        assert_eq!(ended, (exit.parse().ok(), Some(last)), "{}", wait.err);
    }
    let many: Vec<String> = (0..12).map(|number| format!("bad-{number:02}")).collect();
    let many = wait(&folder, &many.join(","), &fail, &["sh", "describe.sh"]);
    assert!(
        many.err.ends_with("bad-08, bad-09 and 2 more (exit 1)\n"),
        "{}",
        many.err
    );
}

#[test]
fn the_options_of_a_wait_are_those_of_each_name() {
    let folder = folder("fleet-options");
    let call = ["sh", "describe.sh"];
    let with = |options: &[&'static str]| [&VOLUMES[..], options].concat();
    let Wait {
        exit, err, lines, ..
    } = wait(&folder, "vol-1,vol-2", &with(&["--successes", "2"]), &call);
    assert_eq!((exit, lines.len()), (Some(0), 3), "{err}");
    let same = with(&["--same", "Volumes[0].VolumeId={}", "--left", "creating"]);
    let Wait {
        exit, err, lines, ..
    } = wait(&folder, "vol-2,vol-3", &same, &call);
    assert_eq!((exit, lines.len()), (Some(0), 3), "{err}");
    // An entry of `failures` belongs to the name that it has.
    let also = with(&[
        "--also",
        "failures[]=arn",
        "--fail",
        "failures[].reason=MISSING",
    ]);
    let Wait { exit, err, .. } = wait(&folder, "vol-1,gone-1", &also, &call);
    assert_eq!(exit, Some(1));
    assert!(err.contains("gone-1: failed (exit 1)"), "{err}");
    let deleted = [&VOLUMES[..4], &["--rate=1000", "--until-deleted"]].concat();
    let Wait {
        exit, err, lines, ..
    } = wait(&folder, "gone-1,gone-2", &deleted, &call);
    // A single answer decides nothing about a resource that it lacks.
    assert_eq!((exit, lines.len()), (Some(0), 2), "{err}");
    assert!(err.contains("gone-1: gone after "), "{err}");
    let exists = [&VOLUMES[..4], &["--until-exists"]].concat();
    let Wait { exit, lines, .. } = wait(&folder, "vol-1,vol-2", &exists, &call);
    assert_eq!((exit, lines.len()), (Some(0), 1));
}

#[test]
fn a_single_resource_may_be_the_answer_itself() {
    let folder = folder("fleet-kubectl");
    // `kubectl get pods a b -o json` prints a list, `kubectl get pods a -o json` the object.
    let get = r#"
        echo "$@" >> lines; sep=
        pod() { printf '{"metadata": {"name": "%s"}, "status": {"phase": "%s"}}' "$1" "$2"; }
        case $# in
            1) pod "$1" Running;;
            *) printf '{"kind": "List", "items": ['; for id; do printf "$sep"; pod "$id" $([ $id = a ] && echo Running || echo Pending); sep=,; done; echo ']}';;
        esac"#;
    fs::write(folder.join("get.sh"), get).unwrap();
    let options = [
        "--items",
        "items[]",
        "--key",
        "metadata.name",
        "--until",
        "items[].status.phase=Running",
    ];
    let Wait {
        exit, err, lines, ..
    } = wait(&folder, "a,b", &options, &["sh", "get.sh", "{}"]);
    assert_eq!(
        (exit, &*lines),
        (Some(0), &["a b".to_owned(), "b".to_owned()][..]),
        "{err}"
    );
}

#[test]
fn an_answer_that_does_not_fit_says_so_at_once() {
    let folder = folder("fleet-shape");
    let call = ["sh", "describe.sh"];
    for (items, key, exit, message) in [
        (
            "Volumes[]",
            "VolumId",
            2,
            "`--items Volumes[] --key VolumId` does not fit the answer: resource 0 of `Volumes[]` has no text `VolumId`, did you mean `VolumeId`:",
        ),
        (
            "Volume[]",
            "VolumeId",
            2,
            "`--items Volume[] --key VolumeId` does not fit the answer: the answer must be an object with `Volume[]`, got an object with `Volumes`",
        ),
    ] {
        let options = ["--items", items, "--key", key, "--until-exists", "--once"];
        let wait = wait(&folder, "vol-1,vol-2", &options, &call);
        assert_eq!(
            (wait.exit, wait.lines.len()),
            (Some(exit), 1),
            "{}",
            wait.err
        );
        assert!(wait.err.contains(message), "{}", wait.err);
    }
}

#[test]
fn wrong_usage_is_refused_before_the_first_call() {
    const CASES: &str = "\
a,b,a | | `--for-each` must not repeat a name with `--items`, got `a` twice
a | --items Volumes | `--items` must be a chain of member names and `[]`
a | --key a..b | `--key` must be the name of the member that identifies a resource
a | --batch 0 | `--batch` must be an integer from 1 to 10,000, got 0
a | --rate 0 | `--rate` must be a number of calls per second, from 0.001 to 1000, got 0
a | --also failures[] | must be `PATH=MEMBER`, such as `failures[]=arn`
a | --until a={} | with `--items` all names have the same goals
a | --until-text x | cannot be used with
a | --quorum 2 | `--quorum` must be an integer from 1 to the number of waits, got 2 of 1";
    let folder = folder("fleet-usage");
    for case in CASES.lines() {
        let [names, options, message] = columns(case);
        let options = [&VOLUMES[..], &words(options)].concat();
        let wait = wait(&folder, names, &options, &["sh", "describe.sh"]);
        assert_eq!((wait.exit, wait.lines.len()), (Some(2), 0), "{}", wait.err);
        assert!(wait.err.contains(message), "{case}\n{}", wait.err);
    }
    let none = ["wait", "--for-each", "-", "--allow-empty"];
    let output = run_with(
        &folder,
        &[&none, &VOLUMES[..], &["--", "false"]].concat(),
        b"\n",
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_command_that_cannot_be_run_is_not_searched() {
    let folder = folder("fleet-cannot-run");
    let script = "echo call >> lines; exec no-such-command";
    let all = wait(
        &folder,
        "a-1,b-1,c-1,d-1",
        &VOLUMES,
        &["sh", "-c", script, "{}"],
    );
    assert_eq!((all.exit, all.lines.len()), (Some(127), 1), "{}", all.err);
}

#[test]
fn a_url_has_the_names_in_one_place() {
    let folder = folder("fleet-url");
    let body = r#"{"jobs": [{"id": "a/b", "seen": "REQUEST"}, {"id": "c d", "seen": "REQUEST"}]}"#;
    let address = server(vec![(200, body)]);
    let url = format!("http://{address}/jobs?ids={{}}");
    let names = ["--for-each", "a/b,c d", "--items", "jobs[]", "--key", "id"];
    let options = ["--until", "jobs[].seen", "--query", "jobs[0].seen", &*url];
    let output = run(&folder, &[&FAST, &names[..], &options].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let seen = stdout(&output);
    assert_eq!(seen.lines().count(), 2, "{seen}");
    assert!(
        seen.lines()
            .all(|line| line.starts_with("GET /jobs?ids=a%2Fb,c%20d HTTP/1.1|")),
        "{seen}"
    );
}

#[test]
fn calls_at_the_same_time_are_limited() {
    let folder = folder("fleet-jobs");
    let slow = "echo start >> order; sleep 0.1; echo end >> order; printf '{\"Volumes\": [{\"VolumeId\": \"%s\", \"State\": \"available\"}]}' $1";
    fs::write(folder.join("slow.sh"), slow).unwrap();
    let options = [&VOLUMES[..], &["--batch", "1", "--jobs", "1"]].concat();
    let all = wait(&folder, "a-1,b-1,c-1", &options, &["sh", "slow.sh", "{}"]);
    assert_eq!(all.exit, Some(0), "{}", all.err);
    let order = fs::read_to_string(folder.join("order")).unwrap();
    assert_eq!(order, "start\nend\n".repeat(3));
}

#[test]
fn a_call_that_hangs_ends_at_the_deadline() {
    let folder = folder("fleet-hangs");
    let options = [&VOLUMES[..], &["--timeout", "500ms"]].concat();
    let started = Instant::now();
    let hangs = ["sh", "-c", "sleep 30"];
    let all = wait(&folder, "vol-1,vol-2", &options, &hangs);
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(all.exit, Some(124), "{}", all.err);
    for name in ["vol-1", "vol-2"] {
        let end = format!("{name}: timed out (exit 124)");
        assert!(all.err.contains(&end), "{}", all.err);
    }
}

#[test]
fn json_has_the_events_of_each_name() {
    let folder = folder("fleet-json");
    fs::write(folder.join("describe.sh"), DESCRIBE).unwrap();
    let options = [
        &["--format", "json", "--for-each", "vol-1,bad-1"],
        &VOLUMES[..],
        &["--fail", "error"],
    ]
    .concat();
    let events = checked_events(
        &folder,
        &[&FAST, &options[..], &["--", "sh", "describe.sh"]].concat(),
    );
    let of = |event: &str, label: &str| {
        let mut all = events.iter();
        let found = all.find(|found| found["event"] == event && found["label"] == label);
        found.cloned().unwrap()
    };
    assert_eq!(events[0]["labels"], json!(["vol-1", "bad-1"]));
    assert_eq!(of("attempt", "vol-1")["record"]["state"], "success");
    assert_eq!(of("attempt", "bad-1")["record"]["state"], "failure");
    assert_eq!(of("end", "bad-1")["code"], "failure_state");
    let last = events
        .last()
        .map(|last| (&last["succeeded"], &last["failed"], &last["exit"]));
    assert_eq!(last, Some((&json!(1), &json!(["bad-1"]), &json!(1))));

    let usage = [
        &[
            "--format",
            "json",
            "--for-each",
            "vol-1",
            "--items",
            "Volumes[]",
            "--key",
            "id",
        ],
        &VOLUMES[4..],
    ]
    .concat();
    let events = checked_events(
        &folder,
        &[&FAST, &usage[..], &["--", "sh", "describe.sh"]].concat(),
    );
    let names: Vec<&Json> = events.iter().map(|event| &event["event"]).collect();
    assert_eq!(names, ["start", "error"]);
}

#[test]
fn github_and_a_terminal_count_the_names() {
    let folder = folder("fleet-live");
    fs::write(folder.join("describe.sh"), DESCRIBE).unwrap();
    let options = [&["--for-each", "vol-1,vol-8,vol-9"], &VOLUMES[..]].concat();
    let arguments = [
        &FAST,
        &options[..],
        &["--quorum", "1", "--", "sh", "describe.sh"],
    ]
    .concat();
    let github = command(&folder, &arguments)
        .env("GITHUB_ACTIONS", "true")
        .output()
        .unwrap();
    assert!(
        stderr(&github).ends_with("::endgroup::\nvol-1: was already available\n1 of 3 succeeded\n")
    );

    let _ = fs::remove_file(folder.join("calls"));
    let options = [&options[..], &["--interval", "1h", "--timeout", "3h"]].concat();
    let mut wait = Terminal::start_command(&folder, &options, &["sh", "describe.sh"]);
    let screen = wait.wait_for("3 names: 2 waiting (2 creating), 1 succeeded; call 1, next in ");
    assert!(screen.contains("vol-1: was already available"), "{screen}");
    kill_process(Pid::from_child(&wait.child), Signal::INT).unwrap();
    let screen = wait.wait_for("1 of 3 succeeded; failed: vol-8, vol-9 (exit 130)");
    assert!(
        screen.contains("vol-9: interrupted (exit 130)") && !screen.contains("3 names:"),
        "{screen}"
    );
    assert_eq!(wait.exit_code(), Some(130));
}
