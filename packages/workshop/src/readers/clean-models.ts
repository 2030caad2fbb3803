/** The sound models that are corrupted: those of the hunt, of the generators, and the small cases. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLeft, remember } from '@baton/base';
import { GENERATORS } from '@baton/testing';
import { exportOnnx, type IRModule, models } from 'batonjs';
import { generate } from '../hunt/generate.ts';
import { bytesOf } from '../hunt/model.ts';

const CASES = fileURLToPath(new URL('../../../../test/cases/programs/', import.meta.url));

const SEED = 34;

const GRAPHS = 200;

const PROGRAMS = 12;

/** Larger files take too long, each of a million times. **Units** bytes. */
const MAX_BYTES = 12_000;

/** Values by position, each made when it is first asked for; `undefined` for one that is unfit. */
export interface Pool<A> {
  readonly size: number;
  readonly at: (position: number) => A | undefined;
}

/** The pool of the results of `make` for each position. */
export function poolOf<A>(size: number, make: (position: number) => A | undefined): Pool<A> {
  const made = new Map<number, { readonly value: A | undefined }>();
  return { size, at: (i) => remember(made, i, () => ({ value: make(i) })).value };
}

/** The value at a position, or the next one that is fit. */
export function drawnFrom<A>({ size, at }: Pool<A>, position: number): A {
  for (let i = 0; i < size; i++) {
    const value = at((position + i) % size);
    if (value !== undefined) return value;
  }
  throw new Error('a pool has a value that is fit');
}

const networks: ReadonlyArray<() => IRModule> = [
  () => models.mlp({ hidden: [8], inputs: 6, classes: 3 }),
  () => models.lstm({ steps: 2, inputs: 3, hidden: 4 }),
  () => models.transformerEncoder({ layers: 1, width: 8, heads: 2, sequenceLength: 4 }),
];

/** Programs of the generators, then small networks. */
export const programs: Pool<IRModule> = poolOf(
  GENERATORS.length * PROGRAMS + networks.length,
  (i) => {
    const network = networks[i - GENERATORS.length * PROGRAMS];
    if (network !== undefined) return network();
    return GENERATORS[i % GENERATORS.length]?.program(SEED + i).module;
  },
);

export const caseFiles = (...endings: ReadonlyArray<string>): ReadonlyArray<Uint8Array> =>
  readdirSync(CASES)
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort()
    .map((name) => new Uint8Array(readFileSync(join(CASES, name))));

const small = caseFiles('.onnx').filter((file) => file.length <= MAX_BYTES);

export const onnxFiles: Pool<Uint8Array> = poolOf(GRAPHS + small.length + programs.size, (i) => {
  const file = i < GRAPHS ? bytesOf(generate(SEED, i).model) : small[i - GRAPHS];
  const made = file ?? exportedOf(programs.at(i - GRAPHS - small.length));
  return made !== undefined && made.length <= MAX_BYTES ? made : undefined;
});

function exportedOf(m: IRModule | undefined): Uint8Array | undefined {
  if (m === undefined) return undefined;
  const file = exportOnnx(m);
  return isLeft(file) ? undefined : file.right;
}
