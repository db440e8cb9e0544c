#!/usr/bin/env node
"use strict";
let command;
try {
  command = require.resolve("smithy-waiters-cli/run.cjs", { paths: [process.cwd(), __dirname] });
} catch {
  console.error("error: the command is in a separate package: npm install --save-dev smithy-waiters-cli");
  process.exit(2);
}
require(command);
