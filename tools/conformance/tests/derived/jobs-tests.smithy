$version: "2"

namespace waiters.conformance.tests

apply example#Broken @smithy.test#httpResponseTests([
    {"body":"{\"__type\":\"Broken\",\"message\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":500,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a3_match","protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
])

apply example#Busy @smithy.test#httpResponseTests([
    {"body":"{\"__type\":\"Too.Busy\",\"message\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":409,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a2_match","protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
])

apply example#Fast @smithy.test#httpResponseTests([
    {"body":"{\"__type\":\"Too.Fast\",\"message\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":429,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a5_match","protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
])

apply example#GetJob @smithy.test#httpResponseTests([
    {"body":"{\"status\":\"DONE\"}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a0_match","params":{"status":"DONE"},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"status\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a0_other_value","params":{"status":"conformance"},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"status\":\"done\"}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a0_other_case","params":{"status":"done"},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"status\":\"DONE\",\"steps\":[{\"name\":\"xxx\"}]}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a0_before_a7","params":{"status":"DONE","steps":[{"name":"xxx"}]},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"id\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a6_other_value","params":{"id":"conformance"},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"id\":\"conformance\",\"steps\":[{\"name\":\"xxx\"}]}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a7_match","params":{"id":"conformance","steps":[{"name":"xxx"}]},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"steps\":[{\"name\":\"xxxx\"}]}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a7_other_value","params":{"steps":[{"name":"xxxx"}]},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{}","bodyMediaType":"application/x-amz-json-1.1","code":200,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_empty_output","params":{},"protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
])

apply example#Lost @smithy.test#httpResponseTests([
    {"body":"{\"__type\":\"Lost\",\"message\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":410,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a1_match","protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"__type\":\"example#Lost\",\"message\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":410,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a1_with_namespace","protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
    {"body":"{\"__type\":\"Lost:http://internal.amazon.com/coral/com.amazon.coral.service/\",\"message\":\"conformance\"}","bodyMediaType":"application/x-amz-json-1.1","code":410,"headers":{"content-type":"application/x-amz-json-1.1"},"id":"job_runs_JobDone_a1_with_uri","protocol":"aws.protocols#awsJson1_1","tags":["waiters"]}
])

apply example#GetJob @smithy.test#waiterTests([
    {"answers":[{"response":"job_runs_JobDone_a0_match"}],"documentation":"`status` is \"DONE\": acceptor 0 is the first that matches (step 3), so the state is success","expect":{"acceptor":0,"state":"success"},"id":"job_runs_JobDone_a0_match","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a0_other_value"}],"documentation":"`status` is \"conformance\": acceptor 6 is the first that matches (step 3), so the state is failure","expect":{"acceptor":6,"state":"failure"},"id":"job_runs_JobDone_a0_other_value","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a0_other_case"}],"documentation":"`status` is \"done\": acceptor 6 is the first that matches (step 3), so the state is failure","expect":{"acceptor":6,"state":"failure"},"id":"job_runs_JobDone_a0_other_case","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a0_before_a7"}],"documentation":"acceptor 0 and acceptor 7 match: acceptor 0 is the first that matches (step 3), so the state is success","expect":{"acceptor":0,"state":"success"},"id":"job_runs_JobDone_a0_before_a7","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a1_match"}],"documentation":"the error `Lost`: acceptor 1 is the first that matches (step 3), so the state is failure","expect":{"acceptor":1,"state":"failure"},"id":"job_runs_JobDone_a1_match","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a1_with_namespace"}],"documentation":"the error `Lost` on the wire: acceptor 1 is the first that matches (step 3), so the state is failure","expect":{"acceptor":1,"state":"failure"},"id":"job_runs_JobDone_a1_with_namespace","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a1_with_uri"}],"documentation":"the error `Lost` on the wire: acceptor 1 is the first that matches (step 3), so the state is failure","expect":{"acceptor":1,"state":"failure"},"id":"job_runs_JobDone_a1_with_uri","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"error":{"name":"Lost2"}}],"documentation":"the error `Lost2`, whose code only starts like the expected one: no acceptor matches the error (step 4), so the state is failure","expect":{"state":"failure"},"id":"job_runs_JobDone_a1_longer_code","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a2_match"}],"documentation":"the error `Too.Busy`: acceptor 2 is the first that matches (step 3), so the state is retry","expect":{"acceptor":2,"state":"retry"},"id":"job_runs_JobDone_a2_match","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"error":{"name":"Busy"}}],"documentation":"the code `Busy`, which is the name of the shape, where services send `Too.Busy`: acceptor 2 is the first that matches (step 3), so the state is retry","expect":{"acceptor":2,"state":"retry"},"id":"job_runs_JobDone_a2_shape_name","params":{"id":"conformance"},"tags":["convention"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a3_match"}],"documentation":"the error `Broken`: acceptor 3 is the first that matches (step 3), so the state is failure","expect":{"acceptor":3,"state":"failure"},"id":"job_runs_JobDone_a3_match","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"error":{"name":"NotFound"}}],"documentation":"the error `NotFound`: acceptor 4 is the first that matches (step 3), so the state is retry","expect":{"acceptor":4,"state":"retry"},"id":"job_runs_JobDone_a4_match","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a5_match"}],"documentation":"the error `Too.Fast`: acceptor 5 is the first that matches (step 3), so the state is retry","expect":{"acceptor":5,"state":"retry"},"id":"job_runs_JobDone_a5_match","params":{"id":"conformance"},"tags":["convention"],"waiter":"JobDone"}
    {"answers":[{"error":{"name":"Fast"}}],"documentation":"the code `Fast`, which is the name of the shape, where services send `Too.Fast`: no acceptor matches the error (step 4), so the state is failure","expect":{"state":"failure"},"id":"job_runs_JobDone_a5_shape_name","params":{"id":"conformance"},"tags":["open"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a6_other_value"}],"documentation":"`input.id != output.id` is false; `length` doesn't accept null, and the specification doesn't define how an acceptor treats an error of its path: no acceptor matches (step 5), so the state is retry","expect":{"state":"retry"},"id":"job_runs_JobDone_a6_other_value","params":{"id":"conformance"},"tags":["open"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a7_match"}],"documentation":"`length(steps[0].name) == `3`` is true: acceptor 7 is the first that matches (step 3), so the state is failure","expect":{"acceptor":7,"state":"failure"},"id":"job_runs_JobDone_a7_match","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_a7_other_value"}],"documentation":"`length(steps[0].name) == `3`` is false: acceptor 6 is the first that matches (step 3), so the state is failure","expect":{"acceptor":6,"state":"failure"},"id":"job_runs_JobDone_a7_other_value","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"response":"job_runs_JobDone_empty_output"}],"documentation":"an output without members: acceptor 6 is the first that matches (step 3), so the state is failure","expect":{"acceptor":6,"state":"failure"},"id":"job_runs_JobDone_empty_output","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
    {"answers":[{"error":{"name":"AccessDeniedException"}}],"documentation":"the error `AccessDeniedException`, which no acceptor names: no acceptor matches the error (step 4), so the state is failure","expect":{"state":"failure"},"id":"job_runs_JobDone_unmatched_error","params":{"id":"conformance"},"tags":["specification"],"waiter":"JobDone"}
])
