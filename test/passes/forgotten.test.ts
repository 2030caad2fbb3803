/** Programs with pairs of nodes that differ in one fact only, so that an engine that ignores it fails. */
import { orThrow } from '@baton/base';
import { evaluate, type HostValue } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { inferType, type Pass, runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import {
  backwardScales,
  commonSets,
  forwardScales,
  greedy,
  kernelCount,
  saturate,
  weightScales,
} from '@baton/rewrites';
import { fromNumbers, isTensor, type Tensor, toNumbers } from '@baton/tensor';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { read } from '../golden/read.ts';

const inputs = (shapes: Readonly<Record<string, ReadonlyArray<number>>>): Record<string, Tensor> =>
  Object.fromEntries(
    Object.entries(shapes).map(([name, shape], at) => {
      const size = shape.reduce((product, dim) => product * dim, 1);
      const values = Array.from({ length: size }, (_, i) => Math.sin(3 * i + at + 1));
      return [name, fromNumbers(values, shape, 'float32')];
    }),
  );

/** A constant of these numbers: the notation has constants of one number only. */
const constant = (numbers: ReadonlyArray<number>, shape: ReadonlyArray<number>): string =>
  `reshape(concatenate((${numbers.map((n) => `Constant(${n}, (1), float32),`).join(' ')})), newshape=[${shape}])`;

/** A program with its constants computed. */
const programOf = (text: string): IRModule =>
  orThrow(runPass(sequential([passes.foldConstant, inferType]))(read(text, 'program'))).module;

function numbersAfter(text: string, given: Readonly<Record<string, HostValue>>, pass?: Pass) {
  const m = programOf(text);
  const made = pass === undefined ? m : orThrow(runPass(pass)(m)).module;
  expect(pass === undefined || made !== m).toBe(true);
  const value = orThrow(evaluate(made, given));
  const tensors = value._tag === 'Tuple' ? value.fields : [value];
  return tensors.flatMap((part) => {
    if (part._tag !== 'Tensor' || !isTensor(part)) throw new Error('a result of tensors');
    return Array.from(toNumbers(part), Number);
  });
}

/** Expects that a pass changes the program, and its results by no more than rounding. */
function expectSame(text: string, given: Readonly<Record<string, HostValue>>, pass: Pass): void {
  const after = numbersAfter(text, given, pass);
  const before = numbersAfter(text, given);
  expect(after.length).toBe(before.length);
  before.forEach((value, i) => {
    expect(after[i]).toBeCloseTo(value, 4);
  });
}

describe('repeated subgraphs', () => {
  /** One layer of ten calls, one of which does nothing, with its leaves in the order of their uses. */
  const layer = (i: number, [a, b, c]: ReadonlyArray<string>): string => {
    const at = 10 * i;
    const from = i === 0 ? '%x' : `%${at - 1}`;
    return `%${at} = multiply(${from}, ${a}); %${at + 1} = tanh(%${at});
      %${at + 2} = add(%${at + 1}, ${b}); %${at + 3} = sigmoid(%${at + 2});
      %${at + 4} = multiply(%${at + 3}, 1f); %${at + 5} = exp(%${at + 4});
      %${at + 6} = multiply(%${at + 5}, ${c}); %${at + 7} = sin(%${at + 6});
      %${at + 8} = cos(%${at + 7}); %${at + 9} = erf(%${at + 8});`;
  };
  const ORDERS: ReadonlyArray<ReadonlyArray<string>> = [
    ['%p', '%p', '%q'],
    ['%p', '%q', '%q'],
    ['%p', '%q', '%p'],
  ];
  const pairs = ORDERS.flatMap((one) =>
    ORDERS.filter((other) => other !== one).map((other) => [one.join(' '), other.join(' ')]),
  );

  it.each(pairs)('differ in the leaf that occurs twice: %s, %s', (one, other) => {
    const layers = Array.from({ length: 30 }, (_, i) =>
      layer(i, (i % 2 === 0 ? one : other).split(' ')),
    );
    const text = `def @main(%x: Tensor[(2), float32], %p: Tensor[(2), float32], %q: Tensor[(2), float32]) {
      ${layers.join('\n')} %299 }`;
    expectSame(text, inputs({ x: [2], p: [2], q: [2] }), saturate(commonSets));
  });
});

describe('parallel convolutions', () => {
  const first = constant([1, 2], [2, 1, 1, 1]);
  const second = constant([3, 200], [2, 1, 1, 1]);
  const convolution = (weight: string | undefined, attrs: string): string =>
    `nn.conv2d(%x, ${weight}, channels=2, kernel_size=[1, 1]${attrs})`;

  it.each([
    ['groups', ', groups=2'],
    ['groups and dilation', ', groups=2, dilation=[2, 2]'],
  ])('keep their %s', (_, attrs) => {
    const text = `def @main(%x: Tensor[(1, 2, 2, 2), float32]) {
      (${convolution(first, attrs)} * 2f * 1f, ${convolution(second, attrs)}) }`;
    const x = inputs({ x: [1, 2, 2, 2] });
    expectSame(text, x, saturate(commonSets, { cost: kernelCount }));
  });

  it.each([
    ['groups', [', groups=2', '']],
    ['strides', ['', ', strides=[2, 2]']],
    ['padding', ['', ', padding=[1, 1, 1, 1]']],
  ])('with different %s stay two', (_, [one = '', other = '']) => {
    const wide = (attrs: string): string =>
      attrs.includes('groups')
        ? constant([1, 2], [2, 1, 1, 1])
        : constant([1, 2, 3, 5], [2, 2, 1, 1]);
    const text = `def @main(%x: Tensor[(1, 2, 2, 2), float32]) {
      (${convolution(wide(one), one)} * 1f, ${convolution(wide(other), other)}) }`;
    expectSame(text, inputs({ x: [1, 2, 2, 2] }), saturate(commonSets, { cost: kernelCount }));
  });
});

describe('scales through a transpose that is not its own inverse', () => {
  const WEIGHT = constant([1, 2, 3, 4, 5, 6], [2, 3, 1, 1]);
  /** Sizes are equal, so that a scale along a wrong axis has a type, too. */
  const forward = (scale: string): string =>
    `def @main(%x: Tensor[(1, 3, 3, 3), float32]) {
      nn.conv2d(transpose(%x * ${scale}, axes=[0, 3, 1, 2]), ${WEIGHT}, channels=2, kernel_size=[1, 1]) }`;
  const backward = (scale: string): string =>
    `def @main(%x: Tensor[(1, 3, 2, 2), float32]) {
      transpose(nn.conv2d(%x, ${WEIGHT}, channels=2, kernel_size=[1, 1]), axes=[0, 2, 3, 1]) * ${scale} }`;
  const programs: ReadonlyArray<readonly [string, string, ReadonlyArray<number>]> = [
    ['towards its users', forward(constant([2, 3, 7], [3])), [1, 3, 3, 3]],
    ['towards a weight', backward(constant([2, 3], [2])), [1, 3, 2, 2]],
  ];
  const ENGINES: Readonly<Record<string, Pass>> = {
    foldScaleAxis: passes.foldScaleAxis,
    greedy: sequential([
      greedy([weightScales, backwardScales]),
      greedy([weightScales, forwardScales]),
    ]),
    saturate: sequential([
      saturate([weightScales, backwardScales]),
      saturate([weightScales, forwardScales]),
    ]),
  };

  it.each(
    Object.keys(ENGINES).flatMap((engine) =>
      programs.map(([name, text, shape]) => [engine, name, text, shape] as const),
    ),
  )('%s moves them along the right axis: %s', (engine, _, text, shape) => {
    const pass = ENGINES[engine] ?? expect.fail(engine);
    const { module } = orThrow(runPass(pass)(programOf(text)));
    const main = printModule(module).split('@main')[1] ?? '';
    // The scale has left the data.
    expect(main).not.toMatch(/multiply\(%x|multiply\(%\d+, meta/);
    expectSame(text, inputs({ x: shape }), pass);
  });
});

describe('partial evaluation', () => {
  const EVALUATED = sequential([passes.toANormalForm, passes.partialEvaluate]);
  const cells = 'let %a = ref(1f); let %b = ref(2f);';
  const read2 = '(ref_read(%a), ref_read(%b))';
  it.each([
    [
      'a branch that is one of two references',
      'let %p = if (%c) { %a } else { %b }; ref_write(%p, 5f);',
    ],
    ['one in a tuple', 'let %p = if (%c) { (%a, %b) } else { (%b, %a) }; ref_write(%p.0, 5f);'],
    ['a write in a branch', 'if (%c) { ref_write(%a, 5f) } else { ref_write(%b, 6f) };'],
    [
      'a branch of a branch',
      'let %p = if (%c) { if (%c) { %b } else { %a } } else { %a }; ref_write(%p, 5f);',
    ],
    [
      'a function that a branch chooses',
      'let %f = if (%c) { fn () { ref_write(%a, 5f) } } else { fn () { ref_write(%b, 6f) } }; %f();',
    ],
  ])('knows what may have been written: %s', (_, body) => {
    const text = `def @main(%c: bool) { ${cells} ${body} ${read2} }`;
    for (const c of [true, false]) {
      expect(numbersAfter(text, { c }, EVALUATED)).toEqual(numbersAfter(text, { c }));
    }
  });
});

describe('ConvertLayout', () => {
  it('M: lays one bias out for convolutions of one and of two dimensions', () => {
    const text = `def @main(%x: Tensor[(1, 3, 4, 4), float32], %y: Tensor[(1, 3, 4), float32], %b: Tensor[(1), float32]) {
      %0 = nn.conv2d(%x, ones(shape=[4, 3, 1, 1], dtype="float32"), channels=4, kernel_size=[1, 1]);
      %1 = nn.conv1d(%y, ones(shape=[4, 3, 1], dtype="float32"), channels=4, kernel_size=[1]);
      (nn.relu(%0 + %b), nn.relu(%1 + %b)) }`;
    const pass = passes.convertLayout({
      desired: { 'nn.conv2d': ['NHWC', 'default'], 'nn.conv1d': ['NWC', 'default'] },
    });
    const { module } = orThrow(runPass(pass)(programOf(text)));
    const printed = printModule(module);
    // Neither result goes back to its own layout before the bias: both sums take the layout over.
    expect(printed).toContain('num_newaxis=3');
    expect(printed).toContain('num_newaxis=2');
    expect(printed.match(/dst_layout="NCHW"|dst_layout="NCW"/g)?.length).toBe(2);
    expectSame(text, inputs({ x: [1, 3, 4, 4], y: [1, 3, 4], b: [1] }), pass);
  });
});
