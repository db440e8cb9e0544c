// Compares the component in Node, transpiled by jco, with the npm package. Both parse the same JSON text. Prints one figure per line,
// as the project's other benchmarks do.

import { Waiter } from "smithy-waiters";

import { waiter } from "./engine/smithy-waiters.js";
import { calls, figure } from "./timing.mjs";

const matcher = (path, comparator, expected) => ({ output: { path, comparator, expected } });
const definition = {
  acceptors: [
    { state: "failure", matcher: matcher("failures[].reason", "anyStringEquals", "MISSING") },
    { state: "success", matcher: matcher("tasks[].lastStatus", "allStringEquals", "STOPPED") },
  ],
};
const component = waiter.Waiter.fromDefinition(JSON.stringify(definition));
const npmWaiter = new Waiter(definition);

for (const size of [1, 100, 1000]) {
  const tasks = Array.from({ length: size }, (_, index) => ({
    taskArn: `arn:aws:ecs:eu-west-1:1:task/${index}`,
    lastStatus: index === size - 1 ? "RUNNING" : "STOPPED",
    cpu: "256",
    containers: [],
  }));
  const text = JSON.stringify({ tasks, failures: [] });
  await figure("evaluate, Node", `${size} tasks`, {
    engine: calls(() => component.evaluate({ tag: "response", val: text })),
    npmPackage: calls(() => npmWaiter.evaluate({ response: JSON.parse(text) })),
  });
}
