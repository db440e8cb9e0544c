// The services of the tests with real SDKs, the configuration of the proxy, and clients without retries.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Runs the services with a number of tables to wait for. They exit when their standard input ends. */
export async function running(tables = 0) {
  const program = spawn(process.execPath, ["--no-warnings", "services.mjs", String(tables)], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: program.stdout }), "line");
  return new Services(program, JSON.parse(line));
}

/** Creates a client for DynamoDB, without retries unless the configuration enables them. */
export function connect(endpoint, config) {
  return new DynamoDBClient({ ...USUAL, endpoint, ...config });
}

class Services {
  #program;
  #addresses;

  constructor(program, addresses) {
    this.#program = program;
    this.#addresses = addresses;
  }

  stop() {
    this.#program.stdin.end();
  }

  /** Sets the faults of the next requests; a number is a status. */
  async script(...faults) {
    const body = JSON.stringify(faults.map((fault) => (typeof fault === "number" ? { status: fault } : fault)));
    await fetch(`${this.#addresses.proxy}/-/script`, { method: "POST", body });
  }

  /** Sets a seed and the faults of all further requests (`seeded-faults.mjs`). */
  async seed(seed, faults) {
    await fetch(`${this.#addresses.proxy}/-/seed`, { method: "POST", body: JSON.stringify({ seed, faults }) });
  }

  /** Returns the number of requests that the proxy received since the last script or seed. */
  async count() {
    return (await fetch(`${this.#addresses.proxy}/-/count`)).json();
  }

  /** Returns the requests that the proxy received since the last script, in order. */
  async arrived() {
    return (await fetch(`${this.#addresses.proxy}/-/arrived`)).json();
  }

  /** Returns the requests that the server for compressed bodies received since the last call. */
  async decoded() {
    return (await fetch(`${this.#addresses.decoder}/-/arrived`)).json();
  }

  /** Creates a client for the service, without the proxy. */
  direct() {
    return connect(this.#addresses.service);
  }

  /** Creates a client for the service behind the proxy. */
  faulty(config) {
    return connect(this.#addresses.proxy, config);
  }

  /** Creates a client for the server that accepts compressed bodies. */
  metrics(config) {
    return new CloudWatchClient({ ...USUAL, endpoint: this.#addresses.decoder, ...config });
  }

  /** Sends a stream to the server that accepts compressed bodies. */
  async post(body, headers) {
    await fetch(this.#addresses.decoder, { method: "POST", body, headers, duplex: "half" });
  }
}

const USUAL = {
  region: "us-east-1",
  credentials: { accessKeyId: "none", secretAccessKey: "none" },
  maxAttempts: 1,
};
