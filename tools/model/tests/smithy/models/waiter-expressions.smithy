// Expressions of every kind, and what Smithy can tell of their types.
$version: "2.0"

namespace example.expressions

use smithy.waiters#waitable

@waitable(
    Ended: { acceptors: [
        { state: "success", matcher: { output: { path: "a.b.c", comparator: "stringEquals", expected: "x" } } }
        { state: "failure", matcher: { output: { path: "map_.k", comparator: "stringEquals", expected: "x" } } }
        { state: "failure", matcher: { output: { path: "map_.*.name", comparator: "anyStringEquals", expected: "x" } } }
        { state: "failure", matcher: { output: { path: "doc", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "doc.x.y", comparator: "allStringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "union_", comparator: "allStringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "sparse[0]", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "blob", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "ts", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "ts", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "rec.rec.rec.rec.rec.rec.name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "rec.rec.rec.rec.rec.rec.gone", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "recs[].recs[].recs[].name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "`1`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "`null`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "'x'", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "big", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "enum_ == 'A' || enum_ == 'B'", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "enum_ || rec", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "enum_ && rec", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "gone || enum_", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "!gone", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "max_by(recs, &num).name", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "map(&name, recs)", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "type(rec)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "merge(rec, rec).name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "values(map_)[0].name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "reverse(name)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "to_number(name)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "to_array(name)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "avg(nums) > `1`", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "ceil(num)", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "ends_with(name, `1`)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "contains(nums, 'x')", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "recs[?name == 'x'] | [0].name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "recs[?name == `1`] | [0].num", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "recs[-1].name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "recs[::2].name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "recs[::0].name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "sort(nums)[0]", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "sort(recs)[0]", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "not_null()", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "length(rec)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "length(num)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "&name", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "\"name\"", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "name == `\"x\"`", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "num == '1'", comparator: "stringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "num > `1` == `true`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "{a: gone}.a", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "{a: name}.b", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "[name, num][1]", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "[name, num][7]", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "@.*", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "*", comparator: "anyStringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "*.name", comparator: "anyStringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "nums[].x", comparator: "anyStringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "nested[][0].name", comparator: "anyStringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "nested[].gone", comparator: "anyStringEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "nums[0] < nums[1]", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "rec < rec", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "gone < `1`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "gone == `1`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "starts_with(gone, 'x')", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "contains(recs[].name, 'x')", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "length(recs[?contains(name, 'x')]) > `0`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "join('', recs[].num)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "min(nums)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "floor(name)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "sum(nums) == `1`", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "keys(rec)", comparator: "booleanEquals", expected: "true" } } }
        { state: "failure", matcher: { output: { path: "unit_.x", comparator: "booleanEquals", expected: "true" } } }
    ] }
)
operation O { output := {
  name: String, a: A, map_: M, doc: Document, union_: U, sparse: S, blob: Blob, ts: Timestamp, rec: R, recs: Rs, big: BigInteger, enum_: E, num: Integer, nums: Ns, nested: Nested, unit_: Unit2 } }
structure Unit2 {}
list Nested { member: Rs }
list Ns { member: Double }
enum E {
 A
 B
}
list Rs { member: R }
structure R { name: String, rec: R, recs: Rs, num: Long }
@sparse
list S { member: Boolean }
union U { a: String, b: A }
structure A { b: B }
structure B { c: String }
map M { key: String, value: R }
