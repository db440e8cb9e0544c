// Waiters that are values of their trait and still wrong.
$version: "2.0"

namespace example.errors

use smithy.waiters#waitable

service Jobs {
    version: "1"
    operations: [Delays, States, Expected]
    resources: [Job]
}

service Others {
    version: "1"
    operations: [Delays, Messages]
}

resource Job {
    operations: [Paths]
}

@waitable(
    Inverted: { minDelay: 10, maxDelay: 5, acceptors: [{ state: "success", matcher: { success: true } }] }
    LongMinimum: { minDelay: 121, acceptors: [{ state: "success", matcher: { success: true } }] }
    ShortMaximum: { maxDelay: 1, acceptors: [{ state: "success", matcher: { success: true } }] }
    Equal: { minDelay: 7, maxDelay: 7, acceptors: [{ state: "success", matcher: { success: true } }] }
)
operation Delays {}

@waitable(
    OnlyRetries: { acceptors: [{ state: "retry", matcher: { success: true } }] }
    EQUAL: { acceptors: [{ state: "failure", matcher: { success: true } }] }
)
operation States {}

@waitable(
    Capital: {
        acceptors: [
            { state: "success", matcher: { output: { path: "flag", comparator: "booleanEquals", expected: "True" } } }
            { state: "failure", matcher: { output: { path: "flag", comparator: "booleanEquals", expected: "" } } }
        ]
    }
    Types: {
        acceptors: [
            { state: "success", matcher: { errorType: "Known" } }
            { state: "failure", matcher: { errorType: "example.errors#Known" } }
            { state: "failure", matcher: { errorType: "Unknown" } }
            { state: "failure", matcher: { errorType: "other#Known" } }
            { state: "failure", matcher: { errorType: "known" } }
        ]
    }
)
operation Expected {
    output := {
        flag: Boolean
    }
    errors: [Known]
}

@waitable(
    Unread: {
        acceptors: [
            { state: "success", matcher: { output: { path: "names[", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "nothing(names)", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "length(names, names)", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { output: { path: "length()", comparator: "booleanEquals", expected: "true" } } }
            { state: "failure", matcher: { inputOutput: { path: "a b", comparator: "booleanEquals", expected: "true" } } }
        ]
    }
    TYPES: { acceptors: [{ state: "success", matcher: { success: true } }] }
)
operation Paths {
    output := {
        names: Names
    }
}

@waitable(
    Messages: {
        acceptors: [
            { state: "success", matcher: { success: true }, message: "name" }
            { state: "retry", matcher: { success: true }, message: "name" }
            { state: "failure", matcher: { success: false }, message: "name" }
            { state: "failure", matcher: { success: false }, message: "names" }
            { state: "failure", matcher: { success: false }, message: "'literally'" }
            { state: "failure", matcher: { success: false }, message: "names[" }
            { state: "failure", matcher: { success: false }, message: "flag" }
            { state: "failure", matcher: { success: false }, message: "flags" }
            { state: "failure", matcher: { success: false }, message: "gone" }
            { state: "failure", matcher: { success: false }, message: "not_null(name)" }
            { state: "failure", matcher: { success: false }, message: "names[?@ == 'aa']" }
            { state: "failure", matcher: { success: false }, message: "names[?@ == 'aa'] | @" }
            { state: "failure", matcher: { success: false }, message: "to_string(flag)" }
            { state: "failure", matcher: { success: false }, message: "{ a: name }" }
        ]
    }
    Equal: { acceptors: [{ state: "success", matcher: { success: true } }] }
)
operation Messages {
    output := {
        name: String
        names: Names
        flag: Boolean
        flags: Flags
    }
}

list Names {
    member: String
}

list Flags {
    member: Boolean
}

@error("client")
structure Known {}
