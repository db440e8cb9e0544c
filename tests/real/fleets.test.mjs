// Tests of fleets with the AWS SDK and the fake of EC2 on a virtual clock: the numbers of calls are those of Python.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import { DescribeInstancesCommand, DescribeVolumesCommand } from "@aws-sdk/client-ec2";
import { Waiter, WaitersFailed } from "smithy-waiters";
import { FakeClock } from "smithy-waiters/testing";

import { runningEc2 } from "./ec2-client.mjs";

const { scenarios } = JSON.parse(readFileSync(new URL("fleets.json", import.meta.url), "utf8"));

const OPERATIONS = {
  DescribeInstances: {
    start: "i-",
    command: (InstanceIds) => new DescribeInstancesCommand({ InstanceIds }),
    items: "Reservations[].Instances[]",
    key: "InstanceId",
    state: "State.Name",
    goal: "running",
  },
  DescribeVolumes: {
    start: "vol-",
    command: (VolumeIds) => new DescribeVolumesCommand({ VolumeIds }),
    items: "Volumes[]",
    key: "VolumeId",
    state: "State",
    goal: "available",
  },
};

const NEVER = 1e9;

let ec2;
before(async () => {
  ec2 = await runningEc2();
});
after(() => ec2.stop());

/** Returns the resources. The groups are mixed, and those that never appear are unknown. */
function resourcesOf({ groups, operation }) {
  const { start } = OPERATIONS[operation];
  const all = groups.flatMap(({ count, appears = NEVER, changes: [first, last] = [0, 0] }) =>
    Array.from({ length: count }, (_, index) => [appears, first + ((last - first) * index) / count]),
  );
  return all.map((_, number) => [start + number.toString(16).padStart(17, "0"), ...all[(number * 37) % all.length]]);
}

for (const scenario of scenarios) {
  const { name, operation, names = "all", fleet: members, options, expected } = scenario;
  test(`the calls of a fleet: ${name}`, async () => {
    const { command, items, key, state, goal } = OPERATIONS[operation];
    const [clock, resources, client] = [new FakeClock(), resourcesOf(scenario), ec2.client()];
    await ec2.begin(resources, { names, isManual: true });
    const call = async (ids, { signal }) => {
      await ec2.setNow(clock.now);
      return client.send(command(ids), { abortSignal: signal });
    };
    const fleet = Waiter.until(`${items}.${state}`, goal, { name: "Ready" }).fleet(call, { items, key, clock, ...members });
    const { maxWait: maxWaitTime, ...others } = options;
    const ids = resources.map(([id]) => id);
    const { outcomes, failures } = await fleet.waitEach(ids, { maxWaitTime, ...others }).then(
      (found) => ({ outcomes: found, failures: new Map() }),
      (error) => {
        if (error instanceof WaitersFailed) return error;
        throw error;
      },
    );
    client.destroy();
    const known = resources.filter(([, appears]) => appears < NEVER).map(([id]) => id);
    assert.deepEqual(new Set(outcomes.keys()), new Set(known));
    const found = {
      calls: (await ec2.report()).requests,
      failures: failures.size,
      latest: Math.max(...[...outcomes.values()].map(({ elapsed }) => elapsed)),
    };
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((member) => [member, found[member]])), expected);
  });
}
