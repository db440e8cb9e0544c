// Every trait that is validated, each used as its clause allows.
$version: "2.0"

namespace example.valid

use smithy.waiters#waitable

@paginated(inputToken: "token", outputToken: "page.token", pageSize: "limit")
service Jobs {
    version: "2026-01-01"
    resources: [Job]
    operations: [Upload, Search]
    errors: [Throttled]
}

resource Job {
    identifiers: { jobId: JobId }
    create: CreateJob
    read: GetJob
    list: ListJobs
}

@idempotent
@requestCompression(encodings: ["gzip"])
operation Upload {
    input := {
        @required
        @httpPayload
        body: Body
    }
}

operation CreateJob {
    input := with [Tokened] {
        name: String
    }
    output := {
        @required
        jobId: JobId
    }
}

@mixin
structure Tokened {
    @idempotencyToken
    clientToken: String
}

@readonly
@waitable(
    JobDone: {
        documentation: "Waits for the end of a job."
        minDelay: 2
        maxDelay: 120
        tags: ["slow"]
        acceptors: [
            { state: "success", matcher: { output: { path: "status", comparator: "stringEquals", expected: "DONE" } } }
            {
                state: "failure"
                matcher: { output: { path: "status", comparator: "stringEquals", expected: "FAILED" } }
                message: "reason"
            }
            {
                state: "failure"
                matcher: { output: { path: "status == 'LOST'", comparator: "booleanEquals", expected: "true" } }
                message: "reasons"
            }
            { state: "retry", matcher: { errorType: "NotFound" } }
            { state: "retry", matcher: { errorType: "example.valid#NotFound" } }
        ]
    }
    JobGone: {
        deprecated: true
        acceptors: [
            { state: "success", matcher: { success: false } }
            {
                state: "failure"
                matcher: { inputOutput: { path: "input.jobId == output.parent", comparator: "booleanEquals", expected: "true" } }
            }
        ]
    }
    StepsDone: {
        minDelay: 120
        acceptors: [
            {
                state: "success"
                matcher: { output: { path: "steps[].status", comparator: "allStringEquals", expected: "DONE" } }
            }
            {
                state: "failure"
                matcher: { output: { path: "steps[?weight > `1`].status", comparator: "anyStringEquals", expected: "FAILED" } }
            }
            {
                state: "failure"
                matcher: { output: { path: "length(steps) == `0`", comparator: "booleanEquals", expected: "true" } }
            }
        ]
    }
)
operation GetJob {
    input := {
        @required
        jobId: JobId
    }
    output := {
        status: Status
        reason: String
        reasons: Names
        parent: JobId
        steps: Steps
    }
    errors: [NotFound]
}

@readonly
@paginated(items: "jobs")
operation ListJobs {
    input := {
        token: String
        limit: Integer
    }
    output := {
        page: Page
        jobs: Names
    }
}

@readonly
@paginated(inputToken: "next", outputToken: "next", items: "found.byName")
operation Search {
    input := {
        next: String
        limit: Integer
    }
    output := {
        next: String
        found: Found
    }
}

structure Page {
    token: String
}

structure Found {
    byName: Found2
}

map Found2 {
    key: String
    value: Names
}

list Steps {
    member: Step
}

structure Step {
    status: Status
    weight: Integer
}

list Names {
    member: String
}

enum Status {
    DONE
    FAILED
    LOST
}

string JobId

@streaming
blob Body

@error("client")
structure NotFound {
    @required
    message: String
}

@error("client")
@retryable(throttling: true)
structure Throttled {}

apply Throttled @httpError(429)
