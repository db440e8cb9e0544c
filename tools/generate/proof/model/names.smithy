$version: "2.0"

// Names that the SDK, Rust or the generated code use themselves, and what is deprecated: over the stand-in `src/sdk.rs`.
namespace names

use aws.api#service
use smithy.waiters#waitable

@service(sdkId: "2 Names")
@paginated(inputToken: "token", outputToken: "token")
service Names {
    operations: [
        DescribeOld
        GetThing
        ListOld
        ListThings
        WaitUntilGone
    ]
}

@waitable(
    Clone: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
    Debug: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
    GetReady: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
    GetReady0: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
    GetReadyError: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
    GetReadyOutcome: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
    Gone: { acceptors: [{ state: "success", matcher: { errorType: "Gone" } }] }
    ListThingsPages: { acceptors: [{ state: "success", matcher: { success: true } }] }
    OfInput: { acceptors: [{ state: "success", matcher: { inputOutput: { path: "input.clone == output.state", comparator: "booleanEquals", expected: "true" } } }] }
    Old: {
        deprecated: true
        acceptors: [
            { state: "success", matcher: { output: { path: "old", comparator: "stringEquals", expected: "READY" } } }
            { state: "failure", matcher: { output: { path: "state", comparator: "stringEquals", expected: "GONE" } }, message: "old" }
        ]
    }
    R: { acceptors: [{ state: "success", matcher: { output: { path: "default", comparator: "stringEquals", expected: "READY" } } }] }
    Self: { acceptors: [{ state: "success", matcher: { output: { path: "self", comparator: "stringEquals", expected: "READY" } } }] }
    Send: { acceptors: [{ state: "success", matcher: { output: { path: "send", comparator: "stringEquals", expected: "READY" } } }] }
    Unpin: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
)
operation GetThing {
    input := {
        clone: String
        customize: String
        default: String
        eq: String
        fmt: String
        gen: String
        into: String
        @deprecated(message: "nobody reads it")
        old: String
        oldest: OldList
        request: String
        self: String
        type: String
        wait: String
        wait_on: String
    }

    output := {
        default: String
        @deprecated
        old: String
        self: String
        send: String
        state: String
    }
}

list OldList {
    member: Old
}

@deprecated
structure Old {}

@deprecated(message: "use `GetThing`", since: "2025-01-01")
@waitable(
    OldReady: { acceptors: [{ state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "READY" } } }] }
)
operation DescribeOld {
    input := { name: String }
    output := { state: String }
}

@deprecated
@paginated
@readonly
operation ListOld {
    input := { @deprecated token: String }
    output := { @deprecated token: String, isTruncated: Boolean }
}

@paginated
@readonly
operation ListThings {
    input := { token: String }
    output := { token: String }
}

operation WaitUntilGone {}
