/**
 * What a waiter's acceptors do with a response, as the core told it: most verdicts are given here, without a crossing.
 *
 * The core gives the same ones by itself; the two are held against each other by random expressions and values.
 *
 * @module
 */

import { IS_NULL, MATCHED, NOT_APPLICABLE, NOT_EQUAL, PathTest, TOO_MANY, WRONG_TYPE } from "./path-test.js";
import { Plan } from "./plan.js";
import { BY_ACCEPTOR, CODE_BITS, FIRST_CODES, RETRY, STATE_SHIFT } from "./packed.js";

/** What `Sheet#look` gives where the core must look. */
export const UNDECIDED = 0;

/** When an acceptor matches, by the numbers that `bindings-js/src/sheet.rs` has too. */
const PATH = 3;
const PLAN_FOR_FALSE = 4;
const PLAN_FOR_TRUE = 5;
/** Those that say the same of every response. */
const ALWAYS_THE_SAME = [MATCHED, NOT_APPLICABLE, NOT_EQUAL];

/** Gives the code of a reason; `undefined` where the core must look. */
type Look = (response: unknown) => number | undefined;

interface Acceptor {
  readonly state: number;
  readonly look: Look;
}

/** A waiter's acceptors, in order. */
export class Sheet {
  readonly #acceptors: Acceptor[] = [];
  readonly #tests: PathTest[] = [];
  #plan = new Plan();

  /** A test of a path, by its index. */
  test(index: number): PathTest {
    return this.#tests[index]!;
  }

  addTest(wanted: number, expected: string): void {
    this.#tests.push(new PathTest(wanted, expected));
  }

  addStep(kind: number, name: string | undefined): void {
    this.#tests.at(-1)!.add(kind, name);
  }

  /** The plan of the acceptor that comes next. */
  get plan(): Plan {
    return this.#plan;
  }

  /** Adds an acceptor, whose test or plan is there already. */
  addAcceptor(state: number, when: number): void {
    this.#acceptors.push({ state, look: this.#lookFor(when) });
  }

  /** The verdict on a response, packed; `UNDECIDED` where the core must look. */
  look(response: unknown): number {
    const acceptors = this.#acceptors;
    if (acceptors.length > FIRST_CODES) return UNDECIDED;
    let packed = 0;
    for (let index = 0; index < acceptors.length; index++) {
      const { look, state } = acceptors[index]!;
      const code = look(response);
      if (code === undefined) return UNDECIDED;
      packed |= (code + 1) << (CODE_BITS * index);
      if (code === MATCHED) return packed | (state << STATE_SHIFT) | BY_ACCEPTOR;
    }
    return packed | (RETRY << STATE_SHIFT);
  }

  #lookFor(when: number): Look {
    if (when === PATH) return pathLook(this.#tests.at(-1)!);
    if (when === PLAN_FOR_FALSE || when === PLAN_FOR_TRUE) return this.#planLook(when === PLAN_FOR_TRUE);
    const same = ALWAYS_THE_SAME[when];
    return () => same;
  }

  #planLook(expected: boolean): Look {
    const value = this.#plan.finished();
    this.#plan = new Plan();
    return (response) => {
      const found = value(response);
      if (typeof found === "boolean") return found === expected ? MATCHED : NOT_EQUAL;
      if (found === undefined) return undefined;
      return found === null ? IS_NULL : WRONG_TYPE;
    };
  }
}

function pathLook(test: PathTest): Look {
  return (response) => {
    const code = test.check(response);
    return code === TOO_MANY ? undefined : code;
  };
}
