/** Counts of a hunt, kept between runs, and the report at the end. */
import { table } from '@baton/base';
import * as t from 'io-ts';
import { pathName } from './check.ts';
import type { HuntResult } from './hunt.ts';
import { shapeOfText } from './reduce.ts';

const counts = t.record(t.string, t.number);

export const stateCodec = t.type({
  seed: t.number,
  next: t.number,
  graphs: t.number,
  skipped: counts,
  refused: counts,
  ran: counts,
  found: counts,
  /** The files of a kind's first finding. */
  files: t.record(t.string, t.string),
});

export type HuntState = t.TypeOf<typeof stateCodec>;

export const freshState = (seed: number): HuntState => ({
  seed,
  next: 0,
  graphs: 0,
  skipped: {},
  refused: {},
  ran: {},
  found: {},
  files: {},
});

export function count(
  state: HuntState,
  { index, skipped, refusals, ran, found }: HuntResult,
): void {
  state.next = index + 1;
  state.graphs++;
  if (skipped !== undefined) add(state.skipped, shapeOfText(skipped));
  for (const { path, isSized, code } of refusals)
    add(state.refused, `${pathName(path, isSized)}: ${code}`);
  for (const path of ran) add(state.ran, path);
  for (const { kind, files } of found) {
    add(state.found, kind);
    if (files !== undefined) state.files[kind] ??= files;
  }
}

const add = (into: Record<string, number>, key: string): void => {
  into[key] = (into[key] ?? 0) + 1;
};

export function report(state: HuntState): string {
  const { graphs, skipped, refused, ran, found, files } = state;
  const skips = sum(skipped);
  const taken =
    ran.interpreter === undefined ? '' : `; Baton ran ${ran.interpreter} with known sizes`;
  return [
    rows('path', ran),
    ...(skips === 0 ? [] : [rows('refused by onnxruntime', skipped)]),
    ...(sum(refused) === 0 ? [] : [rows('refused with a diagnostic', refused)]),
    `${graphs} graphs from seed ${state.seed}, ${skips} skipped (${percent(skips, graphs)})${taken}`,
    ...Object.entries(found).map(
      ([kind, times]) =>
        `${times} × ${kind}${files[kind] === undefined ? '' : `\n    ${files[kind]}`}`,
    ),
    `${sum(found)} findings of ${Object.keys(found).length} kinds`,
  ].join('\n');
}

const sum = (of: Readonly<Record<string, number>>): number =>
  Object.values(of).reduce((a, b) => a + b, 0);

const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${((100 * part) / whole).toFixed(1)} %`;

const rows = (title: string, of: Readonly<Record<string, number>>): string =>
  table(
    ['graphs', title],
    Object.entries(of)
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => [String(times), name]),
  );
