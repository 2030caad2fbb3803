/**
 * Faults of compiled code that its users received: forms that once gave wrong values in the default
 * setting, each with its sisters. Every program has more elements than the interpreter keeps for itself.
 */
import {
  broadcastView,
  reverseView,
  type Shape,
  shapeSize,
  sliceView,
  type Tensor,
  tensor,
  transposeView,
} from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { disagreements, moduleDisagreement, type NumbersOf, SETTINGS } from './wasm-agreement.ts';

/** The programs that differ, with how. */
const wrong = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => disagreements(text).map((problem) => `${text} ${problem}`));

const NUMBERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64'].concat([
  'float16',
  'float32',
  'float64',
  'bfloat16',
]);

const vectors = (names: string, dtype: string): string =>
  names
    .split(' ')
    .map((name) => `%${name}: Tensor[(100), ${dtype}]`)
    .join(', ');

describe('W1, W17: a call moves to the windows of a value only if it views the value', () => {
  it.each(NUMBERS)('casts of comparisons of %s', (dtype) => {
    const casts = ['less', 'greater_equal', 'equal', 'not_equal'].flatMap((name) =>
      NUMBERS.map((to) => `cast(${name}(%x, %y), dtype="${to}")`),
    );
    expect(wrong([`def @main(${vectors('x y', dtype)}) { (${casts.join(', ')}) }`])).toEqual([]);
  });

  it.each(NUMBERS)('casts from %s, there and back', (dtype) => {
    const there = NUMBERS.map((to) => `cast(%x, dtype="${to}")`);
    const back = there.flatMap((x) => [
      `cast(${x}, dtype="${dtype}")`,
      `cast(negative(${x}), dtype="${dtype}")`,
      `floor(cast(negative(${x}), dtype="float32"))`,
    ]);
    expect(wrong([`def @main(${vectors('x', dtype)}) { (${back.join(', ')}) }`])).toEqual([]);
  });

  it('other calls that return their argument for some types', () => {
    expect(
      wrong([
        'def @main(%x: float32, %y: float32) { full(not_equal(%x, %y), shape=[100], dtype="float32") }',
        `def @main(%c: Tensor[(100), bool], ${vectors('x y', 'int32')}) {
          reinterpret(where(%c, %x, %y), dtype="float32") }`,
        `def @main(${vectors('x y', 'float32')}) { reinterpret(add(%x, %y), dtype="int32") }`,
        `def @main(${vectors('x y', 'int32')}) {
          round(divide(cast(%x, dtype="float32"), cast(%y, dtype="float32"))) }`,
        `def @main(%c: Tensor[(10, 12), bool], %x: Tensor[(10, 12), float32]) {
          transpose(where(%c, %x, cast(%c, dtype="float32"))) }`,
      ]),
    ).toEqual([]);
  });
});

