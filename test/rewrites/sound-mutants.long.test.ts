/** Shipped rules without one of their guards are caught, each on a program of a few calls. */
import { isLeft } from '@baton/base';
import { checkPass } from '@baton/equivalence';
import { orThrow } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { greedy } from '@baton/rewrites';
import { type RuleMutant, ruleMutants, testRule } from '@baton/testing';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { specialCases } from './special-cases.ts';

/** The seed with which the mutants are looked for. */
const SEED = 20261123;

/** Instances until a mutant counts as not caught. */
const MOST = 400;

/** A program that calls a function whose types leave sizes open. */
const open = (x: string, y: string, body: string): string => `
  def @open(%x: Tensor[${x}, float32], %y: Tensor[${y}, float32]) { ${body} }
  def @main(%x: Tensor[(1, 3), float32], %y: Tensor[(2, 3), float32]) { @open(%x, %y) }`;

const likeOpen = (body: string): string => open('(?, 3)', '(?, 3)', body);

/** A program whose zero points lie along the first of two axes of one size. */
const quantized = (dtype: string, parameter: string, call: string): string =>
  `def @main(%x: Tensor[(2, 2), ${dtype}], %z: Tensor[(2), int32], ${parameter}) { ${call}, axis=0) }`;

/** Programs that show what random instances seldom do. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['op(x, zeros_like)', likeOpen('%x + zeros_like(%y)')],
  ['op(zeros_like, x)', likeOpen('zeros_like(%y) - %x')],
  ['op(x, ones_like)', likeOpen('%x * ones_like(%y)')],
  ['op(ones_like, x)', likeOpen('ones_like(%y) / %x')],
  ['op(x, full_like)', likeOpen('%x + full_like(%y, 2f)')],
  ['op(full_like, x)', likeOpen('full_like(%y, 2f) - %x')],
  [
    'reshape to the same',
    'def @main(%x: Tensor[(?, 2, ?), float32]) { reshape(%x, newshape=[-3, -4, 2, -1]) }',
  ],
  [
    'bias on the last axis',
    'def @main(%x: Tensor[(3, 3), float32], %b: Tensor[(3), float32]) { nn.bias_add(%x, %b, axis=0) }',
  ],
  [
    'scale of layer norm',
    open(
      '(?, ?)',
      '(?, ?)',
      'nn.layer_norm(%x, Constant(1, (3), float32), Constant(0, (3), float32), center=False, scale=False) * Constant(2, (1), float32)',
    ),
  ],
  [
    'shift of layer norm',
    open(
      '(?, ?)',
      '(?, ?)',
      'nn.layer_norm(%x, Constant(1, (3), float32), Constant(0, (3), float32), center=False) + Constant(2, (1), float32)',
    ),
  ],
  ...['argmax', 'argmin', 'argsort'].map((op): readonly [string, string] => [
    `${op} of dequantize`,
    `def @main(%x: Tensor[(3), int8]) { ${op}(qnn.dequantize(%x, -0.5f, 3)) }`,
  ]),
  ['qnn.quantize', quantized('float32', '%s: Tensor[(2), float32]', 'qnn.quantize(%x, %s, %z')],
  ['qnn.dequantize', quantized('int8', '%s: Tensor[(2), float32]', 'qnn.dequantize(%x, %s, %z')],
  [
    'qnn.conv2d',
    'def @main(%x: Tensor[(1, 2, 3, 3), int8], %w: Tensor[(2, 2, 2, 2), int8], %q: Tensor[(2), int32]) { qnn.conv2d(%x, %w, 0, %q, 0.5f, 0.25f) }',
  ],
  [
    'qnn.requantize upward',
    quantized('int8', '%w: int32', 'qnn.requantize(%x, 0.5f, %z, 0.25f, %w'),
  ],
  [
    'qnn.requantize to nearest',
    quantized('int8', '%w: int32', 'qnn.requantize(%x, 0.5f, %z, 0.25f, %w, rounding="TONEAREST"'),
  ],
  [
    'relu of clip',
    'def @main(%x: Tensor[(3), float32]) { nn.relu(clip(%x, a_min=-2.0, a_max=-1.0)) }',
  ],
  [
    'pad of a maximum: no condition 2',
    'def @main(%x: Tensor[(1, 1, 3, 3), float32]) { nn.max_pool2d(nn.pad(%x, -3.4028235e38f, pad_width=[[0, 0], [0, 0], [3, 0], [0, 0]]), pool_size=[2, 2]) }',
  ],
  [
    'mean that now counts padding: no condition 2',
    'def @main(%x: Tensor[(1, 1, 3, 3), float32]) { nn.avg_pool2d(nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]), pool_size=[3, 3], padding=[1, 1, 1, 1]) }',
  ],
]);

/** `caught`, or what a mutant keeps. */
function verdict({ name, rule }: RuleMutant): string {
  const shown =
    SHOWN.get(name) ?? (name.includes('condition 1') ? SHOWN.get(rule.name) : undefined);
  if (shown === undefined) {
    // Without a freedom the conditions are there, and the special cases meet them.
    const like = name.includes('condition') ? {} : specialCases(rule);
    // Bounds matter at the ends of ranges alone.
    const isExtreme = name.endsWith('no bounds');
    const trial = testRule(rule, { count: MOST, seed: SEED, isExtreme, ...like });
    if (!isLeft(trial)) return 'survived';
    return trial.left[0].code === 'TESTING_RULE_DIFFERENT' ? 'caught' : trial.left[0].code;
  }
  const m = orThrow(parseModule(`#[version = "0.0.5"]\n${shown}`, { ops: standardOps }));
  // One call that does all costs less than what it is made of.
  const isDefinition = rule.name.startsWith('qnn.');
  const { verdict: found } = orThrow(
    checkPass(greedy(rule, isDefinition ? { cost: () => 0 } : {}), m, { seed: SEED }),
  ).equivalence;
  return found === 'different' ? 'caught' : found;
}

describe('a rule without a guard is caught', () => {
  it.each(ruleMutants().map((mutant) => [mutant.name, mutant] as const))('%s', (_, mutant) => {
    expect(verdict(mutant)).toBe('caught');
  });
});
