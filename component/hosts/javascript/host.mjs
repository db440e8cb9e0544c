// The component in Node, transpiled by jco: takes a call on each line of its input, and answers on a line.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const interfaces = await import(pathToFileURL(process.argv[2]).href);
const resources = [];

/** `from-definition` as JavaScript has it. */
const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const pascal = (name) => camel(`-${name}`);
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A value as the component takes it. */
function lower(value) {
  if (value === null) return undefined;
  if (typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(lower);
  if ("u64" in value) return BigInt(value.u64);
  if ("resource" in value) return resources[value.resource];
  if ("variant" in value) return { tag: value.variant[0], val: lower(value.variant[1] ?? null) };
  return Object.fromEntries(Object.entries(value.record).map(([name, member]) => [camel(name), lower(member)]));
}

/** A value of the component as JSON. */
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

/** The function, and what is left of the arguments after the resource whose method it is. */
function bound(exported, name, given) {
  const [, kind, resource, method] = /^(?:\[(.+)\](.+)\.)?(.+)$/.exec(name);
  if (kind === "static") return [exported[pascal(resource)][camel(method)], given];
  if (kind === "method") return [given[0][camel(method)].bind(given[0]), given.slice(1)];
  return [exported[camel(method)], given];
}

function call({ interface: name, function: method, arguments: given }) {
  const [called, rest] = bound(interfaces[camel(name)], method, given.map(lower));
  try {
    return { ok: lift(called(...rest)) };
  } catch (error) {
    // The error of a `result` is thrown as it is; an error of JavaScript is a trap.
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
