/** U6: `baton optimize --verify` on large models, its progress, and its page. */
import { constant, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { full } from '@baton/tensor';
import { exportOnnx, type IRModule, orThrow } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { modelBytes } from '../../onnx/test/helpers/encode.ts';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';
import { wrong } from './wrong-pass.ts';

/** Convolutions of about 5 million operations each. */
function network(layers = 3): IRModule {
  const x = variable('x', tensorType([1, 16, 32, 32], 'float32'));
  const w = constant(full([16, 16, 3, 3], 'float32', 0.01));
  let y = callOp(standardOps, 'exp', [x]);
  for (let i = 0; i < layers; i++) {
    y = callOp(standardOps, 'nn.conv2d', [y, w], { padding: [1, 1] });
    y = callOp(standardOps, 'nn.relu', [y]);
  }
  return irModule({ ops: standardOps, functions: new Map([['main', func([x], y)]]) });
}

const large = orThrow(exportOnnx(network()));
const small = orThrow(
  exportOnnx(
    irModule({
      ops: standardOps,
      functions: new Map([
        [
          'main',
          (() => {
            const x = variable('x', tensorType([2, 3], 'float32'));
            return func([x], callOp(standardOps, 'exp', [x]));
          })(),
        ],
      ]),
    }),
  ),
);

const argv = (...options: string[]) => [
  'optimize',
  'm.onnx',
  '-o',
  'o.onnx',
  '--verify',
  ...options,
];

describe('a large model', () => {
  it('is compared on a few inputs, with a count that ends where it says', async () => {
    const { code, stages } = await baton(argv(), { 'm.onnx': large });
    expect(code).toBe(EXIT.ok);
    const samples = stages.filter((text) => text.startsWith('comparing: '));
    expect(samples).toEqual([
      'comparing: sample 1 of 3',
      'comparing: sample 2 of 3',
      'comparing: sample 3 of 3',
    ]);
  });

  it.each([['o.onnx'], ['o.relay'], ['o.json']])(
    'that differs is not written: %s',
    async (output) => {
      const command = ['optimize', 'm.onnx', '-o', output, '--verify'];
      const { code, log, files } = await baton(
        command,
        { 'm.onnx': large },
        { config: { passes: [wrong] } },
      );
      expect([code, log]).toEqual([
        EXIT.findings,
        expect.stringContaining('does not compute what'),
      ]);
      expect(files.has(output)).toBe(false);
    },
  );

  it('is compared on all kinds of inputs with --thorough, which names the pass', async () => {
    const { code, log, stages } = await baton(
      argv('--thorough'),
      { 'm.onnx': large },
      { config: { passes: [wrong] } },
    );
    expect([code, log]).toEqual([EXIT.findings, expect.stringContaining('Wrong')]);
    expect(stages.filter((text) => text.startsWith('comparing: grid inputs (1 of 4'))).not.toEqual(
      [],
    );
  });
});

describe('O: a large model of open sizes is compared on sizes that fit', () => {
  const ones = (dims: ReadonlyArray<number>) => ({
    dims,
    floats: new Array<number>(dims.reduce((a, b) => a * b, 1)).fill(0.01),
  });
  const conv = (from: string, to: string) => ({
    op: 'Conv',
    in: [from, 'w'],
    out: [to],
    attrs: { pads: { ints: [1, 1, 1, 1] } },
  });
  const pool = (from: string, to: string) => ({
    op: 'MaxPool',
    in: [from],
    out: [to],
    attrs: { kernel_shape: { ints: [4, 1] }, strides: { ints: [4, 1] } },
  });

  it.each<readonly [string, ReadonlyArray<number | string>, string, string]>([
    // A reshape determines the batch.
    ['a batch of 1, and rows for two pools', ['batch', 40, 'rows', 64], '1', 'q'],
    ['a batch of 1 that is stated, and rows', [1, 40, 'rows', 64], '1', 'q'],
    ['any batch, and rows', ['batch', 40, 'rows', 64], '0', 'q'],
    ['any batch, and rows for one pool', ['batch', 40, 'rows', 64], '0', 'p'],
  ])('%s', async (_, dims, batch, last) => {
    const file = modelBytes(
      {
        nodes: [
          conv('x', 'a'),
          conv('a', 'b'),
          pool('b', 'p'),
          conv('p', 'c'),
          pool('c', 'q'),
          { op: 'ReduceMax', in: [last], out: ['r'], attrs: { axes: { ints: [2] } } },
          { op: 'Reshape', in: ['r', 'shape'], out: ['y'] },
        ],
        inputs: [{ name: 'x', dims }],
        outputs: [{ name: 'y', dims: [null, 40, 64] }],
        initializers: [
          { name: 'w', ...ones([40, 40, 3, 3]) },
          { name: 'shape', dims: [3], ints: [Number(batch), 40, 64] },
        ],
      },
      13,
    );
    const { code, log, stages } = await baton(argv(), { 'm.onnx': file });
    expect([code, log]).toEqual([EXIT.ok, expect.not.stringContaining('not compared')]);
    expect(stages).toContain('comparing: sample 3 of 3');
  });
});

describe('O: sizes that few models have are found in their calls', () => {
  const list = (name: string, values: ReadonlyArray<number>) => ({
    name,
    dims: [values.length],
    ints: values,
  });
  const weight = (...dims: ReadonlyArray<number>) => ({
    name: 'w',
    dims,
    floats: new Array<number>(dims.reduce((a, b) => a * b, 1)).fill(0.25),
  });

  it.each([
    [
      'rows that are taken together',
      ['T', 7, 'n'],
      [
        { op: 'Reshape', in: ['x', 'shape'], out: ['r'] },
        { op: 'MatMul', in: ['r', 'w'], out: ['y'] },
      ],
      [list('shape', [-1, 77]), weight(77, 3)],
    ],
    [
      'rows after a window',
      ['T', 7, 'n'],
      [
        {
          op: 'MaxPool',
          in: ['x'],
          out: ['p'],
          attrs: { kernel_shape: { ints: [5] } },
        },
        { op: 'Reshape', in: ['p', 'shape'], out: ['r'] },
        { op: 'MatMul', in: ['r', 'w'], out: ['y'] },
      ],
      [list('shape', [-1, 91]), weight(91, 3)],
    ],
    [
      'a constant beside them, and a window',
      ['T', 'n'],
      [
        { op: 'Add', in: ['x', 'w'], out: ['s'] },
        { op: 'Unsqueeze', in: ['s', 'axis'], out: ['u'] },
        {
          op: 'MaxPool',
          in: ['u'],
          out: ['p'],
          attrs: { kernel_shape: { ints: [23] } },
        },
        { op: 'Squeeze', in: ['p', 'axis'], out: ['y'] },
      ],
      [weight(29), list('axis', [1])],
    ],
  ])('%s', async (_, dims, nodes, initializers) => {
    const outputs = [{ name: 'y', dims: [null, null] }];
    const graph = { nodes, inputs: [{ name: 'x', dims }], outputs, initializers };
    const { code, log, stages } = await baton(argv(), { 'm.onnx': modelBytes(graph, 17) });
    expect([code, log]).toEqual([EXIT.ok, expect.not.stringContaining('not compared')]);
    expect(stages).toContain('comparing: sample 3 of 3');
  });
});

it('O: a small model that no made-up inputs fit is written with a warning', async () => {
  const graph = {
    nodes: [
      { op: 'Reshape', in: ['x', 'shape'], out: ['r'] },
      { op: 'MatMul', in: ['r', 'w'], out: ['y'] },
    ],
    inputs: [{ name: 'x', dims: ['T'] }],
    outputs: [{ name: 'y', dims: [null, 3] }],
    initializers: [
      { name: 'shape', dims: [2], ints: [-1, 997] },
      { name: 'w', dims: [997, 3], floats: new Array<number>(997 * 3).fill(0.5) },
    ],
  };
  const { code, log, files } = await baton(argv(), { 'm.onnx': modelBytes(graph, 17) });
  expect([code, log]).toEqual([EXIT.ok, expect.stringContaining('warning[CLI_NOT_COMPARED]')]);
  expect(files.has('o.onnx')).toBe(true);
});

describe('a small model', () => {
  it('is compared on all kinds of inputs', async () => {
    const { code, stages } = await baton(argv(), { 'm.onnx': small });
    expect(code).toBe(EXIT.ok);
    expect(stages).toContain('comparing: special inputs (4 of 4)');
    expect(stages.some((text) => text.includes('sample'))).toBe(false);
  });
});

describe('O: a small model whose sizes no inputs of all kinds fit', () => {
  // Windows of 16 do not fit into the sizes of these inputs.
  const file = modelBytes(
    {
      nodes: [
        {
          op: 'MaxPool',
          in: ['x'],
          out: ['p'],
          attrs: { kernel_shape: { ints: [16] }, strides: { ints: [16] } },
        },
        { op: 'Exp', in: ['p'], out: ['y'] },
      ],
      inputs: [{ name: 'x', dims: ['b', 2, 'n'] }],
      outputs: [{ name: 'y', dims: ['b', 2, null] }],
    },
    17,
  );

  it('is compared on a few', async () => {
    const { code, stages } = await baton(argv(), { 'm.onnx': file });
    expect(code).toBe(EXIT.ok);
    expect(stages).toContain('comparing: sample 3 of 3');
  });

  it('is not written if it differs', async () => {
    const files = { 'm.onnx': file };
    const { code, log, files: left } = await baton(argv(), files, { config: { passes: [wrong] } });
    expect([code, log]).toEqual([EXIT.findings, expect.stringContaining('does not compute what')]);
    expect(left.has('o.onnx')).toBe(false);
  });
});

it.each([
  ['large', large],
  ['small', small],
])('the page of a verified %s model says so', async (_title, model) => {
  const verified = await baton(argv('--report', 'r.html'), { 'm.onnx': model });
  expect(verified.code).toBe(EXIT.ok);
  expect(verified.text('r.html')).toContain('--verify found no difference');
  const plain = await baton(['optimize', 'm.onnx', '-o', 'o.onnx', '--report', 'r.html'], {
    'm.onnx': model,
  });
  expect(plain.text('r.html')).not.toContain('--verify found no difference');
});
