$version: "2.0"
$operationInputSuffix: "Request"

metadata suppressions = [{ id: "Nothing", namespace: "*", reason: "for the syntax" }]

namespace example.things

use smithy.waiters#waitable

/// Keeps things.
@paginated(inputToken: "token", outputToken: "token", pageSize: "size")
service Things {
    version: "2026-01-01"
    resources: [Thing]
    operations: [ListThings]
    errors: [Throttled]
}

resource Thing {
    identifiers: { id: ThingId }
    properties: { state: ThingState }
    read: GetThing
    put: PutThing
}

@pattern("^[a-z]+$")
string ThingId

enum ThingState {
    /// Not there yet.
    CREATING
    READY = "ready"
    @deprecated
    FAILED = "failed"
}

@waitable(
    ThingReady: {
        documentation: """
            Waits until a thing is "ready",
              or failed."""
        acceptors: [
            { state: "success", matcher: { output: { path: "state", comparator: "stringEquals", expected: "ready" } } }
            {
                state: "failure"
                matcher: { inputOutput: { path: "output.state == 'failed'", comparator: "booleanEquals", expected: "true" } }
                message: "reasons[].text | @"
            }
            { state: "retry", matcher: { errorType: NotFound } }
        ]
        minDelay: 1, maxDelay: 60
        tags: ["a"]
    }
)
@readonly
operation GetThing {
    input := for Thing { @required $id }
    output: GetThingOutput
    errors: [NotFound]
}

@output
structure GetThingOutput for Thing {
    $state
    reasons: Reasons
}

list Reasons { member: Reason }

structure Reason {
    @required
    text: String = "\u00e9\n"
    code: Integer = -1
}

@idempotent
@requestCompression(encodings: ["gzip"])
operation PutThing {
    input := for Thing {
        @required
        $id
        @idempotencyToken
        request: String
        tags: Tags
    }
}

map Tags { key: String, value: Value }

union Value { text: String, number: Double, nested: Tags }

@paginated(items: "things")
@readonly
operation ListThings {
    input := with [Paged] { size: Integer }
    output := with [Paged] { @required things: Reasons }
}

@mixin
structure Paged { token: String }

@error("client")
@retryable
structure NotFound {}

@error("server")
@retryable(throttling: true)
structure Throttled { message: String }

apply Throttled$message @documentation("What to wait for.")
