/**
 * Benchmarks of a verdict, compared with npm's `jmespath`, which waiters in JavaScript use today, and with hand-written functions.
 * All contestants receive the same objects. Prints one JSON object per line; times are in nanoseconds.
 */

import jmespath from "jmespath";
import { Waiter } from "smithy-waiters";
import { calls, figure } from "./timing.mjs";

const all = (items, wanted) => items.length > 0 && items.every((item) => item === wanted);
const list = (length, item) => Array.from({ length }, (_, index) => item(index));

const CASES = [
  {
    name: "Table.TableStatus",
    path: "Table.TableStatus",
    comparator: "stringEquals",
    expected: "ACTIVE",
    byHand: (output) => output?.Table?.TableStatus === "ACTIVE",
    response: (size) => ({ Table: { TableName: "t", TableStatus: "ACTIVE", ItemCount: 3, Replicas: list(size, replica) } }),
  },
  {
    name: "Stacks[].StackStatus",
    path: "Stacks[].StackStatus",
    comparator: "allStringEquals",
    expected: "CREATE_COMPLETE",
    byHand: ({ Stacks }) => Stacks.length > 0 && Stacks.every(({ StackStatus }) => StackStatus === "CREATE_COMPLETE"),
    response: (size) => ({ Stacks: list(size, (i) => ({ StackName: `s${i}`, StackStatus: "CREATE_COMPLETE", Tags: [] })) }),
  },
  {
    name: "Reservations[].Instances[].State.Name",
    path: "Reservations[].Instances[].State.Name",
    comparator: "allStringEquals",
    expected: "running",
    byHand: ({ Reservations }) =>
      Reservations.length > 0 &&
      Reservations.every(({ Instances }) => Instances.every(({ State }) => State.Name === "running")),
    response: (size) => ({ Reservations: list(size, (i) => ({ ReservationId: `r${i}`, Instances: list(2, instance) })) }),
  },
  {
    name: "ECS services stable",
    path: "length(services[?!(length(deployments) == `1` && runningCount == desiredCount)]) == `0`",
    comparator: "booleanEquals",
    expected: "true",
    byHand: ({ services }) =>
      services.every((service) => service.deployments.length === 1 && service.runningCount === service.desiredCount),
    response: (size) => ({
      services: list(size, (i) => ({ serviceName: `s${i}`, runningCount: 2, desiredCount: 2, deployments: [{ id: `d${i}` }] })),
    }),
  },
  {
    name: "ASG in service",
    path: "contains(AutoScalingGroups[].[length(Instances[?LifecycleState=='InService']) >= MinSize][], `false`)",
    comparator: "booleanEquals",
    expected: "false",
    byHand: ({ AutoScalingGroups }) =>
      AutoScalingGroups.every(
        ({ Instances, MinSize }) => Instances.filter((one) => one.LifecycleState === "InService").length >= MinSize,
      ),
    response: (size) => ({
      AutoScalingGroups: list(size, (i) => ({
        AutoScalingGroupName: `g${i}`,
        MinSize: 2,
        Instances: list(3, () => ({ InstanceId: `i${i}`, LifecycleState: "InService", HealthStatus: "Healthy" })),
      })),
    }),
  },
];

const SIZES = [["small", 2], ["large", 500]];

function replica(index) {
  return { RegionName: `r${index}`, ReplicaStatus: "ACTIVE" };
}

function instance(index) {
  return { InstanceId: `i${index}`, InstanceType: "t3.micro", State: { Code: 16, Name: "running" } };
}

/** Returns a test of a response with npm's `jmespath`, as in the AWS SDK for JavaScript v2. */
function jmespathTest({ path, comparator, expected }) {
  const search = (output) => jmespath.search(output, path);
  if (comparator === "allStringEquals") return (output) => all(search(output), expected);
  const value = comparator === "booleanEquals" ? expected === "true" : expected;
  return (output) => search(output) === value;
}

function contestants(testCase, response) {
  const { path, comparator, expected, byHand } = testCase;
  const waiter = new Waiter({ acceptors: [{ state: "success", matcher: { output: { path, comparator, expected } } }] });
  const viaJmespath = jmespathTest(testCase);
  return {
    engine: () => waiter.evaluate({ response }).state === "success",
    npmJmespath: () => viaJmespath(response),
    byHand: () => byHand(response),
  };
}

/** Runs all tests, so that the JavaScript engine does not optimize a contestant for a single path and response. */
function warmUp(entries) {
  for (let round = 0; round < 200; round++) for (const { tests } of entries) for (const test of Object.values(tests)) test();
}

const entries = CASES.flatMap((testCase) =>
  SIZES.map(([size, length]) => ({ name: testCase.name, size, tests: contestants(testCase, testCase.response(length)) })),
);
warmUp(entries);
for (const { name, size, tests } of entries) {
  const wrong = Object.keys(tests).filter((contestant) => tests[contestant]() !== true);
  if (wrong.length > 0) throw new Error(`${name}: ${wrong} returned a different verdict`);
  await figure(name, size, Object.fromEntries(Object.entries(tests).map(([contestant, test]) => [contestant, calls(test)])));
}
