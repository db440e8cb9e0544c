/** Runs the vectors for stored fleets. */

import { OptionsError, StateError } from "smithy-waiters";
import { StoredFleets } from "smithy-waiters/durable";

import * as results from "./results.mjs";
import { changed } from "./saved.mjs";
import { answerOf, at } from "./stored.mjs";
import { resolve } from "./values.mjs";
import { hostOptions, waiterOf } from "./waiters.mjs";

/** Begins a stored fleet, or continues that of a text, and makes its rounds. A round that crashes has no result. */
export async function storedFleet(vector, file) {
  try {
    const begun = vector.state === undefined ? begin(vector, file) : { state: resolve(vector.state) };
    const rounds = [];
    let { state } = begun;
    for (const round of vector.rounds) {
      const fleets = new StoredFleets(waiterOf(vector, file), round.fleet ?? vector.fleet);
      const result = await made(fleets, changed(state, round.change ?? {}), round);
      state = result.state ?? state;
      rounds.push(result);
    }
    return { begun, rounds };
  } catch (error) {
    return results.refusal(error, OptionsError);
  }
}

function begin({ waitId, ids, whole, startedAt, deadlineAt, arguments: text, fleet, ...vector }, file) {
  const options = { ...hostOptions(vector), ...whole, deadline: deadlineAt };
  const begun = new StoredFleets(waiterOf(vector, file), fleet).begin(waitId, ids, options, text, startedAt);
  return { state: begun.text, dueAt: begun.dueAtMs, endsAt: begun.endsAtMs, identity: begun.identity };
}

async function made(fleets, text, round) {
  const calls = [];
  const call = (ids) => {
    const answer = round.answers[Math.min(calls.length, round.answers.length - 1)];
    calls.push(ids);
    return answer.pages === undefined ? answerOf(answer) : pagesOf(answer);
  };
  try {
    if (round.conclude) return await at(round.at, () => ({ end: JSON.stringify(fleets.conclude(text)) }));
    const { state, end, progress } = await at(round.at, () => fleets.attempt(text, call));
    if (round.crash) return { calls };
    if (end !== null) return { calls, end: JSON.stringify(end) };
    return { calls, state: state.text, dueAt: state.dueAtMs, progress };
  } catch (error) {
    return results.refusal(error, StateError);
  }
}

async function* pagesOf({ pages, ...end }) {
  yield* pages.map(resolve);
  if (end.error) answerOf(end);
}
