/** Runs kernels written by hand and the reference, on memory that shows every stray access. */
import { mulberry32, orThrow, type Random } from '@baton/base';
import { type Attrs, constant } from '@baton/ir';
import { callOp, evaluateCall, standardOps } from '@baton/ops';
import { dtypeInfo, isTensor, type Tensor, tensor } from '@baton/tensor';
import { expect } from 'vitest';
import { f32x4, f64x2, makeModule, v128 } from '../../src/emit/index.ts';
import {
  type Epilogue,
  type HandKernel,
  handKernels,
  plainOf,
  type Spread,
} from '../../src/kernels/index.ts';
import type { SimdLevel } from '../../src/level.ts';
import { hostWebAssembly } from '../../src/web-assembly.ts';

/** A call whose kernel is compared with the operator's own. */
export interface KernelCase {
  readonly op: string;
  /** @defaultValue float32 */
  readonly dtype?: FloatType;
  readonly data: ReadonlyArray<number>;
  readonly weight: ReadonlyArray<number>;
  readonly attrs: Attrs;
  readonly ending?: Ending;
  readonly level?: SimdLevel;
  readonly isWeightConstant?: boolean;
  /** Whether Winograd's transforms are asked for. */
  readonly transforms?: boolean;
  /** The largest error, in parts of the largest number; by default none. */
  readonly tolerance?: number;
}

/** An epilogue, and the same in plain JavaScript. */
export interface Ending {
  readonly epilogue: Epilogue;
  readonly reference: (sum: number, operands: ReadonlyArray<number>) => number;
}

/** The types of floats that kernels multiply. */
export type FloatType = 'float32' | 'float64';

type Floats = Float32Array | Float64Array;

const STORAGE = { float32: Float32Array, float64: Float64Array } as const;

/** Endings of all spreads. */
export const ENDINGS = endingsOf('float32', f32x4);

const DOUBLE_ENDINGS = endingsOf('float64', f64x2);

/** The same case in float64. */
export const inDoubles = (given: KernelCase): KernelCase => ({
  ...given,
  dtype: 'float64',
  ending: DOUBLE_ENDINGS[ENDINGS.indexOf(given.ending ?? (ENDINGS[0] as Ending))] as Ending,
});

/** Both types of floats, as a case in each. */
export const FLOATS: ReadonlyArray<readonly [FloatType, (given: KernelCase) => KernelCase]> = [
  ['float32', (given) => given],
  ['float64', inDoubles],
];

function endingsOf(sums: FloatType, lanes: typeof f32x4 | typeof f64x2): ReadonlyArray<Ending> {
  return [
    { epilogue: plainOf(sums), reference: (sum) => sum },
    {
      epilogue: {
        key: 'bias relu',
        operands: ['channel'],
        sums,
        apply: (_, given, operand) =>
          lanes.pmax(v128.const(new Float32Array(4)), lanes.add(given, operand(0))),
      },
      reference: (sum, [bias = 0]) => Math.max(0, sum + bias),
    },
    {
      epilogue: {
        key: 'scaled, bias, residual',
        operands: ['full', 'scalar', 'channel'],
        sums,
        apply: (_, given, operand) =>
          lanes.add(lanes.add(lanes.mul(given, operand(1)), operand(2)), operand(0)),
      },
      reference: (sum, [residual = 0, scale = 0, bias = 0]) => sum * scale + bias + residual,
    },
  ];
}

/** Numbers k/8 with |k| ≤ 8: their products and sums are exact, in any order. */
const grid = (random: Random, count: number, dtype: FloatType): Floats =>
  new STORAGE[dtype](Array.from({ length: count }, () => (Math.floor(random() * 17) - 8) / 8));

const sizeOf = (shape: ReadonlyArray<number>): number => shape.reduce((a, b) => a * b, 1);

/** The result of the operator's own kernel. */
function referenceOf({ op, attrs }: KernelCase, args: ReadonlyArray<Tensor>): Tensor {
  const call = callOp(
    standardOps,
    op,
    args.map((arg) => constant(arg)),
    attrs,
  );
  const value = orThrow(evaluateCall(standardOps, call, args));
  if (!isTensor(value)) throw new Error('a tensor is expected');
  return value;
}

