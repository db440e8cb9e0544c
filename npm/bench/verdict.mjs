/**
 * What a verdict costs beside npm's `jmespath`, which waiters in JavaScript use today, and beside a closure by hand:
 * the same objects, in turns, in one process. One JSON object a line; times are nanoseconds.
 */

import jmespath from "jmespath";
import { Waiter } from "smithy-waiters";

/** Each contestant has this many turns of at least so many milliseconds; its best one counts. */
const TURNS = 7;
const TURN_MS = 40;

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

/** Nanoseconds of each contestant. */
function measured(tests) {
  const times = {};
  for (const [name, test] of Object.entries(tests)) {
    if (test() !== true) throw new Error(`${name} gives another verdict`);
    times[name] = Number.POSITIVE_INFINITY;
  }
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, test] of Object.entries(tests)) times[name] = Math.min(times[name], timed(test));
  }
  return times;
}

function timed(test) {
  const begun = performance.now();
  let calls = 0;
  let good = 0;
  let spent = 0;
  do {
    for (let call = 0; call < 20; call++) good += test() ? 1 : 0;
    calls += 20;
    spent = performance.now() - begun;
  } while (spent < TURN_MS);
  if (good !== calls) throw new Error("a verdict changed");
  return (spent * 1e6) / calls;
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
  const times = Object.entries(measured(tests)).map(([contestant, time]) => [contestant, Math.round(time * 10) / 10]);
  console.log(JSON.stringify({ case: name, size, ...Object.fromEntries(times) }));
}
