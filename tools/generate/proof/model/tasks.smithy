$version: "2.0"

namespace smithy.waiters.proof

use com.amazonaws.ecs#DescribeTaskSets
use com.amazonaws.ecs#Service
use com.amazonaws.ecs#TaskSet
use smithy.waiters#waitable

// The SDK's types have defaults, which botocore's files do not hold.
apply Service$desiredCount @default(0)
apply Service$runningCount @default(0)
apply TaskSet$pendingCount @default(0)

// What no waiter of the published models has: members that the SDK's types always have, in filters; a search in a filter.
apply DescribeTaskSets @waitable(
    TaskSetsLook: {
        acceptors: [
            {
                state: "success"
                matcher: { output: { path: "taskSets[?contains(networkConfiguration.awsvpcConfiguration.subnets, id)].id", comparator: "anyStringEquals", expected: "a" } }
            }
            {
                state: "failure"
                matcher: { output: { path: "taskSets[?networkConfiguration.awsvpcConfiguration.subnets].id", comparator: "anyStringEquals", expected: "b" } }
            }
            {
                state: "failure"
                matcher: { output: { path: "taskSets[?length(networkConfiguration.awsvpcConfiguration.subnets) > `1`].id", comparator: "anyStringEquals", expected: "c" } }
            }
            {
                state: "failure"
                matcher: { output: { path: "taskSets[0].networkConfiguration.awsvpcConfiguration.subnets[-1]", comparator: "stringEquals", expected: "d" } }
            }
            {
                state: "retry"
                matcher: { output: { path: "taskSets[?pendingCount].id", comparator: "anyStringEquals", expected: "e" } }
            }
        ]
    }
)
