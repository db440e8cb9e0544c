$version: "2"

namespace smithy.waiters.proof

use com.amazonaws.dynamodb#DescribeBackup
use smithy.waiters#waitable

// What no waiter of the published models has: a look at the input, a deprecated one, odd names.
apply DescribeBackup @waitable(
    BackupAvailable: {
        documentation: "Waits until the backup that is asked for is available."
        acceptors: [
            {
                state: "success"
                matcher: {
                    inputOutput: {
                        path: "input.BackupArn == output.BackupDescription.BackupDetails.BackupArn && output.BackupDescription.BackupDetails.BackupStatus == 'AVAILABLE'"
                        comparator: "booleanEquals"
                        expected: "true"
                    }
                }
            }
            {
                state: "failure"
                matcher: {
                    output: {
                        path: "BackupDescription.BackupDetails.BackupStatus"
                        comparator: "stringEquals"
                        expected: "DELETED"
                    }
                }
                message: "BackupDescription.SourceTableDetails.TableName"
            }
        ]
    }
    // A list that is required.
    BackupOfKeys: {
        acceptors: [
            {
                state: "success"
                matcher: { output: { path: "BackupDescription.SourceTableDetails.KeySchema[].AttributeName", comparator: "anyStringEquals", expected: "id" } }
            }
            {
                state: "failure"
                matcher: { output: { path: "length(BackupDescription.SourceTableDetails.KeySchema) > `1`", comparator: "booleanEquals", expected: "true" } }
            }
        ]
    }
    BackupDeleted: {
        deprecated: true
        acceptors: [
            {
                state: "success"
                matcher: {
                    errorType: "BackupNotFoundException"
                }
            }
        ]
    }
    // Names that the code itself uses.
    Behaviour: {
        acceptors: [
            {
                state: "success"
                matcher: {
                    success: true
                }
            }
        ]
    }
    Option: {
        acceptors: [
            {
                state: "success"
                matcher: {
                    success: true
                }
            }
        ]
    }
    Result: {
        acceptors: [
            {
                state: "success"
                matcher: {
                    success: true
                }
            }
        ]
    }
    String: {
        acceptors: [
            {
                state: "success"
                matcher: {
                    success: true
                }
            }
        ]
    }
    WaitUntil: {
        acceptors: [
            {
                state: "success"
                matcher: {
                    success: true
                }
            }
        ]
    }
)
