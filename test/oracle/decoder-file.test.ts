/**
 * A decoder as onnxruntime-genai writes them: tables and weights of 4 bits, grouped queries over a cache,
 * root-mean-square normalizations of sums. Each step of a generation computes what onnxruntime computes,
 * at level 3 too and in compiled code.
 */
import { mulberry32, orThrow } from '@baton/base';
import { evaluate, interpreter } from '@baton/executor';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { allClose, describeTensor, full, type Tensor, tensor } from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { makeWasm } from '@baton/wasm';
import { optimize, runPass } from 'batonjs';
import { expect, test } from 'vitest';
import {
  modelBytes,
  type NodeParts,
  type TensorParts,
} from '../../packages/onnx/test/helpers/encode.ts';
import { runElsewhere } from './oracle.ts';

const [LAYERS, HIDDEN, HEADS, SHARED, SIZE, INNER, WORDS] = [2, 64, 2, 1, 32, 96, 48];
const BLOCK = 16;
const DOMAIN = 'com.microsoft';

/** The file of the decoder, with seeded weights. */
function decoderFile(): Uint8Array {
  const random = mulberry32(20_261_128);
  const nodes: NodeParts[] = [];
  const initializers: TensorParts[] = [];
  const weight = (name: string, dims: ReadonlyArray<number>, value: () => number): string => {
    const count = dims.reduce((a, b) => a * b, 1);
    initializers.push({ name, dims, floats: Array.from({ length: count }, value) });
    return name;
  };
  const bytes = (name: string, dims: ReadonlyArray<number>): string => {
    const count = dims.reduce((a, b) => a * b, 1);
    const raw = Array.from({ length: count }, () => Math.floor(256 * random()));
    initializers.push({ name, dims, type: 2, raw });
    return name;
  };
  const node = (
    op: string,
    inputs: ReadonlyArray<string>,
    out: string,
    more: Partial<NodeParts> = {},
  ) => {
    nodes.push({ op, in: inputs, out: [out], ...more });
    return out;
  };
  const scale = (): number => 0.01 + 0.03 * random();
  const product = (name: string, x: string, from: number, to: number): string =>
    node(
      'MatMulNBits',
      [
        x,
        bytes(`${name}.q`, [to, from / BLOCK, BLOCK / 2]),
        weight(`${name}.s`, [to * (from / BLOCK)], scale),
      ],
      name,
      {
        domain: DOMAIN,
        attrs: { K: { i: from }, N: { i: to }, bits: { i: 4 }, block_size: { i: BLOCK } },
      },
    );
  const unit = (name: string): string => weight(name, [HIDDEN], () => 0.5 + random());

  initializers.push(
    { name: 'one', dims: [1], ints: [1] },
    { name: 'axis', dims: [], ints: [1] },
    { name: 'axes', dims: [1], ints: [1] },
  );
  node('ReduceSum', ['mask', 'axes'], 'counts', { attrs: { keepdims: { i: 0 } } });
  node('Sub', ['counts', 'one'], 'lasts');
  node('Cast', ['lasts'], 'lengths', { attrs: { to: { i: 6 } } });
  node('Shape', ['mask'], 'sizes');
  node('Gather', ['sizes', 'axis'], 'all');
  node('Cast', ['all'], 'total', { attrs: { to: { i: 6 } } });
  node(
    'GatherBlockQuantized',
    [
      bytes('words.q', [WORDS, HIDDEN / 2]),
      'ids',
      weight('words.s', [WORDS, HIDDEN / BLOCK], scale),
    ],
    'words',
    { domain: DOMAIN, attrs: { bits: { i: 4 }, block_size: { i: BLOCK } } },
  );
  weight('cos', [32, SIZE / 2], () => 2 * random() - 1);
  weight('sin', [32, SIZE / 2], () => 2 * random() - 1);

  let normal = node('SimplifiedLayerNormalization', ['words', unit('first.w')], 'first');
  let sum = 'words';
  for (let layer = 0; layer < LAYERS; layer++) {
    const at = (name: string): string => `${layer}.${name}`;
    const attention = {
      op: 'GroupQueryAttention',
      domain: DOMAIN,
      in: [
        product(at('query'), normal, HIDDEN, HEADS * SIZE),
        product(at('key'), normal, HIDDEN, SHARED * SIZE),
        product(at('value'), normal, HIDDEN, SHARED * SIZE),
        at('past.key'),
        at('past.value'),
        'lengths',
        'total',
        'cos',
        'sin',
      ],
      out: [at('heads'), at('present.key'), at('present.value')],
      attrs: { num_heads: { i: HEADS }, kv_num_heads: { i: SHARED }, do_rotary: { i: 1 } },
    };
    nodes.push(attention);
    const skip = (x: string, name: string): string => {
      nodes.push({
        op: 'SkipSimplifiedLayerNormalization',
        domain: DOMAIN,
        in: [x, sum, unit(`${name}.w`)],
        out: [name, '', '', `${name}.sum`],
      });
      sum = `${name}.sum`;
      return name;
    };
    normal = skip(product(at('out'), at('heads'), HEADS * SIZE, HIDDEN), at('middle'));
    const gate = product(at('gate'), normal, HIDDEN, INNER);
    const swish = node('Mul', [gate, node('Sigmoid', [gate], at('open'))], at('swish'));
    const inner = node('Mul', [swish, product(at('up'), normal, HIDDEN, INNER)], at('inner'));
    normal = skip(product(at('down'), inner, INNER, HIDDEN), at('end'));
  }
  product('logits', normal, HIDDEN, WORDS);
  const caches = Array.from({ length: LAYERS }, (_, i) => [
    `${i}.past.key`,
    `${i}.past.value`,
  ]).flat();
  const cache = (name: string, length: string) => ({
    name,
    dims: ['batch', SHARED, length, SIZE],
    type: 1,
  });
  return modelBytes(
    {
      nodes,
      initializers,
      inputs: [
        { name: 'ids', dims: ['batch', 'tokens'], type: 7 },
        { name: 'mask', dims: ['batch', 'total'], type: 7 },
        ...caches.map((name) => cache(name, 'past')),
      ],
      outputs: [
        { name: 'logits', dims: ['batch', 'tokens', WORDS], type: 1 },
        ...caches.map((name) => cache(name.replace('past', 'present'), 'total')),
      ],
    },
    21,
  );
}

