// Traits that exclude each other, and traits that one member of a structure can have.
$version: "2.0"

namespace example.conflicts

@readonly
@idempotent
operation Operation {}

@input
@output
@error("client")
structure Roles {}

structure Members {
    @required
    @recommended
    text: String
}

@trait(conflicts: [second])
structure first {}

@trait
structure second {}

@first
@second
string Custom

@first
string Alone

structure Payloads {
    @httpPayload
    one: String

    @httpPayload
    two: String
}

structure Tokens {
    @idempotencyToken
    one: String

    @idempotencyToken
    two: String
}

structure Streams {
    @required
    one: Stream

    @required
    two: Stream
}

@streaming
blob Stream

@trait(structurallyExclusive: "member")
structure ofMember {}

@trait(structurallyExclusive: "target")
structure ofTarget {}

structure Exclusive {
    @ofMember
    one: Marked

    @ofMember
    two: Marked
}

@ofTarget
string Marked

structure Fine {
    @ofMember
    one: Marked
    two: String
}

@mixin
structure Paid {
    @httpPayload
    body: String
}

structure Mixed with [Paid] {
    @httpPayload
    other: String
}
