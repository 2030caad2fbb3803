/** Compiled programs on several threads: bit-identical to one thread. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { mulberry32, orThrow } from '@baton/base';
import type { Value } from '@baton/executor';
import type { Func, IRModule } from '@baton/ir';
import { mobilenetV2, squeezenet, transformerEncoder } from '@baton/models';
import { standardOps as ops } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { type Tensor, tensor, tensorsEqual } from '@baton/tensor';
import { inputsFor, leavesOf } from '@baton/testing';
import { makeWasm, type ThreadWork, type WasmOptions } from '@baton/wasm';
import { afterAll, describe, expect, it } from 'vitest';
import { CREW_BYTES } from '../../packages/wasm/src/crew.ts';
import { parse } from './support.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const CODE = `
  const { workerData } = require('node:worker_threads');
  import(workerData.wasm).then(({ serveThread }) => serveThread(workerData.work));
`;

const workers: Worker[] = [];
afterAll(() => Promise.all(workers.map((worker) => worker.terminate())));

/** The number of other threads that take part in a program's runs, as its memory tells. */
const present = ({ memory }: ThreadWork): number =>
  new Int32Array(memory.buffer, 0, CREW_BYTES / 4)[CREW_BYTES / 4 - 16] as number;

/** Results of two runs, on this number of threads, all of which are there; and how many were asked for. */
async function resultsOn(count: number, m: IRModule, args: ReadonlyArray<Value>) {
  const asked: ThreadWork[] = [];
  const start = (work: ThreadWork): void => {
    asked.push(work);
    const workerData = {
      work,
      wasm: new URL('thread.js', import.meta.resolve('@baton/wasm')).href,
    };
    workers.push(new Worker(CODE, { eval: true, workerData }));
  };
  const options: WasmOptions = {
    transforms: true,
    ...(count > 1 ? { threads: { count, start } } : {}),
  };
  const executable = orThrow(makeWasm(options).prepare(m));
  while (asked.some((work) => present(work) < count - 1)) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const results = [0, 1].map(() => leavesOf(orThrow(executable.run(args))));
  return { results, asked: asked.length };
}

async function expectSame(
  m: IRModule,
  args: ReadonlyArray<Value>,
  counts: ReadonlyArray<number> = [3],
): Promise<void> {
  const [alone] = (await resultsOn(1, m, args)).results;
  for (const count of counts) {
    const { results, asked } = await resultsOn(count, m, args);
    expect(asked).toBe(count - 1);
    for (const found of results) {
      expect(found.every((t, i) => tensorsEqual(t, alone?.[i] as Tensor))).toBe(true);
    }
  }
}

