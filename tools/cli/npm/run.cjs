#!/usr/bin/env node
// Runs the command: a program of its own, in a package of its own for each platform.
"use strict";

const { spawn } = require("node:child_process");

const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"];

const program = find();
if (program === undefined) {
  console.error(
    `error: ${platformPackage()} is not installed: install smithy-waiters-cli with its optional dependencies, ` +
      "or, where there is none for this platform, cargo install smithy-waiters-cli",
  );
  process.exitCode = 2;
} else {
  run();
}

function platformPackage() {
  const name = `smithy-waiters-cli-${process.platform}-${process.arch}`;
  return isMusl() ? `${name}-musl` : name;
}

function isMusl() {
  if (process.platform !== "linux") return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function find() {
  const file = process.platform === "win32" ? "smithy-waiters.exe" : "smithy-waiters";
  try {
    return require.resolve(`${platformPackage()}/${file}`);
  } catch {
    return undefined;
  }
}

function run() {
  const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
  const pass = (signal) => child.kill(signal);
  SIGNALS.forEach((signal) => process.on(signal, pass));
  child.on("error", (error) => {
    console.error(`error: cannot run ${program}: ${error.message}`);
    process.exitCode = 2;
  });
  child.on("exit", (code, signal) => {
    SIGNALS.forEach((signal) => process.removeListener(signal, pass));
    // Whoever stopped the command stopped this, too.
    if (signal === null) process.exitCode = code;
    else process.kill(process.pid, signal);
  });
}
