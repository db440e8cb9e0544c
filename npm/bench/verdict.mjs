/**
 * What a verdict costs beside npm's `jmespath`, which waiters in JavaScript use today, and beside a closure by hand:
 * the same objects, in turns, in one process. One JSON object a line; times are nanoseconds.
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

/** The same test by npm's `jmespath`, as the AWS SDK for JavaScript v2 made it. */
function jmespathTest({ path, comparator, expected }) {
  const found = (output) => jmespath.search(output, path);
  if (comparator === "allStringEquals") return (output) => all(found(output), expected);
  const wanted = comparator === "booleanEquals" ? expected === "true" : expected;
  return (output) => found(output) === wanted;
}

function contestants(given, response) {
  const { path, comparator, expected, byHand } = given;
  const waiter = new Waiter({ acceptors: [{ state: "success", matcher: { output: { path, comparator, expected } } }] });
  const viaJmespath = jmespathTest(given);
  return {
    engine: () => waiter.evaluate({ response }).state === "success",
    npmJmespath: () => viaJmespath(response),
    byHand: () => byHand(response),
  };
}

/** So that no contestant is alone in a process that has seen one path and one response only. */
function warmUp(prepared) {
  for (let round = 0; round < 200; round++) for (const { tests } of prepared) for (const test of Object.values(tests)) test();
}

const prepared = CASES.flatMap((given) =>
  SIZES.map(([size, length]) => ({ name: given.name, size, tests: contestants(given, given.response(length)) })),
);
warmUp(prepared);
for (const { name, size, tests } of prepared) {
  const wrong = Object.keys(tests).filter((contestant) => tests[contestant]() !== true);
  if (wrong.length > 0) throw new Error(`${name}: ${wrong} gives another verdict`);
  await figure(name, size, Object.fromEntries(Object.entries(tests).map(([contestant, test]) => [contestant, calls(test)])));
}
