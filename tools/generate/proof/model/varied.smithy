$version: "2"

namespace example.varied

use smithy.waiters#waitable

/// Every kind of member, for random waiters.
service Varied {
    operations: [GetThings]
}

@suppress([
    "WaitableTraitJmespathProblem"
    "SmithyWaiters"
])
operation GetThings {
    input := {
        name: String
        names: Names
        number: Integer
        state: State
        flag: Boolean
    }

    output := {
        thing: Thing
        things: Things
        names: Names
        namesOrNulls: NamesOrNulls
        thingsOrNulls: ThingsOrNulls
        thingsByTheirNames: ByName
        thingsOrNullsByName: ThingsOrNullsByName
        flag: Boolean
        state: State
        number: Long
        text: String
        choice: Choice
    }
}

list Names {
    member: String
}

@sparse
list NamesOrNulls {
    member: String
}

@sparse
list ThingsOrNulls {
    member: Thing
}

@sparse
map ThingsOrNullsByName {
    key: String
    value: Thing
}

list Numbers {
    member: Integer
}

list Blobs {
    member: Blob
}

list Times {
    member: Timestamp
}

map TimesByName {
    key: String
    value: Timestamp
}

list Things {
    member: Thing
}

map ByName {
    key: String
    value: Thing
}

structure Thing {
    n: Integer
    name: String
    state: State
    only: Only
    flag: Boolean
    amountThatIsExpected: Double
    anotherFlagWithALongName: Boolean
    numbers: Numbers
    tags: Names
    tagsOrNulls: NamesOrNulls
    when: Timestamp
    times: Times
    timesByName: TimesByName
    blob: Blob
    blobs: Blobs
    parts: Things
    byName: ByName
    inner: Thing
    choice: Choice
    constructor: State
    hasOwnProperty: Boolean
    length: Integer
    toString: Names
    valueOf: String
    __proto__: String

    @required
    always: Boolean
}

union Choice {
    text: String
    number: Integer
    flag: Boolean
    things: Things
}

enum State {
    READY
    GONE
    IN_PROGRESS_FOR_A_LONG_TIME
}

enum Only {
    READY
}
