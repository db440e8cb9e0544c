// The trait `smithy.waiters#waitable` and what its value is made of.
$version: "2.0"

namespace smithy.waiters

@trait(selector: "operation :not(-[input, output]-> structure > member > union[trait|streaming])")
@length(min: 1)
map waitable {
    key: WaiterName
    value: Waiter
}

@pattern("^[A-Z]+[A-Za-z0-9]*$")
string WaiterName

structure Waiter {
    documentation: String
    @required
    acceptors: Acceptors
    minDelay: WaiterDelay = 2
    maxDelay: WaiterDelay = 120
    deprecated: Boolean
    tags: NonEmptyStringList
}

@range(min: 1)
integer WaiterDelay

@length(min: 1)
list Acceptors {
    member: Acceptor
}

structure Acceptor {
    @required
    state: AcceptorState
    @required
    matcher: Matcher
    message: String
}

enum AcceptorState {
    SUCCESS = "success"
    FAILURE = "failure"
    RETRY = "retry"
}

union Matcher {
    output: PathMatcher
    inputOutput: PathMatcher
    errorType: String
    success: Boolean
}

structure PathMatcher {
    @required
    path: String
    @required
    expected: String
    @required
    comparator: PathComparator
}

enum PathComparator {
    STRING_EQUALS = "stringEquals"
    BOOLEAN_EQUALS = "booleanEquals"
    ALL_STRING_EQUALS = "allStringEquals"
    ANY_STRING_EQUALS = "anyStringEquals"
}

list NonEmptyStringList {
    member: NonEmptyString
}

@length(min: 1)
string NonEmptyString
