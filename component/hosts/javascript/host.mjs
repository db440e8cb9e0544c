// A host that runs the component in Node, transpiled by jco. Reads a call from each line of its standard input, and writes a line
// with the result.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const interfaces = await import(pathToFileURL(process.argv[2]).href);
const resources = [];

/** Converts `from-definition` to `fromDefinition`. */
const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`-${name}`);
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Converts JSON to a value of the component. */
function lower(value) {
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(lower);
  if ("u64" in value) return BigInt(value.u64);
  if ("resource" in value) return resources[value.resource];
  if ("variant" in value) return { tag: value.variant[0], val: lower(value.variant[1] ?? null) };
  return Object.fromEntries(Object.entries(value.record).map(([name, member]) => [camel(name), lower(member)]));
}

/** Converts a value of the component to JSON. */
function lift(value) {
  if (value === undefined || value === null) return null;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(lift);
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) {
    resources.push(value);
    return { resource: resources.length - 1 };
  }
  if ("tag" in value) return { variant: value.val === undefined ? [value.tag] : [value.tag, lift(value.val)] };
  return { record: Object.fromEntries(Object.entries(value).map(([name, member]) => [kebab(name), lift(member)])) };
}

/** Resolves a function. Returns it with its arguments, without the resource of a method. */
function resolveFunction(exported, name, values) {
  const [, kind, resource, method] = /^(?:\[(.+)\](.+)\.)?(.+)$/.exec(name);
  if (kind === "static") return [exported[pascal(resource)][camel(method)], values];
  if (kind === "method") return [values[0][camel(method)].bind(values[0]), values.slice(1)];
  return [exported[camel(method)], values];
}

function call({ interface: name, function: method, arguments: values }) {
  const [callee, rest] = resolveFunction(interfaces[camel(name)], method, values.map(lower));
  try {
    return { ok: lift(callee(...rest)) };
  } catch (error) {
    // jco throws the error of a WIT `result` unchanged. An instance of `Error` is a trap.
    return error instanceof Error ? { trap: error.stack } : { error: lift(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if ("drop" in request) {
    resources[request.drop.resource][Symbol.dispose]();
    console.log("{}");
  } else {
    console.log(JSON.stringify(call(request)));
  }
}
