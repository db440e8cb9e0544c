/**
 * The driver of a fleet: one loop polls while anybody waits, and calls may overlap.
 *
 * @module
 */

import { CALL, SLEEP } from "../constants.js";
import type { EngineFleet } from "../engine/engine.js";
import { callEngine } from "../input/engine-call.js";
import type { HostOptions } from "../options.js";
import { Ended } from "../report/ended.js";
import type { Naming } from "../values/error-metadata.js";
import { Cancellation } from "./cancellation.js";
import { Clock } from "./clock.js";
import type { FleetCall } from "./fleet-call.js";
import { failCall, pagesOf, respondTo } from "./fleet-steps.js";
import type { Group, Member } from "./group.js";
import { Pending } from "./pending.js";

/** The result of a call: the pages of its answer, or its error. */
type Result = { readonly pages: readonly unknown[] } | { readonly error: unknown };

/** Adds the waits of a caller at a time, and returns their tickets with their identifiers. */
export type Entry = (engine: EngineFleet, now: number) => (readonly [ticket: number, id: string])[];

/** Drives a fleet. Without callers it does not hold a timer or a listener, and runs no call. */
export class FleetDriver<Item> {
  readonly #engine: EngineFleet;
  readonly #naming: Naming;
  readonly #call: FleetCall;
  readonly #clock: Clock;
  /** Holds the pause of the loop. Nobody cancels the loop itself. */
  readonly #loop = new Cancellation(undefined);
  readonly #members = new Map<number, Member<Item>>();
  /** The calls in flight, by their numbers. */
  readonly #calls = new Map<number, AbortController>();
  /** The callers that store their states, with a ticket of each. */
  readonly #storing = new Map<Group<Item>, number>();
  #isRunning = false;
  #now = 0;

  constructor(engine: EngineFleet, naming: Naming, call: FleetCall, host: Pick<HostOptions<never>, "clock" | "sleep">) {
    this.#engine = engine;
    this.#naming = naming;
    this.#call = call;
    // The times of a rate limit that fleets share are on one clock.
    this.#clock = new Clock(host, 0);
  }

  /** Waits until the whole of a caller has ended. */
  async run(group: Group<Item>, enter: Entry, signal: AbortSignal | undefined): Promise<void> {
    const cancellation = new Cancellation(signal);
    const cancel = (): void => this.#guard(() => this.#leave(group, cancellation.reason));
    try {
      this.#join(group, enter);
      // A turn later: a getter of an answer may abort the signal while the engine reads the answer.
      cancellation.pending = { interrupt: () => void Promise.resolve().then(cancel) };
      if (cancellation.isCancelled) cancel();
      await cancellation.during(async () => {
        await group.ended;
        await this.#untilTold(group, cancellation);
      });
    } finally {
      group.close();
      // After an error of the caller's callback, waits are still open.
      if (group.open.size > 0) cancel();
      this.#storing.delete(group);
      group.free();
    }
  }

