$version: "2"

namespace smithy.waiters.proof

use com.amazonaws.dynamodb#DescribeBackup
use smithy.waiters#waitable

// What no waiter of the published models has: a look at the input, and a deprecated one.
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
)
