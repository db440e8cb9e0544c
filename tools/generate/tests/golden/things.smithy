$version: "2"

// A small model with a part for most of what the generated code may contain.
namespace example

use smithy.waiters#waitable

@aws.api#service(sdkId: "Test Things")
@title("Test Things of Example")
@paginated(inputToken: "token", outputToken: "page.token")
service Things {
    version: "1"
    operations: [GetThing, ListThings, PutThing]
    errors: [Busy]
}

@deprecated(message: "Use ListThings.")
@waitable(
    ThingReady: {
        documentation: "<p>Waits until a thing is <code>READY</code>, which takes some time for a thing that has many parts, and is told to \"@everybody\"</p>"
        minDelay: 5
        maxDelay: 60
        acceptors: [
            { state: "success", matcher: { inputOutput: { path: "output.thing.name == input.name", comparator: "booleanEquals", expected: "false" } } }
            { state: "failure", message: "thing.reason", matcher: { output: { path: "thing.states[]", comparator: "anyStringEquals", expected: "it's \"FAILED\"" } } }
            { state: "success", matcher: { errorType: "Missing" } }
            { state: "retry", matcher: { success: false } }
        ]
    }
)
@readonly
operation GetThing {
    input := {
        @documentation("The name. It is &lt;unique&gt;.")
        @required
        name: String

        @deprecated(message: "No effect.")
        tags: Tags

        labels: Labels
    }

    output := {
        thing: Thing
    }

    errors: [Missing]
}

@paginated(items: "page.things", pageSize: "limit")
@readonly
operation ListThings {
    input := {
        token: String
        limit: Integer
    }

    output := {
        page: Page
        IsTruncated: Boolean
    }
}

@waitable(
    ThingPut: {
        deprecated: true
        acceptors: [
            { state: "success", matcher: { errorType: "Missing" } }
            { state: "failure", matcher: { output: { path: "code", comparator: "stringEquals", expected: "NONE" } } }
        ]
    }
)
@requestCompression(encodings: ["gzip"])
operation PutThing {
    input := {
        @idempotencyToken
        key: String

        @required
        body: Body
    }

    output := {
        code: String
    }

    errors: [Missing]
}

@documentation("A page. It has things.")
structure Page {
    token: String
    things: ThingList
}

structure Thing {
    name: String
    reason: String
    states: States
    inner: Thing

    @documentation("The time at which the oldest of the parts was made, in the zone of the maker. Or none.")
    created: Timestamp

    aVeryLongNameOfAMemberThatLeavesNoRoom: MapOfNamesToListsOfThingsThatMayBeMissing
}

union Choice {
    number: Long
    nothing: Unit
}

map MapOfNamesToListsOfThingsThatMayBeMissing {
    key: String
    value: Choices
}

@sparse
list Choices {
    member: Choice
}

list States {
    member: State
}

enum State {
    READY
    FAILED = "it's \"FAILED\""
}

list ThingList {
    member: Thing
}

list Tags {
    member: String
}

map Labels {
    key: String
    value: Integer
}

@streaming
blob Body

@error("client")
@aws.protocols#awsQueryError(code: "NoSuchThing", httpResponseCode: 404)
structure Missing {}

@error("server")
@retryable(throttling: true)
structure Busy {}
