/** Products of one input become one, with what follows them, by the extraction that is not exact. */
import { checkPass } from '@baton/equivalence';
import { orThrow } from '@baton/ir';
import { measureModule, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { kernelCount, movement, parallels, type RuleInput, saturate } from '@baton/rewrites';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const filled = (value: number, ...shape: ReadonlyArray<number>): string =>
  `Constant(${value}, (${shape.join()}), float32)`;

/** Queries, keys and values of two heads. */
const projected = (i: number): string =>
  `%${i} = transpose(reshape(nn.matmul(%x, ${filled(i + 0.5, 4, 4)}) + ${filled(i, 4)}, newshape=[3, 2, 2]), axes=[1, 0, 2]);`;

const ATTENTION = `def @main(%x: Tensor[(3, 4), float32]) {
  ${[0, 1, 2].map(projected).join('\n')}
  nn.batch_matmul(nn.softmax(nn.batch_matmul(%0, transpose(%1, axes=[0, 2, 1]))), %2) }`;

const dense = (i: number): string => `nn.dense(%x, ${filled(i + 0.5, 3 + i, 4)})`;

const branch = (i: number): string =>
  `nn.relu(nn.bias_add(nn.conv2d(%x, ${filled(i + 0.5, 2 + i, 3, 1, 1)}, kernel_size=[1, 1]), ${filled(i, 2 + i)}))`;

const convolution = (i: number): string =>
  `nn.conv2d(${branch(i)}, ${filled(1, 2, 2 + i, 3, 3)}, kernel_size=[3, 3], padding=[1, 1, 1, 1])`;

const INCEPTION = `def @main(%x: Tensor[(1, 3, 5, 5), float32]) {
  concatenate((${branch(0)}, ${convolution(1)}, ${convolution(2)}), axis=1) }`;

/** A network over the steps of its data, unrolled. */
const step = (i: number): string =>
  `nn.dense(take(%x, ${i}i64, axis=1), ${filled(0.5, 3, 4)}) + ${filled(1, 3)}`;
const STEPS = `def @main(%x: Tensor[(1, 4, 4), float32]) {
  %0 = tanh(${step(0)});
  %1 = tanh(${step(1)} + %0);
  %2 = tanh(${step(2)} + %1);
  tanh(${step(3)} + %2) }`;

const CASES: ReadonlyArray<
  readonly [string, string, before: Record<string, number>, after: Record<string, number>]
> = [
  [
    'queries, keys and values',
    ATTENTION,
    { 'nn.matmul': 3, add: 3 },
    { 'nn.matmul': 1, add: 1, split: 1 },
  ],
  [
    'two dense layers',
    `def @main(%x: Tensor[(2, 4), float32]) { (exp(${dense(0)}), tanh(${dense(1)})) }`,
    { 'nn.dense': 2 },
    { 'nn.dense': 1, split: 1 },
  ],
  [
    'the branches of an inception module',
    INCEPTION,
    { 'nn.conv2d': 5, 'nn.bias_add': 3, 'nn.relu': 3 },
    { 'nn.conv2d': 3, 'nn.bias_add': 1, 'nn.relu': 1, split: 1 },
  ],
  ['the steps of an unrolled network', STEPS, { 'nn.dense': 4 }, { 'nn.dense': 1, take: 4 }],
];

const RULES: RuleInput = [parallels, movement];

describe('parallel products', () => {
  it.each(CASES)('merge for %s', (_, text, before, after) => {
    const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
    const pass = saturate(RULES, { cost: kernelCount });
    expect(measureModule(m).byOp).toMatchObject(before);
    const { module } = orThrow(runPass(pass)(m));
    expect(measureModule(module).byOp).toMatchObject(after);
    expect(orThrow(checkPass(pass, m)).equivalence.verdict).toBe('equal');
  });
});
