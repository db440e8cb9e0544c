$version: "2"

namespace example.jobs

use smithy.waiters#waitable

/// Jobs, with what a client rarely meets: old names, words of languages, paths over inputs.
@title("Jobs")
service Jobs {
    operations: [
        GetJobs
        ListJobs
    ]
}

@suppress([
    "WaitableTraitJmespathProblem"
    "SmithyWaiters"
])
@waitable(
    JobsDone: {
        documentation: "Waits until \"all\" jobs are \"done\""
        acceptors: [
            { state: "success", matcher: { inputOutput: { path: "length(input.names) == length(output.jobs)", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "jobs[-1].from.name", comparator: "stringEquals", expected: "nowhere" } }, message: "jobs[-1].old" }
            { state: "failure", matcher: { output: { path: "jobs[0].from == `null` && jobs[0].old == 'yes'", comparator: "booleanEquals", expected: "true" } } }
        ]
    }
    // Bytes in the response are base64 for paths.
    JobsSigned: { acceptors: [
        { state: "success", matcher: { inputOutput: { path: "contains(output.signatures, input.signature)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "max_by(jobs, &state).from.name", comparator: "stringEquals", expected: "here" } } }
        { state: "failure", matcher: { output: { path: "sort(jobs[].old)", comparator: "anyStringEquals", expected: "no" } } }
    ] }
    JobsGone: {
        deprecated: true
        acceptors: [
            { state: "success", matcher: { errorType: "Gone" } }
            { state: "success", matcher: { output: { path: "length(jobs) == `0`", comparator: "booleanEquals", expected: "true" } } }
        ]
    }
)
@readonly
operation GetJobs {
    input := {
        names: Names
        signature: String
    }
    output := {
        jobs: Jobs_
        flag: Boolean
        count: Integer
        state: State
        states: States
        either: Either
        byName: JobsByName
        odds: Odds
        signatures: Signatures
    }
    errors: [Gone]
}

@deprecated(message: "Use GetJobs.", since: "2")
@paginated(inputToken: "next", outputToken: "next")
@readonly
operation ListJobs {
    input := { next: String }
    output := { next: String }
}

list Names {
    member: String
}

list Jobs_ {
    member: Job
}

list Signatures {
    member: Blob
}

list Odds {
    member: Odd
}

map JobsByName {
    key: String
    value: Job
}

/// "Work" to be done.
structure Job {
    /// What is known of it, e.g. that it runs. More is not said.
    state: State

    /// Where it comes from.
    from: Place

    @deprecated(message: "Use state.")
    old: String
}

structure Odd {
    constructor: String
    length: Integer
}

list States {
    member: State
}

union Either {
    text: String
    number: Integer
}

structure Place {
    name: String
}

enum State {
    RUNNING
    DONE
}

@error("client")
structure Gone {}