const STEPS: ReadonlyArray<ReadonlyArray<number>> = [[5, 11, 2, 40], [7], [33], [1, 2]];

const ids = (values: ReadonlyArray<number>): Tensor => tensor(values, [1, values.length], 'int64');
const blank = full([1, SHARED, 0, SIZE], 'float32', 0);

const differences = (found: ReadonlyArray<Tensor>, wanted: ReadonlyArray<Tensor>) =>
  wanted.flatMap((expected, i) => {
    const value = found[i];
    const isSame = value !== undefined && allClose(value, expected, { atol: 1e-4, rtol: 1e-3 });
    return isSame
      ? []
      : [`${i}: ${value && describeTensor(value)}, not ${describeTensor(expected)}`];
  });

test('a decoder with a growing cache', async () => {
  const bytes = decoderFile();
  const plain = orThrow(importOnnx(bytes, { ops: standardOps }));
  const best = orThrow(runPass(optimize({ level: 3 }))(plain)).module;
  const file = orThrow(exportOnnx(best));
  const count = (one: Uint8Array): number => orThrow(decodeModel(one)).graph?.nodes.length ?? 0;
  expect(count(file)).toBeLessThanOrEqual(count(bytes));
  const runs = [
    [plain, interpreter],
    [best, makeWasm({ leastElements: 1 })],
  ] as const;
  let caches: ReadonlyArray<Tensor> = Array.from({ length: 2 * LAYERS }, () => blank);
  let past = 0;
  for (const step of STEPS) {
    past += step.length;
    const mask = tensor(new Array<number>(past).fill(1), [1, past], 'int64');
    const given = [ids(step), mask, ...caches];
    const names = [
      'ids',
      'mask',
      ...caches.map((_, i) => `${Math.floor(i / 2)}.past.${i % 2 ? 'value' : 'key'}`),
    ];
    const inputs = new Map(names.map((name, i) => [name, given[i] as Tensor]));
    const wanted = [...(await runElsewhere(bytes, { inputs })).values()];
    expect(differences([...(await runElsewhere(file, { inputs })).values()], wanted)).toEqual([]);
    for (const [module, executor] of runs) {
      const found = leavesOf(orThrow(evaluate(module, given, { executor })));
      expect(differences(found, wanted)).toEqual([]);
    }
    caches = wanted.slice(1);
  }
});
