// Values of the traits of waiters and behaviours of which Smithy can make a trait, but that violate a rule.
$version: "2.0"

namespace example.traits

use smithy.waiters#waitable

@paginated(inputToken: "", outputToken: "", items: "", pageSize: "")
operation Empty {}

@paginated(pages: 1)
operation UnknownOfPaginated {}

@requestCompression(encodings: [], level: 9)
operation UnknownOfCompression {
    input := {}
}

@retryable(throttling: true, often: true)
@error("client")
structure UnknownOfRetryable {}

structure Tokens {
    @idempotencyToken(name: "token")
    token: String
}

@waitable
operation NoWaiters {}

@waitable(lower: { acceptors: [] })
operation NoAcceptors {}

@waitable(
    A1_: { acceptors: [{ state: "success", matcher: { success: true } }], minDelay: 0, maxDelay: -1 }
    Fraction: { acceptors: [{ state: "success", matcher: { success: true } }], minDelay: 1.0 }
    Tags: { acceptors: [{ state: "success", matcher: { success: true } }], tags: ["", "a"] }
    More: { acceptors: [{ state: "success", matcher: { success: true }, more: 1 }], more: 2 }
)
operation Wrong {}
