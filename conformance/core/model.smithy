$version: "2"

namespace waiters.conformance

use aws.protocols#restJson1
use smithy.waiters#waitable

/// A service for tests. Its waiters are those of the cases in this folder.
@restJson1
service Jobs {
    version: "2026-01-01"
    operations: [GetJob, CancelJob]
}

@waitable(
    StatusDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    StatusEmpty: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status", expected: "", comparator: "stringEquals"}}}
        ]
    }
    CountIsThree: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count", expected: "3", comparator: "stringEquals"}}}
        ]
    }
    DoneIsText: {
        acceptors: [
            {state: "success", matcher: {output: {path: "done", expected: "true", comparator: "stringEquals"}}}
        ]
    }
    StatusCafe: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status", expected: "café", comparator: "stringEquals"}}}
        ]
    }
    DoneTrue: {
        acceptors: [
            {state: "success", matcher: {output: {path: "done", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    DoneFalse: {
        acceptors: [
            {state: "success", matcher: {output: {path: "done", expected: "false", comparator: "booleanEquals"}}}
        ]
    }
    StatusTrue: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    CountTrue: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    CountFalse: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count", expected: "false", comparator: "booleanEquals"}}}
        ]
    }
    NamesFalse: {
        acceptors: [
            {state: "success", matcher: {output: {path: "names", expected: "false", comparator: "booleanEquals"}}}
        ]
    }
    AllDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[].status", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    AllMarks: {
        acceptors: [
            {state: "success", matcher: {output: {path: "marks", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    AllCounts: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[].count", expected: "1", comparator: "allStringEquals"}}}
        ]
    }
    AllOfText: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    AnyDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[].status", expected: "DONE", comparator: "anyStringEquals"}}}
        ]
    }
    AnyMarks: {
        acceptors: [
            {state: "success", matcher: {output: {path: "marks", expected: "DONE", comparator: "anyStringEquals"}}}
        ]
    }
    AnyOfText: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "anyStringEquals"}}}
        ]
    }
    NotStatus: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!status", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NotStatusAfterError: {
        acceptors: [
            {state: "retry", matcher: {errorType: "JobNotFound"}}
            {state: "success", matcher: {output: {path: "!status", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    SameNumber: {
        acceptors: [
            {state: "success", matcher: {inputOutput: {path: "length(input.names) == length(output.names)", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    SameOwner: {
        acceptors: [
            {state: "success", matcher: {inputOutput: {path: "output.owner.name == input.owner", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NoInputOwner: {
        acceptors: [
            {state: "success", matcher: {inputOutput: {path: "!(input.owner)", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    Exists: {
        acceptors: [
            {state: "success", matcher: {success: true}}
        ]
    }
    Gone: {
        acceptors: [
            {state: "success", matcher: {success: false}}
        ]
    }
    Deleted: {
        acceptors: [
            {state: "success", matcher: {errorType: "JobNotFound"}}
        ]
    }
    DeletedUnmodeled: {
        acceptors: [
            {state: "success", matcher: {errorType: "InternalGone"}}
        ]
    }
    DeletedAbsolute: {
        acceptors: [
            {state: "success", matcher: {errorType: "waiters.conformance#JobNotFound"}}
        ]
    }
    DeletedElsewhere: {
        acceptors: [
            {state: "success", matcher: {errorType: "other.namespace#JobNotFound"}}
        ]
    }
    FailFast: {
        acceptors: [
            {state: "failure", matcher: {output: {path: "status", expected: "FAILED", comparator: "stringEquals"}}}
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    FailureByError: {
        acceptors: [
            {state: "failure", matcher: {errorType: "Conflict"}}
            {state: "success", matcher: {success: true}}
        ]
    }
    FailureBeforeSuccess: {
        acceptors: [
            {state: "failure", matcher: {output: {path: "steps[].status", expected: "FAILED", comparator: "anyStringEquals"}}}
            {state: "success", matcher: {output: {path: "steps[].status", expected: "DONE", comparator: "anyStringEquals"}}}
        ]
    }
    SuccessBeforeFailure: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[].status", expected: "DONE", comparator: "anyStringEquals"}}}
            {state: "failure", matcher: {output: {path: "steps[].status", expected: "FAILED", comparator: "anyStringEquals"}}}
        ]
    }
    RetryBeforeSuccess: {
        acceptors: [
            {state: "retry", matcher: {output: {path: "steps[].status", expected: "RUNNING", comparator: "anyStringEquals"}}}
            {state: "success", matcher: {output: {path: "steps[].status", expected: "DONE", comparator: "anyStringEquals"}}}
        ]
    }
    ErrorAfterPath: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "stringEquals"}}}
            {state: "retry", matcher: {errorType: "JobNotFound"}}
        ]
    }
    ErrorBeforeAny: {
        acceptors: [
            {state: "retry", matcher: {errorType: "JobNotFound"}}
            {state: "success", matcher: {success: false}}
        ]
    }
    NotNames: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!names", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NotStatusText: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!status", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NotDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!done", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NotCount: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!count", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    Bool: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!!names", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NameOrStatus: {
        acceptors: [
            {state: "success", matcher: {output: {path: "owner.name || status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    CountOrStatus: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count || status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    DoneAndStatus: {
        acceptors: [
            {state: "success", matcher: {output: {path: "done && status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    NamesAndDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "names && done", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    Precedence: {
        acceptors: [
            {state: "success", matcher: {output: {path: "done || done && `false`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    StatusIsOwner: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status == owner.name", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    CountIsText: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count == '3'", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    DoneIsOne: {
        acceptors: [
            {state: "success", matcher: {output: {path: "done == `1`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    CountIsOne: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count == `1.0`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NamesAreAB: {
        acceptors: [
            {state: "success", matcher: {output: {path: "names == ['a', 'b']", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NotFailed: {
        acceptors: [
            {state: "success", matcher: {output: {path: "status != 'FAILED'", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    CountOver: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count > `3`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    CountFrom: {
        acceptors: [
            {state: "success", matcher: {output: {path: "count >= `3`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NotCountUnder: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!(count < `3`)", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NotTextUnder: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!(status < 'B')", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    TeamDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "owner.team.name", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    StepsStatus: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps.status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    FirstDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[0].status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    LastDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[-1].status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    ThirdMissing: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!steps[2]", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    FirstTwoDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[:2].status", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    NoProjection: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!steps[*].status", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NoSteps: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[*].status == `[]`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NestedParts: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[*].parts[*] | [0][0]", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    AllParts: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[].parts[]", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    FlatGroups: {
        acceptors: [
            {state: "success", matcher: {output: {path: "groups[]", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    FilteredDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[?name == 'main'].status", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    FilteredMissing: {
        acceptors: [
            {state: "success", matcher: {output: {path: "length(steps[?status != 'DONE']) == `1`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    AllLabels: {
        acceptors: [
            {state: "success", matcher: {output: {path: "labels.*", expected: "DONE", comparator: "allStringEquals"}}}
        ]
    }
    AnyOfTwo: {
        acceptors: [
            {state: "success", matcher: {output: {path: "[status, kind]", expected: "DONE", comparator: "anyStringEquals"}}}
        ]
    }
    HashMember: {
        acceptors: [
            {state: "success", matcher: {output: {path: "{a: status}.a", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    PipedFirst: {
        acceptors: [
            {state: "success", matcher: {output: {path: "steps[].status | [0]", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    CurrentPart: {
        acceptors: [
            {state: "success", matcher: {output: {path: "names[?@ == 'DONE'] | [0]", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    TwoNames: {
        acceptors: [
            {state: "success", matcher: {output: {path: "length(names) == `2`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    OneCharacter: {
        acceptors: [
            {state: "success", matcher: {output: {path: "length(status) == `1`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    OneLabel: {
        acceptors: [
            {state: "success", matcher: {output: {path: "length(labels) == `1`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    NamesContain: {
        acceptors: [
            {state: "success", matcher: {output: {path: "contains(names, 'DONE')", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    StatusContains: {
        acceptors: [
            {state: "success", matcher: {output: {path: "contains(status, 'ON')", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    HasLabel: {
        acceptors: [
            {state: "success", matcher: {output: {path: "keys(labels)", expected: "DONE", comparator: "anyStringEquals"}}}
        ]
    }
    CountLength: {
        acceptors: [
            {state: "success", matcher: {output: {path: "length(extra) == `1`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    ErrorThenSuccess: {
        acceptors: [
            {state: "failure", matcher: {output: {path: "length(names) > `3`", expected: "true", comparator: "booleanEquals"}}}
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    KindDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "kind", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    PhaseDone: {
        acceptors: [
            {state: "success", matcher: {output: {path: "phase", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    PhaseNew: {
        acceptors: [
            {state: "success", matcher: {output: {path: "phase", expected: "NEW_VALUE", comparator: "stringEquals"}}}
        ]
    }
    DigestIs: {
        acceptors: [
            {state: "success", matcher: {output: {path: "digest", expected: "RE9ORQ==", comparator: "stringEquals"}}}
        ]
    }
    StartedAfter: {
        acceptors: [
            {state: "success", matcher: {output: {path: "started > `1600000000`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    StartedFraction: {
        acceptors: [
            {state: "success", matcher: {output: {path: "started > `1600000000` && started < `1600000001`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    SizeOver: {
        acceptors: [
            {state: "success", matcher: {output: {path: "size > `4294967296`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    RatioOver: {
        acceptors: [
            {state: "success", matcher: {output: {path: "ratio > `0.5`", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    ResultText: {
        acceptors: [
            {state: "success", matcher: {output: {path: "result.text", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    NotResultText: {
        acceptors: [
            {state: "success", matcher: {output: {path: "!(result.text)", expected: "true", comparator: "booleanEquals"}}}
        ]
    }
    ExtraState: {
        acceptors: [
            {state: "success", matcher: {output: {path: "extra.state", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    LabelState: {
        acceptors: [
            {state: "success", matcher: {output: {path: "labels.state", expected: "DONE", comparator: "stringEquals"}}}
        ]
    }
    AnyError: {
        acceptors: [
            {state: "success", matcher: {success: false}}
        ]
    }
    JobDone: {
        acceptors: [
            {state: "failure", matcher: {output: {path: "status", expected: "FAILED", comparator: "stringEquals"}}}
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "stringEquals"}}}
            {state: "retry", matcher: {errorType: "JobNotFound"}}
        ]
        minDelay: 1
        maxDelay: 4
    }
    JobDoneLinear: {
        acceptors: [
            {state: "failure", matcher: {output: {path: "status", expected: "FAILED", comparator: "stringEquals"}}}
            {state: "success", matcher: {output: {path: "status", expected: "DONE", comparator: "stringEquals"}}}
            {state: "retry", matcher: {errorType: "JobNotFound"}}
        ]
        minDelay: 2
        maxDelay: 2
    }
)
@http(method: "POST", uri: "/jobs/{id}")
operation GetJob {
    input := {
        @required
        @httpLabel
        id: String

        names: Names

        owner: String
    }
    output := {
        status: String

        @jsonName("job_kind")
        kind: String

        phase: Phase

        done: Boolean

        count: Integer

        size: Long

        ratio: Double

        @timestampFormat("epoch-seconds")
        started: Timestamp

        digest: Blob

        owner: Owner

        steps: Steps

        names: Names

        marks: Marks

        groups: Groups

        labels: Labels

        result: Result

        extra: Document
    }
    errors: [JobNotFound, Conflict, Unavailable]
}

@waitable(
    Cancelled: {
        acceptors: [
            {state: "success", matcher: {success: true}}
        ]
    }
)
@http(method: "DELETE", uri: "/jobs/{id}")
operation CancelJob {
    input := {
        @required
        @httpLabel
        id: String
    }
    errors: [JobNotFound]
}

enum Phase {
    QUEUED
    RUNNING
    DONE
}

structure Owner {
    name: String
    team: Team
}

structure Team {
    name: String
}

list Steps {
    member: Step
}

structure Step {
    name: String
    status: String
    count: Integer
    parts: Names
}

list Names {
    member: String
}

@sparse
list Marks {
    member: String
}

list Groups {
    member: Names
}

map Labels {
    key: String
    value: String
}

union Result {
    text: String
    number: Integer
}

@error("client")
@httpError(404)
structure JobNotFound {
    message: String
}

@error("client")
@httpError(409)
structure Conflict {
    message: String
}

@error("server")
@httpError(503)
structure Unavailable {
    message: String
}
