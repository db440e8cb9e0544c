/** The content of the page: what a link contains, and what the worker evaluates. */

/** The fields of the short form, as their texts. Lists are separated by commas. */
export interface ShortForm {
  readonly expression: string;
  readonly expected: string;
  readonly fail: string;
  readonly pending: string;
  readonly retryErrors: string;
  readonly successErrors: string;
  readonly any: boolean;
  readonly text: boolean;
}

export interface ErrorFields {
  readonly code: string;
  readonly status: string;
  readonly message: string;
}

/** The definition and the result of the call. */
export interface Subject {
  readonly form: "definition" | "short";
  readonly name: string;
  readonly definition: string;
  readonly short: ShortForm;
  readonly result: "response" | "error";
  readonly response: string;
  readonly error: ErrorFields;
  /** The input of the operation, for `inputOutput` matchers. */
  readonly input: string;
}

/** The settings of the wait on the time line. Times are in seconds. */
export interface Timing {
  readonly maxWaitTime: number;
  readonly changeAt: number;
  readonly pace: Pace;
  readonly seed: number;
}

export type Pace = "default" | "specification" | "doubling" | `every ${number}` | `proportional ${number}`;

export interface State {
  readonly subject: Subject;
  readonly timing: Timing;
  /** The command that makes the call, such as `aws dynamodb describe-table`; empty if it is not known. */
  readonly command: string;
}

export const FORMS = { definition: "form-definition", short: "form-short" } as const;
export const RESULTS = { response: "result-response", error: "result-error" } as const;

/** The durations to choose from, in seconds. */
export const MAX_WAITS = [60, 300, 600, 1800, 3600, 7200, 21600, 86400];

export const PACES: readonly (readonly [Pace, string])[] = [
  ["default", "of the waiter"],
  ["specification", "specification"],
  ["doubling", "doubling"],
  ["every 5", "every 5 s"],
  ["every 15", "every 15 s"],
  ["every 60", "every 60 s"],
  ["proportional 0.1", "a tenth of the time so far"],
];

/** The most characters of the fields. Browsers are slow with longer lines. */
export const LONGEST = { name: 200, code: 200, status: 20, message: 2_000, command: 4_000, short: 4_000 } as const;

export const SHORT_LISTS = ["expected", "fail", "pending", "retryErrors", "successErrors"] as const;

/** Returns the values of a list that is separated by commas. */
export function listOf(text: string): string[] {
  return text.split(",").map((value) => value.trim()).filter((value) => value !== "");
}

export const INITIAL: State = {
  subject: {
    form: "definition",
    name: "TableActive",
    definition: `{
  "acceptors": [
    {
      "state": "failure",
      "matcher": {
        "output": {
          "path": "Table.Replicas[].ReplicaStatus",
          "expected": "CREATION_FAILED",
          "comparator": "anyStringEquals"
        }
      }
    },
    {
      "state": "success",
      "matcher": {
        "output": {
          "path": "Table.TableStatus",
          "expected": "ACTIVE",
          "comparator": "stringEquals"
        }
      }
    },
    {
      "state": "retry",
      "matcher": { "errorType": "ResourceNotFoundException" }
    }
  ],
  "minDelay": 2
}`,
    short: {
      expression: "Table.TableStatus",
      expected: "ACTIVE",
      fail: "ARCHIVED",
      pending: "CREATING, UPDATING",
      retryErrors: "ResourceNotFoundException",
      successErrors: "",
      any: false,
      text: false,
    },
    result: "response",
    response: `{
  "Table": {
    "TableName": "orders",
    "TableStatus": "ACTIVE",
    "ItemCount": 0,
    "Replicas": [
      { "RegionName": "eu-west-1", "ReplicaStatus": "ACTIVE" },
      { "RegionName": "us-east-1", "ReplicaStatus": "CREATING" }
    ]
  }
}`,
    error: { code: "ResourceNotFoundException", status: "400", message: "Requested resource not found" },
    input: `{ "TableName": "orders" }`,
  },
  timing: { maxWaitTime: 600, changeAt: 140, pace: "default", seed: 7 },
  command: "aws dynamodb describe-table --table-name orders",
};