describe('W2: what follows a product is stored in its own element type', () => {
  /** Products by name: the types of their operands, the call, and the shape of the result. */
  const PRODUCTS = {
    'nn.matmul': ['(16, 8)', '(8, 12)', 'nn.matmul(%x, %w)', '(16, 12)'],
    'nn.matmul of a row': ['(1, 8)', '(8, 100)', 'nn.matmul(%x, %w)', '(1, 100)'],
    'nn.dense': ['(16, 8)', '(12, 8)', 'nn.dense(%x, %w)', '(16, 12)'],
    'nn.batch_matmul': ['(3, 5, 8)', '(3, 8, 7)', 'nn.batch_matmul(%x, %w)', '(3, 5, 7)'],
    'nn.conv2d': ['(1, 4, 9, 9)', '(6, 4, 3, 3)', 'nn.conv2d(%x, %w)', '(1, 6, 7, 7)'],
    'nn.conv2d of 1 × 1': ['(1, 4, 9, 9)', '(6, 4, 1, 1)', 'nn.conv2d(%x, %w)', '(1, 6, 9, 9)'],
    'nn.conv2d by channel': [
      ...['(1, 4, 9, 9)', '(4, 1, 3, 3)'],
      ...['nn.conv2d(%x, %w, groups=4)', '(1, 4, 7, 7)'],
    ],
  };

  it.each(Object.entries(PRODUCTS))('%s', (_, [data, weight, product, out]) => {
    const params = `%x: Tensor[${data}, float32], %w: Tensor[${weight}, float32]`;
    const others = `%b: Tensor[${out}, float32], %m: Tensor[${out}, bool], %i: Tensor[${out}, int32]`;
    const before = [
      product,
      `add(${product}, %b)`,
      `sigmoid(clip(${product}, a_min=-2, a_max=2))`,
      `nn.relu(${product})`,
    ];
    const masks = ['less', 'greater', 'equal', 'not_equal'].flatMap((name, i) => [
      `${name}(${before[i]}, 0.3f)`,
      `${name}(${before[(i + 1) % 4]}, %b)`,
    ]);
    const after = [
      (mask: string) => mask,
      (mask: string) => `logical_not(${mask})`,
      (mask: string) => `logical_and(${mask}, %m)`,
      (mask: string) => `transpose(${mask})`,
      (mask: string) => `concatenate((%m, ${mask}), axis=0)`,
      (mask: string) => `cast(${mask}, dtype="float32")`,
      (mask: string) => `cast(${mask}, dtype="uint8")`,
      (mask: string) => `where(${mask}, %i, negative(%i))`,
      (mask: string) => `where(${mask}, %b, 3f)`,
    ];
    const results = masks.flatMap((mask, i) =>
      [0, 1, 2].map((j) => after[(i + 3 * j) % 9]?.(mask)),
    );
    const casts = ['int8', 'int32', 'float64'].map((to) => `cast(${product}, dtype="${to}")`);
    const all = [...results, ...casts, `reinterpret(${product}, dtype="int32")`];
    expect(wrong([`def @main(${params}, ${others}) { (${all.join(', ')}) }`])).toEqual([]);
  });
});

/** Whole numbers between −3 and 3. */
const weights = (shape: Shape): Tensor =>
  tensor(
    Array.from({ length: shapeSize(shape) }, (_, i) => ((i * 5 + 2) % 7) - 3),
    shape,
    'float32',
  );

/** Constants of a shape that are views of larger or smaller storage. */
const VIEWS: Readonly<Record<string, (shape: Shape) => Tensor>> = {
  transposed: (shape) =>
    transposeView(
      weights([...shape].reverse()),
      shape.map((_, i) => shape.length - 1 - i),
    ),
  sliced: (shape) =>
    sliceView(
      weights(shape.map((dim) => dim + 3)),
      shape.map(() => 2),
      shape,
    ),
  'the tail of a larger one': (shape) =>
    sliceView(
      weights(shape.map((dim, i) => (i === 0 ? dim + 5 : dim))),
      shape.map((_, i) => (i === 0 ? 5 : 0)),
      shape,
    ),
  reversed: (shape) =>
    reverseView(
      weights(shape),
      shape.map((_, i) => i),
    ),
  uniform: (shape) => broadcastView(weights([]), shape),
  'one row': (shape) => broadcastView(weights(shape.slice(-1)), shape),
};

describe('W3: a constant weight that is a view is copied', () => {
  /** The shapes of the data, of the weight, and the call; on both sides of a panel of each axis. */
  const PRODUCTS: ReadonlyArray<readonly [Shape, Shape, string]> = [
    [[5, 16], [16, 33], 'nn.matmul(%x, %w)'],
    [[1, 800], [800, 9], 'nn.matmul(%x, %w)'],
    [[17, 16], [16, 1024], 'nn.matmul(%x, %w)'],
    [[5, 16], [33, 16], 'nn.matmul(%x, %w, transpose_b=True)'],
    [[9, 3], [40, 3], 'nn.dense(%x, %w)'],
    [[1, 70], [12, 70], 'nn.dense(%x, %w)'],
    [[3, 5, 16], [3, 16, 12], 'nn.batch_matmul(%x, %w)'],
    [[3, 5, 16], [1, 16, 12], 'nn.batch_matmul(%x, %w)'],
    [[1, 3, 9, 7], [10, 3, 3, 3], 'nn.conv2d(%x, %w)'],
    [[1, 20, 6, 6], [32, 20, 1, 1], 'nn.conv2d(%x, %w)'],
    [[1, 9, 9, 7], [9, 1, 3, 3], 'nn.conv2d(%x, %w, groups=9)'],
    [[1, 8, 9, 7], [6, 4, 3, 3], 'nn.conv2d(%x, %w, groups=2)'],
  ];

  it.each(Object.entries(VIEWS))('%s', async (_, view) => {
    const problems: string[] = [];
    for (const [data, weight, call] of PRODUCTS) {
      const text = `def @main(%x: Tensor[(${data}), float32], %w: Tensor[(${weight}), float32]) {
        nn.relu(${call}) }`;
      const given = { constants: { w: view(weight) }, settings: { default: {} } };
      problems.push(...disagreements(text, given));
      const asModule = await moduleDisagreement(text, given);
      if (asModule !== undefined) problems.push(asModule);
    }
    expect(problems).toEqual([]);
  });

  it('as the table of an embedding, and transposed as the last weight', async () => {
    const text = `def @main(%i: Tensor[(1, 5), int32], %t: Tensor[(70, 12), float32]) {
      let %x = take(%t, %i, axis=0, mode="clip");
      nn.matmul(reshape(%x, newshape=[5, 12]), transpose(%t)) }`;
    const given = { constants: { t: weights([70, 12]) } };
    expect(disagreements(text, given)).toEqual([]);
    expect(await moduleDisagreement(text, given)).toBeUndefined();
  });
});

