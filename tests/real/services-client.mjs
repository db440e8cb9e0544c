// The services of the tests of real use: the program that has them, the proxy's script, clients without retries of their own.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { CloudWatchClient } from "@aws-sdk/client-cloudwatch";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Runs the services with this number of tables to wait for; they end with their standard input. */
export async function running(tables = 0) {
  const program = spawn(process.execPath, ["--no-warnings", "services.mjs", String(tables)], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: program.stdout }), "line");
  return new Services(program, JSON.parse(line));
}

/** A client of a DynamoDB, without retries of its own unless the configuration has them. */
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

  /** Says what goes wrong with the next requests; a number is a status. */
  async script(...faults) {
    const body = JSON.stringify(faults.map((fault) => (typeof fault === "number" ? { status: fault } : fault)));
    await fetch(`${this.#addresses.proxy}/-/script`, { method: "POST", body });
  }

  /** Lets a seed decide the faults of all further requests. */
  async seed(seed) {
    await fetch(`${this.#addresses.proxy}/-/seed`, { method: "POST", body: JSON.stringify(seed) });
  }

  /** The number of requests that came to the proxy since the script or the seed. */
  async count() {
    return (await fetch(`${this.#addresses.proxy}/-/count`)).json();
  }

  /** The requests that came to the proxy since the script, in their order. */
  async arrived() {
    return (await fetch(`${this.#addresses.proxy}/-/arrived`)).json();
  }

  /** The requests that came to the server of compressed bodies since it was asked last. */
  async decoded() {
    return (await fetch(`${this.#addresses.decoder}/-/arrived`)).json();
  }

  /** A client of the service, without the proxy. */
  direct() {
    return connect(this.#addresses.service);
  }

  /** A client of the service behind the proxy. */
  faulty(config) {
    return connect(this.#addresses.proxy, config);
  }

  /** A client of the server that takes compressed bodies. */
  metrics(config) {
    return new CloudWatchClient({ ...USUAL, endpoint: this.#addresses.decoder, ...config });
  }

  /** Sends a stream to that server. */
  async post(body, headers) {
    await fetch(this.#addresses.decoder, { method: "POST", body, headers, duplex: "half" });
  }
}

const USUAL = {
  region: "us-east-1",
  credentials: { accessKeyId: "none", secretAccessKey: "none" },
  maxAttempts: 1,
};
