/** The picture of a wait. */

import type { Schedule } from "./protocol.js";
import type { Timing } from "./state.js";

const HEIGHT = 92;
const AXIS = 58;
/** The space beside the axis: half of the slider's thumb, so that both have the same scale. */
export const MARGIN = 12;

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200];

/** Draws the calls, the change, and the time until the wait notices it. */
export function draw(chart: HTMLElement, timing: Timing, schedule: Schedule): void {
  const width = Math.max(chart.clientWidth, 200);
  const x = (ms: number): number => MARGIN + ((width - 2 * MARGIN) * ms) / (timing.maxWaitTime * 1000);
  const changeMs = timing.changeAt * 1000;
  const { calls, end } = schedule;
  const tick = (ms: number): string => `M${x(ms).toFixed(1)} ${AXIS - 26}v26`;
  const path = (of: readonly number[]): string => of.map(tick).join("");
  const last = calls.at(-1);
  const change = Math.min(x(changeMs), width - MARGIN);
  const lag = end && end.atMs >= changeMs ? `<rect class="lag" x="${change}" y="${AXIS - 26}" width="${Math.max(x(end.atMs) - change, 0)}" height="26"/>` : "";
  const dot = last === undefined || end === undefined ? "" : `<circle class="end ${end.state}" cx="${x(end.atMs)}" cy="${AXIS - 13}" r="7"/>`;
  const anchor = change > width - 70 ? "end" : change < 70 ? "start" : "middle";
  chart.innerHTML = `<svg width="${width}" height="${HEIGHT}" role="img" aria-label="${calls.length} calls on a time line">
    <path class="axis" d="M${MARGIN} ${AXIS}H${width - MARGIN}"/>${lag}
    <path class="before" d="${path(calls.filter((at) => at < changeMs))}"/><path class="after" d="${path(calls.filter((at) => at >= changeMs))}"/>
    <path class="change" d="M${change} 20V${HEIGHT}"/><text class="change" x="${change}" y="14" text-anchor="${anchor}">change at ${duration(changeMs)}</text>
    ${dot}${labels(timing.maxWaitTime, width).map((at) => `<text x="${x(at * 1000)}" y="${AXIS + 18}" text-anchor="${at === 0 ? "start" : at === timing.maxWaitTime ? "end" : "middle"}">${duration(at * 1000)}</text>`).join("")}</svg>`;
}

function labels(maxWaitTime: number, width: number): number[] {
  const most = Math.max(2, Math.floor(width / 90));
  const step = STEPS.find((candidate) => maxWaitTime / candidate <= most) ?? maxWaitTime;
  return Array.from({ length: Math.floor(maxWaitTime / step) + 1 }, (_, index) => index * step);
}

/** Returns the wait in a sentence. */
export function sentence(timing: Timing, { calls, end, problem }: Schedule): string {
  if (problem !== undefined) return problem;
  const count = `${calls.length.toLocaleString("en")} ${calls.length === 1 ? "call" : "calls"}`;
  if (end === undefined) return `More than ${count}; the time line shows the first of them.`;
  const isNoticed = end.atMs >= timing.changeAt * 1000 && calls.at(-1) === end.atMs && end.code !== "timed_out";
  const lag = isNoticed ? `, ${duration(end.atMs - timing.changeAt * 1000)} after the change` : "";
  return `${count}. ${end.state === "success" ? "Success" : "Failure"} at ${duration(end.atMs)}${lag}: ${end.message}`;
}

/** Returns a duration as people write it, such as `2 min 20 s`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const whole = Math.round(seconds);
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(whole / 3600), "h"],
    [Math.floor((whole % 3600) / 60), "min"],
    [whole % 60, "s"],
  ];
  return parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`).join(" ");
}
