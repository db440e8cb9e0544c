// Values of which Smithy cannot make a trait: nothing else is looked at.
$version: "2.0"

namespace example.unbuildable

use smithy.waiters#waitable

@waitable(W: { minDelay: 1 })
operation NoAcceptors {}

@waitable(W: { acceptors: 1 })
operation WrongAcceptors {}

@waitable(W: [])
operation WrongWaiter {}

@waitable(W: { acceptors: [{ matcher: { success: true } }] })
operation NoState {}

@waitable(W: { acceptors: [{ state: "success" }] })
operation NoMatcher {}

@waitable(W: { acceptors: [{ state: "won", matcher: { success: true } }] })
operation UnknownState {}

@waitable(W: { acceptors: [{ state: "success", matcher: {} }] })
operation EmptyMatcher {}

@waitable(W: { acceptors: [{ state: "success", matcher: { success: true, errorType: "E" } }] })
operation TwoMatchers {}

@waitable(W: { acceptors: [{ state: "success", matcher: { success: 1 } }] })
operation WrongSuccess {}

@waitable(W: { acceptors: [{ state: "success", matcher: { output: { path: "b", expected: "true" } } }] })
operation NoComparator {}

@waitable(W: { acceptors: [{ state: "success", matcher: { output: { path: "b", expected: "true", comparator: "equals" } } }] })
operation UnknownComparator {}

@paginated(inputToken: 1)
operation WrongToken {}

@requestCompression
operation NoEncodings {}

@requestCompression(encodings: "gzip")
operation WrongEncodings {}

@requestCompression(encodings: [1])
operation WrongEncoding {}

@retryable(throttling: 1)
@error("client")
structure WrongThrottling {}

structure Tokens {
    @idempotencyToken(1)
    token: String
}
