// A fake of EC2 on its wire form: `DescribeInstances` and `DescribeVolumes`, for resources whose states change by a clock. It prints
// its address, and exits when its standard input ends.
//
// `POST /-/begin` sets the resources and starts their clock:
//
// | member | value |
// |---|---|
// | `resources` | `[id, appears, changes]` of each: it is unknown until `appears`, and in the desired state from `changes`, in seconds |
// | `limit` | the most requests: `bucket` at once and `perSecond` in the long run. Others are refused |
// | `names` | the unknown identifiers that an error names: `"all"`, `"one"` or `"none"` |
// | `isManual` | `true` if only `POST /-/now` sets the time, to a number of seconds |
//
// `GET /-/report` returns the numbers of `requests` that arrived and of those that were `refused`, and the median of the
// milliseconds that an answer took, `medianMs`.

import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

import { listen } from "./listen.mjs";

/** The most results of a page. */
const MOST_RESULTS = 1000;

/** The most values of a filter. */
const MOST_VALUES = 200;

class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

/** The operations. `named` and `list` are the names of the identifiers in a request, and of the resources in an answer. */
const OPERATIONS = {
  DescribeInstances: {
    named: "InstanceId",
    filter: "instance-id",
    list: "reservationSet",
    states: ["pending", "running"],
    pieces: instancePieces,
    unknown: (ids) => [
      "InvalidInstanceID.NotFound",
      ids.length === 1 ? `The instance ID '${ids[0]}' does not exist` : `The instance IDs '${ids.join(", ")}' do not exist`,
    ],
  },
  DescribeVolumes: {
    named: "VolumeId",
    filter: "volume-id",
    list: "volumeSet",
    states: ["creating", "available"],
    pieces: volumePieces,
    unknown: ([id]) => ["InvalidVolume.NotFound", `The volume '${id}' does not exist.`],
  },
};

/** The XML of an instance in its two states. */
function instancePieces(id, number) {
  const address = `10.0.${number >> 8}.${number & 255}`;
  return ["0:pending", "16:running"].map((state) => {
    const [code, name] = state.split(":");
    return (
      `<item><reservationId>r-${id.slice(2)}</reservationId><ownerId>123456789012</ownerId><groupSet/><instancesSet><item>` +
      `<instanceId>${id}</instanceId><imageId>ami-0abcdef1234567890</imageId><instanceState><code>${code}</code><name>${name}</name></instanceState>` +
      `<privateDnsName>ip-${address.replaceAll(".", "-")}.ec2.internal</privateDnsName><dnsName/><reason/><keyName>key</keyName>` +
      `<amiLaunchIndex>${number}</amiLaunchIndex><productCodes/><instanceType>t3.micro</instanceType><launchTime>2026-01-01T00:00:00.000Z</launchTime>` +
      "<placement><availabilityZone>us-east-1a</availabilityZone><groupName/><tenancy>default</tenancy></placement>" +
      "<monitoring><state>disabled</state></monitoring><subnetId>subnet-0abcdef1234567890</subnetId><vpcId>vpc-0abcdef1234567890</vpcId>" +
      `<privateIpAddress>${address}</privateIpAddress><sourceDestCheck>true</sourceDestCheck>` +
      "<groupSet><item><groupId>sg-0abcdef1234567890</groupId><groupName>default</groupName></item></groupSet>" +
      "<architecture>x86_64</architecture><rootDeviceType>ebs</rootDeviceType><rootDeviceName>/dev/xvda</rootDeviceName>" +
      `<blockDeviceMapping><item><deviceName>/dev/xvda</deviceName><ebs><volumeId>vol-${id.slice(2)}</volumeId><status>attached</status>` +
      "<attachTime>2026-01-01T00:00:00.000Z</attachTime><deleteOnTermination>true</deleteOnTermination></ebs></item></blockDeviceMapping>" +
      "<virtualizationType>hvm</virtualizationType><hypervisor>xen</hypervisor><ebsOptimized>true</ebsOptimized><enaSupport>true</enaSupport>" +
      "</item></instancesSet></item>"
    );
  });
}

function volumePieces(id) {
  return ["creating", "available"].map(
    (state) =>
      `<item><volumeId>${id}</volumeId><size>8</size><snapshotId/><availabilityZone>us-east-1a</availabilityZone><status>${state}</status>` +
      "<createTime>2026-01-01T00:00:00.000Z</createTime><attachmentSet/><volumeType>gp3</volumeType><iops>3000</iops>" +
      "<encrypted>false</encrypted><multiAttachEnabled>false</multiAttachEnabled><throughput>125</throughput></item>",
  );
}

class Service {
  #resources = new Map();
  #limit = null;
  #names = "all";
  #now = () => 0;
  #tokens = { count: 0, at: 0 };
  #refused = 0;
  #times = [];

