// Writes the waiters of AWS that the page offers to `public/aws/`: the names, and for each service the definitions with examples of
// results. They come from the conformance suites, which are derived from botocore's files.
//
// node aws.mjs SUITES

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROLES = ["ready", "pending", "failed", "throttled"];
const [suites] = process.argv.slice(2);
const out = join(import.meta.dirname, "public/aws");

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const index = { source: "", services: {} };
for (const file of readdirSync(suites).filter((name) => name.endsWith(".json")).sort()) {
  const { service, waiters } = JSON.parse(readFileSync(join(suites, file), "utf8"));
  index.source = service.source;
  index.services[service.botocore] = Object.keys(waiters);
  const content = Object.fromEntries(Object.entries(waiters).map(([name, waiter]) => [name, contentOf(waiter)]));
  write(`${service.botocore}.json`, JSON.stringify(content));
}
write("index.json", JSON.stringify(index));
write(
  "NOTICE.txt",
  `The files in this folder are derived from the definitions of ${index.source}, https://github.com/boto/botocore.
Copyright Amazon.com, Inc. or its affiliates. Licensed under the Apache License, Version 2.0:
https://www.apache.org/licenses/LICENSE-2.0. They were translated to the Waiter structures of Smithy; the examples of results were added.
`,
);
console.log(`${Object.values(index.services).flat().length} waiters of ${Object.keys(index.services).length} services`);

function contentOf({ operation, definition, params, answers }) {
  const examples = ROLES.flatMap((role) => {
    const answer = answers[role];
    if (answer === undefined) return [];
    const { output, error } = answer;
    return [[role, error === undefined ? { output } : { error: error.code, status: answer.http?.status }]];
  });
  return { operation, definition: { acceptors: definition.acceptors.map(inOrder), ...rest(definition) }, input: params, examples: Object.fromEntries(examples) };
}

/** The members in the order in which people write them. */
function inOrder({ state, matcher, ...others }) {
  const [[kind, value]] = Object.entries(matcher);
  if (typeof value !== "object") return { state, matcher, ...others };
  const { path, expected, comparator } = value;
  return { state, matcher: { [kind]: { path, expected, comparator } }, ...others };
}

function rest({ acceptors: _, ...others }) {
  return others;
}

function write(name, text) {
  writeFileSync(join(out, name), text);
}
