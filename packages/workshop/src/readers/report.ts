/** The counts of a fuzz run of the readers, kept between runs, and the report at the end. */
import { table } from '@baton/base';
import * as t from 'io-ts';
import type { ReaderName } from './readers.ts';
import type { RangeResult } from './task.ts';

const counts = t.record(t.string, t.number);

const cost = t.type({ ms: t.number, bytes: t.number, index: t.number });

const counted = t.type({
  next: t.number,
  inputs: t.number,
  /** Inputs by how they ended: a code, or the last step. */
  outcomes: counts,
  slowest: cost,
  largest: cost,
});

export const stateCodec = t.type({
  seed: t.number,
  readers: t.record(t.string, counted),
  found: counts,
  files: t.record(t.string, t.string),
});

export type ReadersState = t.TypeOf<typeof stateCodec>;

export const freshState = (seed: number): ReadersState => ({
  seed,
  readers: {},
  found: {},
  files: {},
});

type Counted = t.TypeOf<typeof counted>;

export function countedOf({ readers }: ReadersState, name: ReaderName): Counted {
  const none = { ms: 0, bytes: 0, index: 0 };
  const fresh = { next: 0, inputs: 0, outcomes: {}, slowest: none, largest: none };
  readers[name] ??= fresh;
  return readers[name] ?? fresh;
}

export function countRange(own: Counted, result: RangeResult): void {
  const { ran, outcomes, slowest, largest } = result;
  own.inputs += ran;
  own.next += ran;
  for (const [outcome, times] of Object.entries(outcomes)) {
    own.outcomes[outcome] = (own.outcomes[outcome] ?? 0) + times;
  }
  if (slowest.ms > own.slowest.ms) own.slowest = slowest;
  if (largest.bytes > own.largest.bytes) own.largest = largest;
}

export const inputsOf = ({ readers }: ReadersState): number =>
  Object.values(readers).reduce((sum, { inputs }) => sum + inputs, 0);

/** Outcomes that are shown for each reader. */
const SHOWN = 8;

export function report(state: ReadersState): string {
  const { found, files, readers } = state;
  const rows = Object.entries(readers).map(([name, { inputs, outcomes, slowest, largest }]) => [
    name,
    String(inputs),
    `${slowest.ms.toFixed(0)} ms (${slowest.index})`,
    `${(largest.bytes / 2 ** 20).toFixed(0)} MiB (${largest.index})`,
    Object.entries(outcomes)
      .sort(([, a], [, b]) => b - a)
      .slice(0, SHOWN)
      .map(([outcome, times]) => `${outcome} ${((100 * times) / inputs).toFixed(1)} %`)
      .join(', '),
  ]);
  return [
    table(['reader', 'inputs', 'slowest', 'most memory', 'ends'], rows),
    ...Object.entries(found).map(
      ([kind, times]) =>
        `${times} × ${kind}${files[kind] === undefined ? '' : `\n    ${files[kind]}`}`,
    ),
    `${inputsOf(state)} inputs from seed ${state.seed}, ${Object.keys(found).length} kinds of findings`,
  ].join('\n');
}