  begin({ resources, limit = null, names = "all", isManual = false }) {
    const pieces = (id, number) => OPERATIONS[id.startsWith("i-") ? "DescribeInstances" : "DescribeVolumes"].pieces(id, number);
    // Built once, because answers are large.
    const entry = ([id, appears, changes], number) => [id, { appears, changes, pieces: pieces(id, number).map((piece) => Buffer.from(piece)) }];
    this.#resources = new Map(resources.map(entry));
    this.#limit = limit;
    this.#names = names;
    [this.#refused, this.#times] = [0, []];
    this.#tokens = { count: limit?.bucket ?? 0, at: 0 };
    const start = performance.now();
    this.#now = isManual ? () => 0 : () => (performance.now() - start) / 1000;
  }

  set now(seconds) {
    this.#now = () => seconds;
  }

  get report() {
    const sorted = this.#times.toSorted((one, other) => one - other);
    return { requests: sorted.length, refused: this.#refused, medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0 };
  }

  /** Answers a request, with a status and a body. */
  answer(form) {
    const start = performance.now();
    try {
      return [200, this.#describe(new Map(new URLSearchParams(form)))];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status, code, message } = error;
      if (status === 503) this.#refused += 1;
      const problem = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
      return [status, `${DECLARATION}<Response><Errors>${problem}</Errors><RequestID>${REQUEST}</RequestID></Response>`];
    } finally {
      this.#times.push(performance.now() - start);
    }
  }

  #describe(form) {
    const now = this.#now();
    this.#take(now);
    const name = form.get("Action");
    const operation = OPERATIONS[name];
    if (operation === undefined) throw new Refusal(400, "InvalidAction", `The action ${name} is not valid for this web service.`);
    const [ids, token] = this.#selection(form, operation, now);
    const items = ids.map((id) => {
      const { changes, pieces } = this.#resources.get(id);
      return pieces[now < changes ? 0 : 1];
    });
    const next = token === undefined ? "" : `<nextToken>${token}</nextToken>`;
    const start = `<${name}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>${REQUEST}</requestId><${operation.list}>`;
    const end = `</${operation.list}>${next}</${name}Response>`;
    return Buffer.concat([Buffer.from(DECLARATION + start), ...items, Buffer.from(end)]);
  }

  /** Takes a token of the limit. */
  #take(now) {
    if (this.#limit === null) return;
    const { bucket, perSecond } = this.#limit;
    const count = Math.min(bucket, this.#tokens.count + (now - this.#tokens.at) * perSecond);
    this.#tokens = { count, at: now };
    if (count < 1) throw new Refusal(503, "RequestLimitExceeded", "Request limit exceeded.");
    this.#tokens.count -= 1;
  }

  /** Returns the identifiers of a page, and the token of the next one. */
  #selection(form, operation, now) {
    const isKnown = (id) => now >= (this.#resources.get(id)?.appears ?? Number.POSITIVE_INFINITY);
    const given = numbered(form, operation.named);
    const most = form.get("MaxResults");
    if (given.length > 0) {
      if (most !== undefined) throw new Refusal(400, "InvalidParameterCombination", "The list of identifiers cannot be used with the parameter maxResults");
      const unknown = given.filter((id) => !isKnown(id));
      if (unknown.length > 0) throw this.#notFound(operation, unknown);
      return [[...new Set(given)]];
    }
    const wanted = filterValues(form, operation.filter);
    const all = (wanted ?? [...this.#resources.keys()]).filter((id) => isKnown(id) && isOf(operation, id));
    const start = Number(form.get("NextToken") ?? 0);
    const end = start + Math.min(Number(most ?? MOST_RESULTS), MOST_RESULTS);
    return [all.slice(start, end), end < all.length ? end : undefined];
  }

  #notFound(operation, unknown) {
    const [code, message] = operation.unknown(this.#names === "all" ? unknown : unknown.slice(0, 1));
    return new Refusal(400, code, this.#names === "none" ? "A resource does not exist." : message);
  }
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

const REQUEST = "00000000-0000-0000-0000-000000000000";

function isOf({ named }, id) {
  return id.startsWith(named === "InstanceId" ? "i-" : "vol-");
}

/** Returns the members of a list, such as `VolumeId.1`. */
function numbered(form, name) {
  const values = [];
  for (let number = 1; ; number++) {
    const value = form.get(`${name}.${number}`);
    if (value === undefined) return values;
    values.push(value);
  }
}

/** Returns the values of a filter, or `undefined` without it. */
function filterValues(form, name) {
  if (form.get("Filter.1.Name") !== name) return undefined;
  const values = numbered(form, "Filter.1.Value");
  if (values.length <= MOST_VALUES) return values;
  throw new Refusal(400, "FilterLimitExceeded", `The maximum number of filter values specified on a single call is ${MOST_VALUES}`);
}

/** Starts the service and returns its address. */
export function startEc2() {
  const service = new Service();
  const controls = {
    "/-/begin": (body) => service.begin(JSON.parse(body)),
    "/-/now": (body) => (service.now = JSON.parse(body)),
    "/-/report": () => service.report,
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    const control = controls[incoming.url];
    if (control !== undefined) {
      outgoing.end(JSON.stringify(control(body) ?? null));
      return;
    }
    const [status, answer] = service.answer(body);
    outgoing.writeHead(status, { "content-type": "text/xml;charset=UTF-8", "content-length": Buffer.byteLength(answer) });
    outgoing.end(answer);
  });
  return listen(server);
}

process.stdin.resume();
process.stdout.write(`${await startEc2()}\n`);
await once(process.stdin, "end");
process.exit(0);
