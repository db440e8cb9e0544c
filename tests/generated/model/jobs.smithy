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
    // Of these the languages say nothing themselves.
    JobsSigned: { acceptors: [
        { state: "success", matcher: { inputOutput: { path: "contains(output.signatures, input.signature)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "max_by(jobs, &state).from.name", comparator: "stringEquals", expected: "here" } } }
        { state: "failure", matcher: { output: { path: "sort(jobs[].old)", comparator: "anyStringEquals", expected: "no" } } }
    ] }
    // What was asked before narrows types: compilers must not refuse what comes after it.
    JobsPaired: { acceptors: [
        { state: "success", matcher: { output: { path: "flag", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "flag == `true`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "flag == `false` && flag", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "flag", comparator: "booleanEquals", expected: "false" } } }
        { state: "failure", matcher: { output: { path: "count == `1` && count == `2`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "!state && starts_with(state, 'D')", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "state == 'DONE' && state == 'RUNNING'", comparator: "booleanEquals", expected: "true" } } }
        { state: "retry", matcher: { output: { path: "state", comparator: "stringEquals", expected: "DONE" } } }
        { state: "retry", matcher: { output: { path: "state", comparator: "stringEquals", expected: "RUNNING" } } }
        { state: "retry", matcher: { output: { path: "state == 'DONE'", comparator: "booleanEquals", expected: "true" } } }
        { state: "retry", matcher: { output: { path: "jobs[?state == 'DONE'].state | [0]", comparator: "stringEquals", expected: "RUNNING" } } }
        { state: "retry", matcher: { output: { path: "states[?@ == 'DONE'] | [0]", comparator: "stringEquals", expected: "RUNNING" } } }
        { state: "failure", matcher: { output: { path: "either.text == 'a' && either.number == `1`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { inputOutput: { path: "output.[jobs[0].old, jobs[1].old]", comparator: "anyStringEquals", expected: "no" } } }
        { state: "failure", matcher: { output: { path: "`1` == `2` || 'a' == 'b'", comparator: "booleanEquals", expected: "true" } } }
    ] }
    // What objects, strings and lists have in some language is no member.
    JobsInherited: { acceptors: [
        { state: "failure", matcher: { output: { path: "odds[0].constructor != null", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "byName.toString != null", comparator: "booleanEquals", expected: "true" } } }
        { state: "success", matcher: { output: { path: "odds[0].length == `1`", comparator: "booleanEquals", expected: "true" } } }
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
