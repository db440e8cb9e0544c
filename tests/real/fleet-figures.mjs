// Measures waits for 1,000 instances of the fake of EC2 (`fleets.json`): by the SDK's waiter, by ours, and by a fleet. The program
// prints a line of JSON for each kind of waits. See docs/many-resources.md.

import { readFileSync } from "node:fs";

import { DescribeInstancesCommand, waitUntilInstanceRunning } from "@aws-sdk/client-ec2";
import { proportional, Waiter, WaitersFailed } from "smithy-waiters";

import { runningEc2 } from "./ec2-client.mjs";

const { load } = JSON.parse(readFileSync(new URL("fleets.json", import.meta.url), "utf8"));
const { instances, from, to, limit, maxWait: maxWaitTime, timeLimit, ...shared } = load;

/** The time at which each instance runs, in seconds. The times are spread evenly. */
const CHANGES = new Map(
  Array.from({ length: instances }, (_, number) => [
    `i-${number.toString(16).padStart(17, "0")}`,
    from + (((number * 37) % instances) * (to - from)) / instances,
  ]),
);

const IDS = [...CHANGES.keys()];

const RUNNING = Waiter.until("Reservations[].Instances[].State.Name", "running", {
  fail: ["shutting-down", "terminated", "stopping"],
  name: "InstanceRunning",
});

const call =
  (client) =>
  (InstanceIds, { signal }) =>
    client.send(new DescribeInstancesCommand({ InstanceIds }), { abortSignal: signal });

/** Runs a wait for each instance, and returns the times of their ends. */
async function ofCallers(now, wait) {
  const ends = new Map();
  const one = async (id) => {
    await wait(id);
    ends.set(id, now());
  };
  await Promise.allSettled(IDS.map(one));
  return ends;
}

function own(client, now) {
  return ofCallers(now, (id) => waitUntilInstanceRunning({ client, maxWaitTime }, { InstanceIds: [id] }));
}

function ours(client, now) {
  const describe = call(client);
  return ofCallers(now, (id) => RUNNING.wait((attempt) => describe([id], attempt), { maxWaitTime }));
}

async function fleet(client, now, options) {
  const { rate, batch } = shared;
  const all = RUNNING.fleet(call(client), { items: "Reservations[].Instances[]", key: "InstanceId", rate, batch });
  const begun = now();
  const outcomes = await all.waitEach(IDS, { maxWaitTime, ...options }).catch((error) => {
    if (error instanceof WaitersFailed) return error.outcomes;
    throw error;
  });
  return new Map([...outcomes].map(([id, { elapsed }]) => [id, begun + elapsed]));
}

function fleetInProportion(client, now) {
  return fleet(client, now, { pace: proportional(shared.proportional), minDelay: shared.minDelay });
}

/** Runs the waits of a case, and returns their ends beside the changes of their instances. */
async function measure(ec2, name, run) {
  const client = ec2.client();
  // Before the start of the fake's clock, so that no end can seem early.
  const [start, before] = [performance.now(), process.cpuUsage()];
  await ec2.begin([...CHANGES].map(([id, at]) => [id, 0, at]), { limit });
  const now = () => (performance.now() - start) / 1000;
  const ends = await run(client, now);
  const [duration, { user, system }] = [now(), process.cpuUsage(before)];
  client.destroy();
  return {
    case: name,
    client: "AWS SDK for JavaScript",
    ends: [...ends].map(([id, end]) => [CHANGES.get(id), end]),
    failed: instances - ends.size,
    report: await ec2.report(),
    processor: (user + system) / 1e6,
    duration,
  };
}

const CASES = { "the SDK's waiter": own, "our waiter": ours, "a fleet": fleet, "a fleet, in proportion": fleetInProportion };

// A wait that hangs must not block `cargo xtask deep`.
setTimeout(() => process.exit(1), timeLimit * 1000).unref();
const ec2 = await runningEc2();
for (const [name, run] of Object.entries(CASES)) console.log(JSON.stringify(await measure(ec2, name, run)));
ec2.stop();
