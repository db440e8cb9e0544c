$version: "2"
namespace ns

use smithy.waiters#waitable

operation GetThings {
    input := { id: String, @required count: Integer }
    output := {
        state: State
        name: String
        count: Integer
        done: Boolean
        @required sure: Boolean
        @required size: Integer
        @required title: String
        @required mode: Mode
        @required percent: Percent
        level: Level
        when: Timestamp
        @required things: Things
        maybe: Things
        @required more: More
        pair: Pair
        texts: Texts
        @required numbers: Numbers
        sparse: Sparse
        byName: ByName
        byMode: ByMode
        either: Either
        @required choice: Either
        anything: Document
        tiny: Byte
    }
}

enum State {
    CREATING = "creating"
    READY = "ready"
    FAILED = "failed"
}

enum Mode {
    ON = "on"
    OFF = "of"
}

intEnum Level {
    ONE = 1
    TWO = 2
}

@range(min: 0, max: 100)
integer Percent

list Things { member: Thing }

@length(min: 1, max: 3)
list More { member: Mode }

@length(min: 2, max: 2)
list Pair { member: State }

list Texts { member: String }

list Numbers { member: Integer }

@sparse
list Sparse { member: String }

map ByName { key: String, value: Thing }

map ByMode { key: Mode, value: Integer }

union Either {
    thing: Thing
    text: String
    state: State
    flag: Boolean
}

structure Thing {
    state: State
    @required label: String
    tags: Texts
    parts: Things
}
