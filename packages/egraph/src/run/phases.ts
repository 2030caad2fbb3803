/** The phases of an iteration: search, application, rebuild. */
import { InvariantError } from '@baton/base';
import { ruleThrew } from '../diagnostics.ts';
import { MatchBuffer } from '../store/arrays.ts';
import { isNodeLimit } from '../store/nodes.ts';
import type { BoundRule } from './bind.ts';
import { isOver, type Run, stopAtNodes } from './limits.ts';
import type { NO_WORK } from './report.ts';

/** The work between two looks at the limits, a few hundred microseconds each. */
const ROOTS_A_STEP = 2048;
const NUMBERS_A_STEP = 8192;
const MATCHES_A_STEP = 768;
const PARENTS_A_STEP = 4096;

/** The backlog of unions at which congruence is restored between applications, too. */
const MAX_BACKLOG = 8192;

/** A rule in one iteration: its report, and its matches to apply. */
export interface Turn {
  readonly rule: BoundRule;
  readonly count: { name: string } & typeof NO_WORK;
  found: ReadonlyArray<MatchBuffer>;
}

/** Restores congruence. Each phase works for a short while between two yields. */
export function* rebuild<D>(run: Run<D>): Generator<undefined, void> {
  const { egraph, now, signal } = run;
  const { unions } = egraph.store;
  const start = now();
  while (!signal?.aborted && !egraph.rebuildStep(PARENTS_A_STEP)) {
    yield;
  }
  run.rebuilt.congruences += egraph.store.unions - unions;
  run.rebuilt.rebuildMs += now() - start;
}

/** Searches with every rule; each turn keeps the matches that its rule may apply. */
export function* searchAll<D>(run: Run<D>, turns: ReadonlyArray<Turn>): Generator<undefined, void> {
  const { egraph, iterations, plan } = run;
  const { store, tables } = egraph;
  run.used = 0;
  for (const _ of tables.refreshing(store, egraph.operators.length)) {
    yield;
    if (isOver(run)) return;
  }
  const epoch = store.epoch++;
  for (const turn of turns) {
    const { count, rule } = turn;
    const limit = plan.limit(iterations.length, rule.name);
    const first = run.used;
    if (limit !== undefined) yield* search(run, turn, limit);
    if (isOver(run)) return;
    if (limit !== undefined && plan.accept(iterations.length, rule.name, count.matches)) {
      turn.found = run.buffers.slice(first, run.used);
      rule.searched = epoch;
    } else {
      count.held = 1;
      run.used = first;
    }
  }
}

function* search<D>(run: Run<D>, { rule, count }: Turn, limit: number): Generator<undefined, void> {
  const { buffers, egraph, now } = run;
  if (rule.isQuiet()) {
    count.matches = run.delta ? 0 : rule.matches;
    return;
  }
  const start = now();
  const since = run.delta && rule.incremental ? rule.searched : -1;
  const matcher = rule.matcher(since >= 0);
  // One match more than the limit shows that there are more.
  const most = Math.min((limit + 1) * rule.stride, 0x3fffffff);
  let numbers = 0;
  let at = matcher.from;
  // Making the matcher takes time, too.
  while (at < matcher.to && numbers < most && !isOver(run)) {
    const buffer = buffers[run.used] ?? new MatchBuffer();
    buffers[run.used] = buffer;
    buffer.length = 0;
    at = matcher.search(
      egraph.store,
      egraph.tables,
      matcher.operators,
      buffer,
      at,
      Math.min(matcher.to, at + ROOTS_A_STEP),
      NUMBERS_A_STEP,
      most - numbers,
      since,
    );
    numbers += buffer.length;
    if (buffer.length > 0) run.used++;
    yield;
  }
  count.matches = rule.matches = numbers / rule.stride;
  count.searchMs = now() - start;
}

export function* applyAll<D>(run: Run<D>, turns: ReadonlyArray<Turn>): Generator<undefined, void> {
  for (const turn of turns) {
    const start = run.now();
    for (const buffer of turn.found) yield* apply(run, turn, buffer);
    turn.count.applyMs = run.now() - start;
  }
}

function* apply<D>(
  run: Run<D>,
  { count, rule }: Turn,
  { data, length }: MatchBuffer,
): Generator<undefined, void> {
  const { store } = run.egraph;
  const step = MATCHES_A_STEP * rule.stride;
  for (let at = 0; at < length && !run.stop; at += step) {
    try {
      count.applied += rule.apply(data, at, Math.min(length, at + step));
    } catch (error) {
      if (error instanceof InvariantError) throw error;
      if (isNodeLimit(error)) stopAtNodes(run);
      else run.stop = { _tag: 'Failed', diagnostics: [ruleThrew(rule.name, error)] };
      return;
    }
    if (store.unmodified.length > 0) stopAtNodes(run);
    if (store.pending.length > 2 * MAX_BACKLOG) yield* rebuild(run);
    yield;
    isOver(run);
  }
}