/** Checks that the kernel for a case gives the reference's numbers, and touches nothing else. */
export function checkKernel(given: KernelCase, seed: number): void {
  const random = mulberry32(seed);
  const { op, data, weight, dtype = 'float32' } = given;
  const { epilogue, reference } = given.ending ?? (ENDINGS[0] as Ending);
  const args = [data, weight].map((dims) => tensor(grid(random, sizeOf(dims), dtype), dims, dtype));
  const expected = referenceOf(given, args);
  const out = expected.shape;
  const { attrs } = callOp(
    standardOps,
    op,
    args.map((arg) => constant(arg)),
    given.attrs,
  );
  const { isWeightConstant = true, transforms = false, tolerance = 0 } = given;
  const site = { data, weight, out, attrs, level: given.level ?? 'simd', epilogue };
  const entry = handKernels.get(op);
  const channelAxis = ((entry?.channelAxis ?? 0) + out.length) % out.length;
  const kernel = entry?.make({ ...site, attrs: attrs ?? {}, isWeightConstant, transforms });
  if (kernel === undefined) throw new Error('the kernel covers the case');

  const extents: Readonly<Record<Spread, number>> = {
    scalar: 1,
    channel: out[channelAxis] ?? 1,
    full: sizeOf(out),
  };
  const extras = epilogue.operands.map((spread) => grid(random, extents[spread], dtype));
  const packed = new STORAGE[dtype](kernel.packedBytes / dtypeInfo(dtype).bytes);
  const [a, b] = args.map((arg) => arg.data as Floats) as [Floats, Floats];
  kernel.pack(b, packed);
  const found = runKernel(
    kernel,
    [a, kernel.packedBytes === 0 ? b : packed, ...extras],
    sizeOf(out),
    dtype,
  );

  const inner = sizeOf(out.slice(channelAxis + 1));
  const sums = Array.from(expected.data as Floats);
  const finished = sums.map((sum, i) =>
    reference(
      sum,
      extras.map((extra, e) => {
        const spread = epilogue.operands[e];
        const channel = Math.floor(i / inner) % (out[channelAxis] ?? 1);
        return extra[spread === 'full' ? i : spread === 'channel' ? channel : 0] as number;
      }),
    ),
  );
  const wanted = new STORAGE[dtype](finished);
  if (tolerance === 0) expect(found, JSON.stringify(given)).toEqual(wanted);
  else expect(distance(found, wanted), JSON.stringify(given)).toBeLessThan(tolerance);
}

/** The largest difference, in parts of the largest number. NaN if there is one. */
const distance = (found: Floats, wanted: Floats): number => {
  const size = Array.from(wanted).reduce((most, x) => Math.max(most, Math.abs(x)), 1);
  const far = Array.from(found, (x, i) => Math.abs(x - (wanted[i] ?? 0)));
  return far.reduce((most, x) => Math.max(most, x), 0) / size;
};

/** A number that no kernel computes from the grid. */
const GUARD = Number.NaN;

/**
 * Runs a kernel. The buffers lie between guards, the last at the very end of the memory, so that
 * what is read outside spoils the result or traps, and what is written outside is found.
 */
function runKernel(
  kernel: HandKernel,
  inputs: ReadonlyArray<Floats>,
  outSize: number,
  dtype: FloatType,
): Floats {
  const host = hostWebAssembly();
  if (host === undefined) throw new Error('the host has WebAssembly');
  const module = makeModule();
  module.importMemory('env', 'memory', { minimum: 1 });
  module.exportFunction('run', kernel.emit(module));
  const { bytes } = dtypeInfo(dtype);
  const sizes = [...inputs.map((input) => input.length), outSize, kernel.scratchBytes / bytes];
  const guarded = sizes.map((size) => 4 * Math.ceil(size / 4) + 8);
  const pages = Math.ceil((bytes * guarded.reduce((a, b) => a + b, 0) + 64) / 65536);
  const memory = new host.Memory({ initial: pages });
  const floats = new STORAGE[dtype](memory.buffer).fill(GUARD);
  // From the end of the memory downwards: the result and the scratch come first.
  let end = floats.length;
  const starts = sizes.map((size) => {
    const start = end - 4 * Math.ceil(size / 4);
    end = start - 8;
    return start;
  });
  for (const [i, input] of inputs.entries()) floats.set(input, starts[i]);
  const before = floats.slice();
  const instance = new host.Instance(new host.Module(module.finish()), { env: { memory } });
  instance.exports.run?.(...starts.map((start) => bytes * start));
  const outStart = starts[inputs.length] as number;
  const found = floats.slice(outStart, outStart + outSize);
  for (const [i, size] of sizes.entries()) {
    if (i >= inputs.length) floats.fill(GUARD, starts[i], (starts[i] as number) + size);
  }
  expect(Buffer.compare(Buffer.from(floats.buffer), Buffer.from(before.buffer))).toBe(0);
  return found;
}