  /** Awaits the promises of the caller's functions until the deadline, because one may still reject. */
  async #untilTold({ told, deadline }: Group<Item>, cancellation: Cancellation): Promise<void> {
    const pending = new Pending({ cancellation, clock: this.#clock }, this.#clock.timers.callback, deadline);
    told.then(() => pending.end(), (error: unknown) => pending.fail(error));
    await pending.untilDeadline();
  }

  #join(group: Group<Item>, enter: Entry): void {
    const now = this.#advance();
    const tickets = enter(this.#engine, now);
    try {
      group.begin(tickets.map(([, id]) => id));
    } catch (error) {
      for (const [ticket] of tickets) callEngine(() => this.#engine.leave(ticket, now));
      throw error;
    }
    for (const [ticket, id] of tickets) this.#members.set(ticket, group.add(ticket, id));
    if (group.isOver) group.settle();
    if (tickets.length > 0) this.#begin(group, tickets[0]![0]);
    this.#wake();
    if (!this.#isRunning) void this.#poll();
  }

  /** Reads the deadline of a caller's waits, and passes their state to a caller that stores it. */
  #begin(group: Group<Item>, ticket: number): void {
    group.deadline = callEngine(() => this.#engine.deadlineOf(ticket));
    if (group.stores) this.#store(group, ticket);
  }

  /** Passes the state to a caller that stores it, until all of its waits have ended. */
  #store(group: Group<Item>, ticket: number): void {
    const state = callEngine(() => this.#engine.snapshot(ticket, Date.now()));
    if (state === undefined) return void this.#storing.delete(group);
    this.#storing.set(group, ticket);
    group.store(state);
  }

  async #poll(): Promise<void> {
    this.#isRunning = true;
    while (this.#members.size > 0) {
      try {
        await this.#step();
      } catch (error) {
        this.#breakOff(error);
      }
    }
    this.#isRunning = false;
  }

  /** Starts a call that is due, or sleeps until something changes. */
  async #step(): Promise<void> {
    const now = this.#advance();
    const step = callEngine(() => this.#engine.poll(now));
    const { call, ids, untilMs } = this.#engine;
    this.#takeEnds(now);
    if (step === CALL) void this.#perform(call, ids);
    else if (this.#members.size > 0) await this.#pause(step === SLEEP ? untilMs : Number.POSITIVE_INFINITY);
  }

  #pause(until: number): Promise<void> {
    const { call, pause } = this.#clock.timers;
    // A virtual clock does not advance past a call that takes real time.
    const timers = this.#calls.size > 0 ? call : pause;
    const pending = new Pending({ cancellation: this.#loop, clock: this.#clock }, timers, until);
    return until === Number.POSITIVE_INFINITY ? pending.untilDeadline() : pending.pause();
  }

  async #perform(call: number, ids: string[]): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(call, controller);
    const result = await this.#resultOf(ids, controller.signal);
    // Nobody waited any more, and the call was abandoned.
    if (!this.#calls.has(call)) return;
    this.#guard(() => {
      const now = this.#advance();
      this.#takeEnds(now);
      if ("error" in result) this.#fail(call, ids, result.error, now);
      else respondTo(this.#engine, call, result.pages, now);
      this.#calls.delete(call);
      const groups = this.#ended(now);
      // Before the progress, and before the waits that a quorum does not need have ended.
      for (const [group, ticket] of [...this.#storing]) this.#store(group, ticket);
      this.#report(groups);
    });
    this.#wake();
  }

  async #resultOf(ids: string[], signal: AbortSignal): Promise<Result> {
    try {
      return { pages: await pagesOf(this.#call(ids, { signal }), signal) };
    } catch (error) {
      return { error };
    }
  }

  #fail(call: number, ids: readonly string[], error: unknown, now: number): void {
    const failed = new Set(ids);
    for (const { id, latest } of this.#members.values()) if (failed.has(id)) latest.error = error;
    failCall(this.#engine, this.#naming, call, error, now);
  }

  /** Reports the ends of waits to their callers. */
  #takeEnds(now: number): void {
    this.#report(this.#ended(now));
  }

  /** Stores the ends of waits, and returns their callers. */
  #ended(now: number): Set<Group<Item>> {
    const groups = new Set<Group<Item>>();
    const ends = callEngine(() => this.#engine.ends(now));
    for (let index = 0; index < ends.length; index += 4) {
      const [ticket, report, item, missing] = ends.slice(index, index + 4) as [number, string, Item | undefined, string | undefined];
      const { group, latest } = this.#members.get(ticket)!;
      this.#members.delete(ticket);
      if (item !== undefined) latest.response = item;
      if (missing !== undefined) latest.error = new Error(missing);
      group.end(ticket, new Ended(report, latest));
      groups.add(group);
    }
    return groups;
  }

  /** Calls the callbacks, after all ends, because they may start further waits. */
  #report(groups: Set<Group<Item>>): void {
    for (const group of groups) {
      group.report();
      if (group.isOver) this.#leave(group, undefined);
    }
  }

  /** Ends the open waits of a caller as cancelled, and thereby the whole. */
  #leave(group: Group<Item>, reason: unknown): void {
    const now = this.#advance();
    for (const [ticket, { latest }] of [...group.open]) {
      const report = callEngine(() => this.#engine.leave(ticket, now)!);
      this.#members.delete(ticket);
      latest.reason = reason;
      group.end(ticket, new Ended(report, latest));
    }
    group.settle();
    this.#stopIfIdle();
  }

  /** Ends all waits with an error of the caller's program. */
  #breakOff(error: unknown): void {
    for (const [ticket, { group }] of this.#members) {
      group.fail(error);
      group.open.clear();
      // At the newest time, because the clock itself may have thrown.
      callEngine(() => this.#engine.leave(ticket, this.#now));
    }
    this.#members.clear();
    this.#stopIfIdle();
  }

  /** Aborts the calls and the pause after the last caller, so that they do not keep the process alive. */
  #stopIfIdle(): void {
    if (this.#members.size > 0) return;
    const calls = [...this.#calls];
    this.#calls.clear();
    for (const [call, controller] of calls) {
      callEngine(() => this.#engine.abandon(call, this.#now));
      controller.abort(new DOMException("nobody waits for the answer any more", "AbortError"));
    }
    this.#wake();
  }

  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#breakOff(error);
    }
  }

  #advance(): number {
    this.#now = this.#clock.now();
    return this.#now;
  }

  /** Ends the pause of the loop. */
  #wake(): void {
    this.#loop.pending?.interrupt();
  }
}
