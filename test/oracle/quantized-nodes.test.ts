/**
 * X5: a node of ONNX that rounds or quantizes is one call, and leaves as one node with the bits of
 * onnxruntime, at every level and on every executor.
 */
import { orThrow } from '@baton/base';
import { evaluate, oracle } from '@baton/executor';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { type DType, isTensor, type Tensor, tensor, toNumbers } from '@baton/tensor';
import { makeWasm } from '@baton/wasm';
import { optimize, runPass } from 'batonjs';
import { expect, test } from 'vitest';
import { requireRuntime } from '../../packages/workshop/src/onnxruntime/installed.ts';
import { makeGraph, type OnnxGraph } from './onnx-graph.ts';
import { modelBytes } from './onnx-writer.ts';

const SHAPE = [3, 4, 8];

/** Ties, numbers next to them, and numbers beyond the range of the integers. */
const REALS = Array.from(
  { length: 96 },
  (_, i) => ((i - 48) * 0.25 + (i % 7) * 0.001) * (i % 5 === 0 ? 60 : 1),
);

interface Case {
  readonly title: string;
  readonly node: string;
  readonly opset: number;
  readonly data: DType;
  readonly build: (g: OnnxGraph, x: string) => string;
}

const INTEGERS = [
  ['int8', 13],
  ['uint8', 13],
  ['int16', 21],
  ['uint16', 21],
] as const satisfies ReadonlyArray<readonly [DType, number]>;

/** The parameters: numbers, vectors of one element, and vectors along each axis. */
const PARAMETERS: ReadonlyArray<
  readonly [title: string, size: number | undefined, axis: number | undefined]
> = [
  ['numbers', undefined, undefined],
  ['one element', 1, 0],
  ['vectors on axis 0', 3, 0],
  ['vectors on axis 1', 4, 1],
  ['vectors on axis -1', 8, -1],
];

const filled = (size: number | undefined, value: (i: number) => number, dtype: DType): Tensor =>
  tensor(
    Array.from({ length: size ?? 1 }, (_, i) => value(i)),
    size === undefined ? [] : [size],
    dtype,
  );

const CASES: ReadonlyArray<Case> = [
  ...(['float32', 'float64'] as const).map((data) => ({
    title: `Round of ${data}`,
    node: 'Round',
    opset: 13,
    data,
    build: (g: OnnxGraph, x: string) => g.node('Round', [x]),
  })),
  ...INTEGERS.flatMap(([dtype, opset]) =>
    PARAMETERS.flatMap(([parameters, size, axis]) =>
      [true, false].flatMap((hasZero) =>
        (['QuantizeLinear', 'DequantizeLinear'] as const).map((node) => ({
          title: `${node} of ${dtype}, ${parameters}, ${hasZero ? 'with' : 'without'} a zero point`,
          node,
          opset,
          data: node === 'QuantizeLinear' ? ('float32' as const) : dtype,
          build: (g: OnnxGraph, x: string) => {
            const scale = g.constant(filled(size, (i) => 0.5 + i / 8, 'float32'));
            const zero = g.constant(filled(size, (i) => 3 + i, dtype));
            const given = hasZero ? [x, scale, zero] : [x, scale];
            return g.node(node, given, axis === undefined ? {} : { axis });
          },
        })),
      ),
    ),
  ),
  // Without a zero point the result is of uint8.
].filter(({ node, title }) => node !== 'QuantizeLinear' || /with a|uint8/.test(title));

const EXECUTORS = [
  oracle,
  makeWasm({ leastElements: 1 }),
  makeWasm({ leastElements: 1, isExact: true }),
];

test.each(CASES)('$title', async ({ node, opset, data, build }) => {
  const g = makeGraph();
  const values = data.startsWith('float') ? REALS : REALS.map((x) => Math.trunc(x) & 127);
  const x = tensor(values, SHAPE, data);
  const name = g.input(x);
  const bytes = modelBytes({ ...g.parts([build(g, name)]), opset });
  const runtime = requireRuntime();
  const inRuntime = async (file: Uint8Array): Promise<readonly number[]> => {
    const [outputs] = orThrow(await runtime.run(file, [new Map([[name, x]])]));
    return [...(outputs?.values() ?? [])].flatMap((t) => Array.from(toNumbers(t), Number));
  };
  const expected = await inRuntime(bytes);
  const m = orThrow(importOnnx(bytes, { ops: standardOps }));
  for (const level of [0, 1, 2, 3] as const) {
    const made = orThrow(runPass(optimize({ level }))(m)).module;
    const file = orThrow(exportOnnx(made, { opset }));
    const types = orThrow(decodeModel(file)).graph?.nodes.map(({ opType }) => opType);
    expect(types, `level ${level}`).toEqual([node]);
    expect(await inRuntime(file)).toEqual(expected);
    for (const executor of EXECUTORS) {
      const value = orThrow(evaluate(made, [x], { executor }));
      expect(isTensor(value) && Array.from(toNumbers(value), Number)).toEqual(expected);
    }
  }
});
