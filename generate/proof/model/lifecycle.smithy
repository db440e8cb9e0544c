$version: "2.0"

namespace smithy.waiters.proof

use com.amazonaws.s3#GetBucketLifecycleConfiguration
use smithy.waiters#waitable

// What no waiter of the published models has: a look at a member that the SDK has deprecated.
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
