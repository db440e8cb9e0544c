// The fake of EC2 (`ec2.mjs`).

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { EC2Client } from "@aws-sdk/client-ec2";

/** Runs the fake. It exits when its standard input ends. */
export async function runningEc2() {
  const program = spawn(process.execPath, ["--no-warnings", "ec2.mjs"], { stdio: ["pipe", "pipe", "inherit"] });
  const [address] = await once(createInterface({ input: program.stdout }), "line");
  return new Ec2(program, address);
}

class Ec2 {
  #program;
  #address;

  constructor(program, address) {
    this.#program = program;
    this.#address = address;
  }

  stop() {
    this.#program.stdin.end();
  }

  /** Sets the resources (`[id, appears, changes]`) and starts their clock. */
  begin(resources, options) {
    return this.#ask("begin", { resources, ...options });
  }

  /** Sets the time of a manual clock, in seconds. */
  setNow(seconds) {
    return this.#ask("now", seconds);
  }

  /** Returns the numbers of `requests` and of `refused` ones, and the times of answers, `medianMs`. */
  report() {
    return this.#ask("report");
  }

  async #ask(control, body) {
    const answer = await fetch(`${this.#address}/-/${control}`, { method: "POST", body: JSON.stringify(body) });
    return answer.json();
  }

  /** Creates a client with the SDK's default settings. */
  client() {
    return new EC2Client({ region: "us-east-1", endpoint: this.#address, credentials: { accessKeyId: "none", secretAccessKey: "none" } });
  }
}
