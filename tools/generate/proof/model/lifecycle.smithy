$version: "2.0"

namespace smithy.waiters.proof

use com.amazonaws.s3#GetBucketLifecycleConfiguration
use com.amazonaws.s3#PutObject
use smithy.waiters#waitable

// What no waiter of the published models has: a look at a member that the SDK has deprecated, an input with a stream.
apply GetBucketLifecycleConfiguration @waitable(
    RulesOfLogs: {
        acceptors: [
            {
                state: "success"
                matcher: { output: { path: "Rules[].Prefix", comparator: "anyStringEquals", expected: "logs/" } }
            }
        ]
    }
)

apply PutObject @waitable(
    // A name that the code itself uses.
    Make: { acceptors: [{ state: "success", matcher: { success: true } }] }
    ObjectStored: {
        acceptors: [
            { state: "success", matcher: { success: true } }
            { state: "retry", matcher: { errorType: "EncryptionTypeMismatch" } }
        ]
    }
)