describe('W16: each constant that is read has a place in memory', () => {
  const forms = {
    'a weight that is an operand of what follows': 'add(nn.matmul(%x, %w), %w)',
    'a weight used in three ways': 'multiply(add(nn.matmul(%x, %w), %w), nn.relu(%w))',
    'data and weight': 'add(nn.matmul(%x, %w), nn.matmul(%w, add(%x, %w)))',
    'the weights of two products': 'add(nn.matmul(%x, %w), nn.dense(%x, %w))',
    'a row of the weight': 'add(nn.matmul(%x, %w), take(%w, 0, axis=0))',
    'a view of the weight': 'add(nn.matmul(%x, %w), transpose(%w))',
    'a weight of a vector': 'add(nn.dense(take(%x, [0], axis=0), %w), take(%w, [1], axis=0))',
  };

  it.each(Object.entries(forms))('%s', async (_, body) => {
    const text = `def @main(%x: Tensor[(12, 12), float32], %w: Tensor[(12, 12), float32]) { ${body} }`;
    for (const view of [weights, ...Object.values(VIEWS)]) {
      const given = { constants: { w: view([12, 12]) }, settings: { default: {} } };
      expect(disagreements(text, given)).toEqual([]);
      expect(await moduleDisagreement(text, given)).toBeUndefined();
    }
  });
});

describe('W15: a result is not written over a part that is still read', () => {
  const OPERATORS = ['add', 'subtract', 'multiply', 'maximum', 'minimum', 'less', 'equal'];
  const TYPES = ['float32', 'float64', 'int8', 'int16', 'int32', 'int64', 'uint8'];

  it.each(TYPES)('elementwise operators on %s', (dtype) => {
    const params = `%x: Tensor[(1, 8, 8), ${dtype}], %y: Tensor[(3, 8, 8), ${dtype}]`;
    const texts = OPERATORS.flatMap((name) => [
      `${name}(concatenate((negative(%x), %y), axis=0), negative(%x))`,
      `let %a = negative(%x); ${name}(concatenate((%a, %y), axis=0), %a)`,
      `let %a = negative(%x); ${name}(%a, concatenate((%y, %a), axis=0))`,
    ]);
    expect(wrong(texts.map((text) => `def @main(${params}) { ${text} }`))).toEqual([]);
  });

  const FORMS = {
    'a part of a part': `let %a = negative(%x); let %b = concatenate((%a, %y), axis=0);
      add(concatenate((%b, %b, %y), axis=0), take(%b, 1, axis=0))`,
    'a part of the whole in its own place': `let %a = negative(%x);
      let %b = concatenate((%a, %y), axis=0); add(%b, broadcast_to(%a, shape=[4, 8, 8]))`,
    'a turned part': `let %a = negative(%x); let %b = concatenate((%a, %y), axis=0);
      subtract(%b, transpose(%a, axes=[0, 2, 1]))`,
    'the whole, turned': `let %a = negative(%x); let %b = concatenate((%a, %y), axis=0);
      subtract(%b, transpose(%b, axes=[0, 2, 1]))`,
    'two parts': `let %a = negative(%x); let %b = nn.relu(%y);
      let %c = concatenate((%a, %b), axis=0); where(less(%c, %a), add(%c, %a), %c)`,
    'a part after the whole': `let %a = negative(%x); let %b = concatenate((%a, %y), axis=0);
      let %c = nn.relu(%b); (add(%c, %a), multiply(%a, %a))`,
    'a stack': `let %a = negative(%x); let %b = stack((%a, nn.relu(%x)), axis=0); add(%b, %a)`,
    'a product that is a part': `let %a = nn.batch_matmul(%x, %x);
      let %b = concatenate((%a, %y), axis=0); multiply(%b, %a)`,
    'a part with a border': `let %a = negative(%x); let %b = concatenate((%a, %y), axis=0);
      add(nn.pad(%a, 0f, pad_width=[[0, 3], [0, 0], [0, 0]]), multiply(%b, %a))`,
  };

  it.each(Object.entries(FORMS))('%s', async (_, body) => {
    const text = `def @main(%x: Tensor[(1, 8, 8), float32], %y: Tensor[(3, 8, 8), float32]) { ${body} }`;
    expect(disagreements(text)).toEqual([]);
  });
});

