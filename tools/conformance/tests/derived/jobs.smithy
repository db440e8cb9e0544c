$version: "2"

namespace example

use aws.api#service
use aws.protocols#awsJson1_0
use aws.protocols#awsJson1_1
use aws.protocols#awsQuery
use aws.protocols#awsQueryCompatible
use aws.protocols#awsQueryError
use aws.protocols#ec2Query
use aws.protocols#restJson1
use aws.protocols#restXml
use smithy.protocols#rpcv2Cbor
use smithy.waiters#waitable

@service(sdkId: "Job Runs")
@awsJson1_1
@rpcv2Cbor
service Jobs { version: "2026-01-01", operations: [GetJob], errors: [Busy] }

@awsJson1_0
@awsQueryCompatible
service Json { operations: [GetJob, DescribeJob, HeadJob], errors: [Busy] }

@restJson1
service RestJson { operations: [GetJob, DescribeJob, HeadJob], errors: [Busy] }

@restXml
@xmlNamespace(uri: "urn:jobs")
service RestXml { operations: [GetJob, DescribeJob, HeadJob], errors: [Busy] }

@restXml(noErrorWrapping: true)
service Bare { operations: [GetJob] }

@awsQuery
@xmlNamespace(uri: "urn:jobs")
service Query { operations: [GetJob, DescribeJob], errors: [Busy], rename: {"example#Lost": "Missing"} }

@rpcv2Cbor
service Cbor { operations: [DescribeJob] }

@ec2Query
service Ec2 { operations: [GetJob, DescribeJob], errors: [Busy] }

@http(method: "POST", uri: "/job", code: 202)
@waitable(
    JobDone: {
        documentation: "Done"
        acceptors: [
            { state: "success", matcher: { output: { path: "status", expected: "DONE", comparator: "stringEquals" } } }
            { state: "failure", matcher: { errorType: "example#Lost" } }
            { state: "retry", matcher: { errorType: "Busy" } }
            { state: "failure", matcher: { errorType: "Broken" } }
            { state: "retry", matcher: { errorType: "NotFound" } }
            { state: "retry", matcher: { errorType: "Too.Fast" } }
            { state: "failure", matcher: { inputOutput: { path: "input.id != output.id", expected: "true", comparator: "booleanEquals" } } }
            { state: "failure", matcher: { output: { path: "length(steps[0].name) == `3`", expected: "true", comparator: "booleanEquals" } } }
        ]
    }
)
operation GetJob {
    input := {
        @required
        id: String
    }
    output := {
        id: String
        status: String
        steps: Steps
    }
    errors: [Lost, Broken, Fast]
}

@http(method: "POST", uri: "/description", code: 202)
@waitable(
    JobFull: {
        acceptors: [
            {
                state: "success"
                matcher: {
                    output: {
                        path: "id == 'A' && at > `1` && count == `-300` && ratio == `0.5` && flag && data == 'dmFsdWU=' && steps[1].name == '<B>' && steps[1].at > `1` && times[0] > `1` && blobs.a == 'dmFsdWU=' && day > `1` && text == `\"&\\r\"` && tags.b == 'C' && either.one == 'D' && doc == `3`"
                        expected: "true"
                        comparator: "booleanEquals"
                    }
                }
            }
        ]
    }
)
operation DescribeJob {
    output := {
        id: String
        status: String
        at: Timestamp
        count: Integer
        ratio: Double
        flag: Boolean
        data: Blob
        steps: Steps
        tags: Tags
        either: Either
        doc: Document
        times: Times
        blobs: Blobs
        @timestampFormat("date-time")
        day: Timestamp
        text: String
    }
}

@http(method: "HEAD", uri: "/job")
@waitable(
    JobThere: {
        acceptors: [
            { state: "success", matcher: { success: true } }
            { state: "failure", matcher: { errorType: "Forbidden" } }
            { state: "retry", matcher: { errorType: "404" } }
            { state: "failure", matcher: { success: false } }
        ]
    }
)
operation HeadJob {
    output := {
        @httpHeader("X-Id")
        id: String
    }
}

list Steps { member: Step }

structure Step {
    name: String
    @jsonName("When")
    at: Timestamp
}

list Times { member: Timestamp }

map Blobs { key: String, value: Blob }

map Tags { key: String, value: String }

union Either { one: String, two: Integer }

@error("client")
@httpError(410)
structure Lost {}

@error("client")
@awsQueryError(code: "Too.Busy", httpResponseCode: 409)
structure Busy {}

@error("server")
structure Broken {}

@error("client")
@awsQueryError(code: "Too.Fast", httpResponseCode: 429)
structure Fast {}
