$version: "2"

namespace smithy.test

/// Tests of an operation's waiters.
@trait(selector: "operation[trait|smithy.waiters#waitable]")
@length(min: 1)
list waiterTests {
    member: WaiterTestCase
}

@private
structure WaiterTestCase {
    /// The id, unique within the model and over all tests of this kind, as in protocol tests.
    @required
    @pattern("^[A-Za-z_][A-Za-z0-9_]+$")
    id: String

    /// The name of the waiter.
    @required
    waiter: String

    /// The input of the operation.
    params: Document

    /// The service's answers, one for each attempt. A test with one answer tests the verdict on it.
    @required
    @length(min: 1)
    answers: WaiterTestAnswers

    /// The result after the last answer.
    @required
    expect: WaiterTestExpectation

    documentation: String

    tags: NonEmptyStringList

    appliesTo: AppliesTo
}

@private
list WaiterTestAnswers {
    member: WaiterTestAnswer
}

/// An answer of the service.
@private
union WaiterTestAnswer {
    /// The id of a test in `httpResponseTests` of the operation or of one of its errors.
    response: String

    /// The output.
    output: Document

    /// An error that the model has, or the name of one that it lacks.
    error: WaiterTestError
}

@private
structure WaiterTestError {
    @required
    name: String

    params: Document
}

@private
structure WaiterTestExpectation {
    @required
    state: WaiterTestState

    /// The index of the acceptor that matches; absent if none does. For SDKs that report it.
    acceptor: Integer
}

@private
enum WaiterTestState {
    SUCCESS = "success"
    FAILURE = "failure"
    RETRY = "retry"
}
