/** The delay between a limit or an abort and the end of a run, on graphs of a million nodes. */
import { orThrow, table } from '@baton/base';
import { EGraph, type Report, run, runAsync, simpleScheduler } from '@baton/egraph';
import { ms } from '@baton/report';
import { MATH7, math, microRules } from './languages/math.ts';

/** A stop counts only above this many nodes: smaller graphs are quick. */
const LARGE = 1_000_000;

/** A limit above every run within its time. */
const NODE_LIMIT = 6_000_000;

const STOPS = 20;

interface Stop {
  readonly nodes: number;
  /** The time from the limit to the end of searching and applying. */
  readonly lateMs: number;
  /** The share of the closing rebuild in the whole time. */
  readonly closing: number;
}

const graph = (): EGraph => {
  const egraph = new EGraph({ language: math });
  for (const term of MATH7) orThrow(egraph.addExpr(term));
  return egraph;
};

const now = (): number => performance.now();

function timeLimited(timeLimitMs: number): Stop {
  const egraph = graph();
  const report = run(egraph, microRules, { ...options, timeLimitMs });
  return stop(egraph, report, report.elapsedMs - report.closingRebuildMs - timeLimitMs);
}

async function aborted(afterMs: number): Promise<Stop> {
  const egraph = graph();
  const controller = new AbortController();
  let abortedAt = Number.NaN;
  const started = now();
  const report = await runAsync(egraph, microRules, {
    ...options,
    signal: controller.signal,
    onProgress: () => {
      if (now() - started < afterMs || controller.signal.aborted) return;
      abortedAt = now();
      controller.abort();
    },
  });
  return stop(egraph, report, now() - abortedAt);
}

const options = { now, nodeLimit: NODE_LIMIT, iterationLimit: 100, scheduler: simpleScheduler };

const stop = (egraph: EGraph, report: Report, lateMs: number): Stop => ({
  nodes: egraph.nodeCount,
  lateMs,
  closing: report.closingRebuildMs / report.elapsedMs,
});

/** Runs to a million nodes, and stops at moments spread over the next million. */
export async function measureStopping(step: (text: string) => void): Promise<string> {
  step('stopping: warming up');
  const times = timesToGrow();
  const limited: Stop[] = [];
  const cancelled: Stop[] = [];
  for (let i = 0; i < STOPS; i++) {
    step(`stopping: ${i + 1} of ${STOPS}`);
    const at = times.from + ((times.to - times.from) * (i + 1)) / STOPS;
    limited.push(timeLimited(at));
    cancelled.push(await aborted(at));
  }
  return table(
    ['stopped by', 'stops', 'nodes', 'late, median', 'late, most', 'closing rebuild, most'],
    [row('time limit', limited), row('abort', cancelled)],
  );
}

/** The times at which a warm run holds one and two million nodes. */
function timesToGrow(): { readonly from: number; readonly to: number } {
  let from: number | undefined;
  let to: number | undefined;
  for (let i = 0; i < 3; i++) {
    [from, to] = [undefined, undefined];
    const egraph = graph();
    const started = now();
    run(egraph, microRules, {
      ...options,
      shouldStop: () => {
        if (egraph.nodeCount >= LARGE) from ??= now() - started;
        if (egraph.nodeCount >= 2 * LARGE) to ??= now() - started;
        return to !== undefined;
      },
    });
  }
  if (from === undefined || to === undefined) throw new Error('two million nodes were not reached');
  return { from, to };
}

function row(name: string, stops: ReadonlyArray<Stop>): ReadonlyArray<string> {
  const late = stops.map((s) => s.lateMs).sort((a, b) => a - b);
  const least = Math.min(...stops.map((s) => s.nodes));
  const most = Math.max(...stops.map((s) => s.nodes));
  const closing = Math.max(...stops.map((s) => s.closing));
  return [
    name,
    `${stops.length}`,
    `${(least / 1e6).toFixed(2)} to ${(most / 1e6).toFixed(2)} M`,
    `${ms(late[late.length >> 1] ?? 0)} ms`,
    `${ms(late.at(-1) ?? 0)} ms`,
    `${(closing * 100).toFixed(1)} %`,
  ];
}