const PROGRAMS: ReadonlyArray<readonly [string, string]> = [
  ['a long row', 'def @main(%x: Tensor[(98304), float32]) { tanh(add(%x, 1f)) }'],
  ['one row of uneven length', 'def @main(%x: Tensor[(3, 65537), float32]) { exp(%x) }'],
  ['rows that are summed', 'def @main(%x: Tensor[(70, 1000), float32]) { sum(%x, axis=[1]) }'],
  ['columns that are summed', 'def @main(%x: Tensor[(300, 401), float32]) { sum(%x, axis=[0]) }'],
  ['shares of exponentials', 'def @main(%x: Tensor[(5, 9001), float32]) { nn.softmax(%x) }'],
  [
    'products of which the weight is computed',
    `def @main(%x: Tensor[(75, 300), float32], %w: Tensor[(301, 300), float32]) {
       nn.dense(%x, exp(%w)) }`,
  ],
  [
    'products of a few rows',
    `def @main(%x: Tensor[(5, 300), float32], %w: Tensor[(301, 300), float32]) {
       nn.relu(nn.dense(%x, %w)) }`,
  ],
  [
    'a vector times a matrix',
    `def @main(%x: Tensor[(1, 257), float32], %w: Tensor[(303, 257), float32],
              %b: Tensor[(303), float32]) { nn.bias_add(nn.dense(%x, %w), %b) }`,
  ],
  [
    'a batch of products',
    `def @main(%x: Tensor[(7, 40, 64), float32], %y: Tensor[(7, 64, 50), float32]) {
       nn.batch_matmul(%x, %y) }`,
  ],
  [
    'convolutions of few pixels, of which the weight is computed',
    `def @main(%x: Tensor[(2, 66, 9, 9), float32], %w: Tensor[(131, 66, 3, 3), float32]) {
       nn.conv2d(%x, exp(%w), padding=[1, 1], channels=131, kernel_size=[3, 3]) }`,
  ],
  [
    'convolutions of few pixels, and a number, a vector and a tensor after them',
    `def @main(%x: Tensor[(1, 8, 9, 9), float32], %w: Tensor[(131, 8, 3, 3), float32],
              %s: float32, %b: Tensor[(131), float32], %r: Tensor[(1, 131, 9, 9), float32]) {
       %0 = nn.conv2d(%x, %w, padding=[1, 1], channels=131, kernel_size=[3, 3]);
       (nn.bias_add(%0, %b) * %s) + %r }`,
  ],
  [
    'convolutions of groups',
    `def @main(%x: Tensor[(1, 12, 65, 31), float32], %w: Tensor[(20, 3, 3, 3), float32]) {
       nn.conv2d(%x, %w, padding=[1, 1], strides=[2, 1], groups=4, channels=20,
                 kernel_size=[3, 3]) }`,
  ],
  [
    'a reference kernel between',
    'def @main(%x: Tensor[(300, 200), float32]) { exp(sort(add(%x, 1f), axis=1)) }',
  ],
];

describe('any number of threads gives the same', () => {
  it.each(PROGRAMS)('%s', async (_, text) => {
    const m = parse(text);
    await expectSame(m, inputsFor(m.functions.get('main') as Func, 165));
  });

  it.each([
    ['squeezenet', () => squeezenet({ ops, imageSize: 96, classes: 10 })],
    ['mobilenet', () => mobilenetV2({ ops, imageSize: 64, classes: 10 })],
    [
      'transformer',
      () => transformerEncoder({ ops, layers: 1, heads: 4, width: 128, sequenceLength: 96 }),
    ],
  ] as const)('%s', async (_, make) => {
    const m = orThrow(runPass(optimize({ level: 3 }))(make())).module;
    const random = mulberry32(16);
    const args = (m.functions.get('main') as Func).params.map(({ typeAnnotation: type }) => {
      const shape = (type?._tag === 'TensorType' ? type.shape : []) as ReadonlyArray<number>;
      const count = shape.reduce((a, b) => a * b, 1);
      return tensor(Float32Array.from({ length: count }, random), shape, 'float32');
    });
    await expectSame(m, args, [2, 4]);
  });
});

it.each([
  ['is not worth it', 'def @main(%x: Tensor[(1000), float32]) { exp(%x) }'],
  [
    'has control flow',
    `def @main(%x: Tensor[(98304), float32], %c: bool) {
       let %f = fn (%y: Tensor[(98304), float32], Primitive=1) { tanh(%y) };
       if (%c) { %f(%x) } else { %x }
     }`,
  ],
])('a program that %s has one thread', async (_, text) => {
  const m = parse(text);
  const { asked } = await resultsOn(2, m, inputsFor(m.functions.get('main') as Func, 1));
  expect(asked).toBe(0);
});

it('threads end with their program', async () => {
  const started = workers.length;
  const [, text] = PROGRAMS[0] as (typeof PROGRAMS)[number];
  const m = parse(text);
  await resultsOn(3, m, inputsFor(m.functions.get('main') as Func, 1));
  const own = workers.slice(started);
  const ended = Promise.all(own.map((worker) => new Promise((done) => worker.once('exit', done))));
  const isOver = ended.then(() => true);
  // The program is garbage: a few turns pass until the host has seen it.
  const pause = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 20));
  while (!(await Promise.race([isOver, pause()]))) collectGarbage();
  expect(own).toHaveLength(2);
});
