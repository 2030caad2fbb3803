/** One of ONNX's own tests: a model, its inputs, and what it must compute. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { andThen } from '@baton/base';
import {
  decodeModel,
  type KnownValue,
  readTensorFile,
  readValueFile,
  type ValueInfoProto,
} from '@baton/onnx';
import { allClose, describeTensor, isTensor, type Tensor } from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import {
  type Diagnostic,
  evaluate,
  exportOnnx,
  type IRModule,
  importOnnx,
  isLeft,
  ok,
  optimize,
  orThrow,
  passes,
  postOrderExprs,
  type Result,
  runPass,
} from 'batonjs';
import { withFreeInputs } from './free.ts';

export type Outcome =
  | { readonly _tag: 'Passed' }
  /** Baton refuses the model, or its data. */
  | { readonly _tag: 'Refused'; readonly reasons: ReadonlyArray<string> }
  | { readonly _tag: 'Failed'; readonly reason: string }
  /** An exception, the end of the process, or no end. */
  | { readonly _tag: 'Thrown'; readonly reason: string };

/** The ways of a model to its results. */
export const WAYS = {
  imported: (m) => ok(m),
  optimized: (m) =>
    andThen(runPass(optimize({ level: 3 }))(m), ({ module }) =>
      andThen(runPass(passes.fuseOps)(module), (fused) => ok(fused.module)),
    ),
  exported: (m) => andThen(exportOnnx(m), (bytes) => importOnnx(bytes, { source: AGAIN })),
} as const satisfies Readonly<Record<string, (m: IRModule) => Result<IRModule>>>;

export type Way = keyof typeof WAYS;

const AGAIN = 'again';

export interface Task {
  readonly folder: string;
  readonly way: Way;
  /** Whether every dimension of the inputs is a separate name, without a size. */
  readonly free: boolean;
}

/** Instructions of a run: a test's program is small. */
const FUEL = 20_000_000;

export function outcomeOf({ folder, way, free }: Task): Outcome {
  const given = readFileSync(join(folder, 'model.onnx'));
  const file = free ? withFreeInputs(given) : given;
  const outcomes = readdirSync(folder)
    .filter((name) => name.startsWith('test_data_set_'))
    .map((name) => onData(file, join(folder, name), { way, free }));
  return outcomes.find(({ _tag }) => _tag !== 'Passed') ?? { _tag: 'Passed' };
}

function onData(file: Uint8Array, data: string, { way, free }: Omit<Task, 'folder'>): Outcome {
  const through: (m: IRModule) => Result<IRModule> = WAYS[way];
  const graph = orThrow(decodeModel(file)).graph;
  const given = values(data, 'input_', graph?.inputs ?? []);
  const wanted = values(data, 'output_', graph?.outputs ?? []);
  if (isLeft(given)) return refused(given.left);
  if (isLeft(wanted)) return refused(wanted.left);
  const found = imported(file, given.right, free);
  const changed = andThen(found, ({ module, args }) =>
    andThen(through(module), (m) => ok({ module: m, args })),
  );
  if (isLeft(changed)) return refused(changed.left);
  const value = evaluate(changed.right.module, changed.right.args, { fuel: FUEL });
  if (isLeft(value)) return { _tag: 'Failed', reason: textOf(value.left[0]) };
  const results = leavesOf(value.right);
  const expected = wanted.right.flatMap((known) => known ?? []);
  const isAsExpected = draws(found) ? isAlike : matches;
  const wrong = expected.findIndex((tensor, i) => !isAsExpected(results[i], tensor));
  if (wrong < 0) return { _tag: 'Passed' };
  const shown = [results[wrong], expected[wrong]].map((t) =>
    t === undefined ? 'nothing' : describeTensor(t),
  );
  return { _tag: 'Failed', reason: `output ${wrong} is ${shown.join(', not ')}` };
}

interface Imported {
  readonly module: IRModule;
  readonly args: ReadonlyArray<Tensor>;
}

/**
 * The model with its inputs as arguments. Axes, shapes and the like are inputs in many tests, and
 * constants in models: where the import needs them, all inputs but the first are bound, or all.
 */
function imported(
  file: Uint8Array,
  inputs: ReadonlyArray<KnownValue>,
  free: boolean,
): Result<Imported> {
  const declared = orThrow(decodeModel(file)).graph?.inputs ?? [];
  const names = declared.map((input) => input.name);
  const bind = (first: number): Result<Imported> => {
    const bound = names.slice(first).flatMap((name, i) => {
      const value = inputs[first + i];
      return value === undefined ? [] : [[name, value] as const];
    });
    const options = { source: 'model', constants: Object.fromEntries(bound) };
    return andThen(importOnnx(file, options), (module) =>
      ok({ module, args: inputs.slice(0, first).filter(isTensor) }),
    );
  };
  // Sequences and optional values are no parameters.
  const isPlain = declared.every(({ type }) => type?._tag === 'Tensor');
  let result = bind(isPlain ? names.length : 0);
  const fewer = names.length < 2 ? [0] : free ? [1] : [1, 0];
  for (const first of fewer) {
    const isUnknown = isLeft(result) && result.left.some((d) => d.code === 'ONNX_NOT_CONSTANT');
    if (isUnknown) result = bind(first);
  }
  return result;
}

/** The values of a data set whose names begin so, in order, as their types say. */
function values(
  folder: string,
  prefix: string,
  declared: ReadonlyArray<ValueInfoProto>,
): Result<ReadonlyArray<KnownValue>> {
  const read: KnownValue[] = [];
  for (let index = 0; existsSync(join(folder, `${prefix}${index}.pb`)); index++) {
    const bytes = readFileSync(join(folder, `${prefix}${index}.pb`));
    const type = declared[index]?.type;
    const kind = type?._tag === 'Other' ? KINDS.get(type.what) : undefined;
    const value = kind === undefined ? readTensorFile(bytes) : readValueFile(bytes, kind);
    if (isLeft(value)) return value;
    read.push(value.right);
  }
  return ok(read);
}

const KINDS: ReadonlyMap<string, 'sequence' | 'optional'> = new Map([
  ['a sequence', 'sequence'],
  ['an optional value', 'optional'],
]);

const matches = (found: Tensor | undefined, expected: Tensor): boolean =>
  found !== undefined &&
  found.dtype === expected.dtype &&
  allClose(found, expected, { atol: 1e-6, rtol: TOLERANCE[found.dtype] ?? 1e-3 });

/** Whether a model draws random numbers: ONNX leaves open which, so only types are compared. */
const draws = (found: Result<Imported>): boolean =>
  !isLeft(found) &&
  postOrderExprs([...found.right.module.functions.values()]).some(
    (node) => node._tag === 'Op' && node.name.startsWith('random.'),
  );

const isAlike = (found: Tensor | undefined, { dtype, shape }: Tensor): boolean =>
  found?.dtype === dtype && `${found.shape}` === `${shape}`;

/** Halves are compared by their last bits: the expected values round after each step, too. */
const TOLERANCE: Readonly<Record<string, number>> = { float16: 2 ** -8, bfloat16: 2 ** -6 };

const refused = (reasons: ReadonlyArray<Diagnostic>): Outcome => ({
  _tag: 'Refused',
  reasons: reasons.map(textOf),
});

const textOf = ({ code, message }: Diagnostic): string => `${code}: ${message}`;