describe('W18: a step is taken before the value is rounded', () => {
  /** Quotients of tenths, which are whole numbers but for a rounding. */
  const tenths: NumbersOf = (index) => Math.fround(((index % 999) + 1) / 10);
  const vector = '%x: Tensor[(999), float32]';

  it.each(['trunc_divide', 'floor_divide', 'mod', 'floor_mod', 'trunc_mod', 'divide'])(
    '%s by a tenth, and by other tenths',
    (name) => {
      const texts = ['0.1f', '-0.1f', '0.3f', '%y'].map(
        (by) => `def @main(${vector}, %y: Tensor[(999), float32]) { ${name}(%x, ${by}) }`,
      );
      const settings = { default: {}, simd: SETTINGS.simd ?? {} };
      const problems = texts.flatMap((text) => disagreements(text, { numbers: tenths, settings }));
      expect(problems).toEqual([]);
    },
  );

  it.each(['round', 'trunc', 'floor', 'ceil'])(
    '%s of halves, and of what is next to them',
    (name) => {
      const numbers: NumbersOf = (index) => {
        const half = new Float32Array([(index % 400) / 2 - 100]);
        const bits = new Int32Array(half.buffer);
        bits[0] = (bits[0] as number) + (index % 3) - 1;
        return half[0] as number;
      };
      expect(disagreements(`def @main(${vector}) { ${name}(%x) }`, { numbers })).toEqual([]);
    },
  );
});

describe('M: kernels that differ in one attribute, or in a sign', () => {
  it('takes with different modes and equal shapes do not share code', async () => {
    const modes = ['clip', 'wrap'].map((mode) => `take(%x, %i, axis=0, mode="${mode}")`);
    const text = `def @main(%x: Tensor[(9, 8), float32], %i: Tensor[(12), int32]) { (${modes.join(', ')}) }`;
    // Indices before the first row and past the last.
    const numbers: NumbersOf = (index, dtype) => (dtype === 'int32' ? 3 * index - 30 : index);
    expect(disagreements(text, { numbers })).toEqual([]);
    expect(await moduleDisagreement(text, { numbers })).toBeUndefined();
  });

  it.each(['uint8', 'uint16', 'uint32'])(
    'numbers of %s beyond the greatest with a sign',
    (dtype) => {
      const bits = Number(dtype.slice(4));
      const largest = 2 ** bits - 1;
      const small = `${9}${{ 8: 'u8', 16: 'u16', 32: 'u32' }[bits]}`;
      const numbers: NumbersOf = (index) => (index % 3 === 0 ? index % 11 : largest - (index % 50));
      const names = ['less', 'less_equal', 'greater', 'equal', 'maximum', 'minimum'].concat([
        'floor_divide',
        'mod',
        'right_shift',
        'divide',
      ]);
      const results = names.flatMap((name) => [
        `${name}(%x, ${small})`,
        `${name}(add(%x, %y), ${small})`,
        `${name}(${small}, add(nn.relu(%x), ${small}))`,
      ]);
      const casts = ['float32', 'int64', 'int32'].map((to) => `cast(add(%x, %x), dtype="${to}")`);
      const params = vectors('x y', dtype);
      const text = `def @main(${params}) { (${[...results, ...casts].join(', ')}) }`;
      expect(disagreements(text, { numbers })).toEqual([]);
    },
  );
});
