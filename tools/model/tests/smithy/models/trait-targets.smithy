// Traits of waiters and behaviours on shapes that their selectors do not select.
$version: "2.0"

namespace example.targets

use smithy.waiters#waitable

@waitable(Ready: { acceptors: [{ state: "success", matcher: { success: true } }] })
structure Waited {}

@waitable(Ready: { acceptors: [{ state: "success", matcher: { success: true } }] })
operation Streamed {
    output := {
        events: Events
    }
}

@waitable(Ready: { acceptors: [{ state: "success", matcher: { success: true } }] })
operation StreamedIn {
    input := {
        events: Events
    }
}

@waitable(Ready: { acceptors: [{ state: "success", matcher: { success: true } }] })
operation NotStreamed {
    output := {
        union: Choice
    }
}

@streaming
union Events {
    event: Event
}

structure Event {}

union Choice {
    text: String
}

@paginated
structure Paginated {}

@paginated(inputToken: "a", outputToken: "b")
resource PaginatedResource {}

@paginated(inputToken: "token")
service PaginatedService {}

@requestCompression(encodings: ["gzip"])
structure Compressed {}

@requestCompression(encodings: ["gzip"])
service CompressedService {}

@retryable
structure NoError {}

@retryable
operation NoStructure {}

@retryable
@error("client")
structure Failure {}

@idempotencyToken
string Token

structure Members {
    @paginated
    @requestCompression(encodings: ["gzip"])
    @retryable
    @waitable(Ready: { acceptors: [{ state: "success", matcher: { success: true } }] })
    text: String

    @idempotencyToken
    number: Integer
}

structure OneToken {
    @idempotencyToken
    string: String

    other: String
}

structure EnumToken {
    @idempotencyToken
    enum: Level
}

enum Level {
    HIGH
}

structure TwoTokens {
    @idempotencyToken
    one: String

    @idempotencyToken
    two: String
}

list Elements {
    @idempotencyToken
    member: String
}

union Tokens {
    @idempotencyToken
    token: String
}
