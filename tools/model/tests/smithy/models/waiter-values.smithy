// Values of the trait that break a rule of its definition; what they mean is not looked at.
$version: "2.0"

namespace example.values

use smithy.waiters#waitable

@waitable(
    lower: { acceptors: [{ state: "success", matcher: { success: true } }] }
    "With-Dash": { acceptors: [{ state: "success", matcher: { success: true } }] }
    "1Digit": { acceptors: [{ state: "success", matcher: { success: true } }] }
    Under_Score: { acceptors: [{ state: "success", matcher: { success: true } }] }
)
operation Names {}

@waitable(
    NoDelay: { minDelay: 0, acceptors: [{ state: "success", matcher: { success: true } }] }
    Negative: { maxDelay: -1, acceptors: [{ state: "success", matcher: { success: true } }] }
    Fraction: { minDelay: 1.5, acceptors: [{ state: "success", matcher: { success: true } }] }
    EmptyTag: { tags: [""], acceptors: [{ state: "success", matcher: { success: true } }] }
)
operation Bounds {}

@waitable(NoAcceptor: { acceptors: [] })
operation Acceptors {}

@waitable({})
operation Empty {}

@waitable(
    Unknown: {
        description: "documentation"
        acceptors: [
            { state: "success", matcher: { success: true }, note: 1 }
            { state: "failure", matcher: { outputs: 1 } }
            {
                state: "failure"
                matcher: { output: { path: "a", comparator: "stringEquals", expected: "b", actual: "c" } }
            }
        ]
    }
)
operation Members {}

// Wrong places.
@waitable(Placed: { acceptors: [{ state: "success", matcher: { success: true } }] })
structure Structure {}

@waitable(Streams: { acceptors: [{ state: "success", matcher: { success: true } }] })
operation Events {
    output := {
        events: Streamed
    }
}

@streaming
union Streamed {
    one: Event
}

structure Event {}
