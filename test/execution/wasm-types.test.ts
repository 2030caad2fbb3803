/**
 * Compiled operators on elements of every type, bit by bit: all pairs of extreme numbers. Which calls
 * have code is stated, so that none falls back to its reference kernel unseen.
 */
import { isRight, orThrow } from '@baton/base';
import { type Executor, interpreter } from '@baton/executor';
import { type IRModule, inferTypes } from '@baton/ir';
import { arityOf, formColumn, formOf, standardOps } from '@baton/ops';
import { type DType, fromNumbers, type Tensor, tensor, toNumbers } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { compiledFacts, makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';

const WIDE = [0n, 1n, 2n, 3n, 7n, 31n, 63n, 127n, 128n, 255n, 256n, 32767n, 65536n].concat(
  [2n ** 24n + 1n, 2n ** 31n - 1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 62n + 1n, 2n ** 63n],
  // Halfway between two floats, and next to it: rounding through double would round twice.
  [2n ** 60n + 2n ** 36n, 2n ** 60n + 2n ** 36n + 1n, 2n ** 60n + 2n ** 36n - 1n],
);
const REAL = [
  0,
  0.1,
  0.5,
  1,
  1.5,
  2,
  3.25,
  127.6,
  128,
  255.5,
  65535.9,
  2 ** 31,
  2 ** 32 + 1,
].concat([2 ** 52 + 0.5, 2 ** 63, 2 ** 63 + 2048, 3 * 2 ** 70, 1e30, 3e38, 1e-40, 1 / 0, 0 / 0]);

/** Numbers of a type. */
function numbersOf(dtype: DType): Tensor {
  if (dtype.startsWith('float')) return vector([...REAL, ...REAL.map((x) => -x)], dtype);
  const wide = BigInt64Array.from([...WIDE, ...WIDE.map((x) => -x)]);
  const shorter: Tensor = tensor(wide, [wide.length], 'int64');
  return dtype === 'int64' ? shorter : converted(shorter, dtype);
}

const vector = (values: ReadonlyArray<number>, dtype: DType): Tensor =>
  fromNumbers(values, [values.length], dtype);

function converted(t: Tensor, dtype: DType): Tensor {
  const text = `def @main(%x: Tensor[(${t.shape}), ${t.dtype}]) { cast(%x, dtype="${dtype}") }`;
  return run(interpreter, orThrow(typed(text)), { x: t });
}

const typed = (text: string) => {
  const parsed = parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps });
  return isRight(parsed) ? inferTypes(parsed.right) : parsed;
};

function run(executor: Executor, m: IRModule, args: Readonly<Record<string, Tensor>>): Tensor {
  const value = orThrow(orThrow(executor.prepare(m)).run(args));
  if (value._tag !== 'Tensor') throw new Error('a call gives a tensor');
  return value;
}

/** The elements with the signs of zeros; all NaNs are one. */
const shown = ({ data }: Tensor): string =>
  Array.from(data as ArrayLike<number | bigint>, (x) => (Object.is(x, -0) ? '-0' : `${x}`)).join();

/** How the executors differ on a call; `undefined` if the call has no code. */
function compared(m: IRModule, args: Readonly<Record<string, Tensor>>, isExact: boolean) {
  const facts = compiledFacts(m, { isExact });
  if (facts?.kernels.some(({ isCompiled }) => isCompiled) !== true) return undefined;
  if (facts.kernels.some(({ isCompiled }) => !isCompiled)) return undefined;
  const executor = makeWasm({ leastElements: 0, isExact });
  const [found, wanted] = [run(executor, m, args), run(interpreter, m, args)];
  return shown(found) === shown(wanted) ? 'same' : `${shown(found)}\nnot ${shown(wanted)}`;
}

const INTEGERS = ['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32'] as const;
const COMPUTED: ReadonlyArray<DType> = ['bool', ...INTEGERS, 'float16', 'float32', 'float64'];

describe('conversions', () => {
  it.each(COMPUTED)('from %s to each other type have code, and give the very bits', (from) => {
    for (const to of COMPUTED.filter((dtype) => dtype !== from)) {
      const x = numbersOf(from);
      const m = orThrow(
        typed(`def @main(%x: Tensor[(${x.shape}), ${from}]) { cast(%x, dtype="${to}") }`),
      );
      expect([to, compared(m, { x }, false)]).toEqual([to, 'same']);
      expect([to, compared(m, { x }, true)]).toEqual([to, 'same']);
    }
  });
});

it('all patterns of float16, and doubles between two, are converted as the reference does', () => {
  const patterns = tensor(
    Uint16Array.from({ length: 2 ** 16 }, (_, i) => i),
    [2 ** 16],
    'float16',
  );
  const positive = Array.from(toNumbers(patterns), Number).slice(0, 0x7c00);
  const ofHalves = orThrow(
    typed(`def @main(%x: Tensor[(65536), float16]) { cast(%x, dtype="float64") }`),
  );
  expect(compared(ofHalves, { x: patterns }, true)).toBe('same');
  const between = positive.flatMap((x, i) => {
    const middle = (x + (positive[i + 1] ?? 2 ** 16)) / 2;
    return [middle, middle * (1 - 2 ** -50), middle * (1 + 2 ** -50)];
  });
  const doubles = [
    ...between,
    ...between.map((x) => -x),
    -0,
    NaN,
    Infinity,
    -Infinity,
    1e300,
    1e-300,
  ];
  const toHalves = orThrow(
    typed(`def @main(%x: Tensor[(${doubles.length}), float64]) { cast(%x, dtype="float16") }`),
  );
  const x = tensor(Float64Array.from(doubles), [doubles.length], 'float64');
  expect(compared(toHalves, { x }, true)).toBe('same');
});

/** The operators of one or two operands with a scalar expression and no attributes that they need. */
const OPERATORS = standardOps.names.filter((name) => {
  const form = formOf(standardOps, name, 'Map');
  return form !== undefined && form.numbers === undefined && form.vectorAlong === undefined;
});

/** The call of an operator on all pairs of numbers, if the type has one. */
function callOn(name: string, dtype: DType) {
  const count = numbersOf(dtype).shape[0] as number;
  const arity = arityOf(formOf(standardOps, name, 'Map')?.expr as never);
  const types = ['x', 'y', 'z']
    .slice(0, arity)
    .map((x, i) => `%${x}: Tensor[(${i === 0 ? `${count}, 1` : `${count}`}), ${dtype}]`);
  const names = ['%x', '%y', '%z'].slice(0, arity);
  const m = typed(`def @main(${types.join(', ')}) { ${name}(${names.join(', ')}) }`);
  if (!isRight(m)) return undefined;
  const all = numbersOf(dtype);
  const args: Record<string, Tensor> = {
    x: { ...all, shape: [count, 1], strides: [1, 1] },
    y: all,
    z: all,
  };
  const own = Object.fromEntries(
    ['x', 'y', 'z'].slice(0, arity).map((x) => [x, args[x] as Tensor]),
  );
  return { m: m.right, args: own };
}

/** Powers, remainders of floats, and `erf`, which hosts have no function for. */
const WITHOUT = {
  integers: ['power'],
  floats: OPERATORS.filter((name) => /^((fast_)?erf|power|(floor_|trunc_)?mod)$/.test(name)),
};

describe('operators on elements', () => {
  it.each(COMPUTED)('of %s give the very bits, where vectors are exact or not used', (dtype) => {
    const without: string[] = [];
    for (const name of OPERATORS) {
      const call = callOn(name, dtype);
      if (call === undefined) continue;
      const verdict = compared(call.m, call.args, true);
      if (verdict === undefined) without.push(name);
      else expect([name, verdict]).toEqual([name, 'same']);
    }
    expect(without).toEqual(dtype.startsWith('float') ? WITHOUT.floats : WITHOUT.integers);
  });
});

/** Extreme numbers of a type in a shape, in an order in which neighbours differ. */
function numbersIn(shape: ReadonlyArray<number>, dtype: DType): Tensor {
  const all = numbersOf(dtype);
  const count = all.shape[0] as number;
  const size = shape.reduce((a, b) => a * b, 1);
  const data = all.data.slice(0, 0).constructor as new (length: number) => typeof all.data;
  const chosen = new data(size);
  for (let i = 0; i < size; i++) chosen[i] = all.data[(i * i * 5 + i * 7) % count] as never;
  return tensor(chosen, [...shape], dtype);
}

/** Calls of folding operators on a tensor `%x` of (3, 2, 7, 9). */
const FOLDS: ReadonlyArray<string> = standardOps.names
  .filter((name) => ['Reduce', 'Window'].includes(standardOps.read(formColumn, name)?._tag ?? ''))
  .flatMap((name) => {
    if (/^nn.global/.test(name)) return [`${name}(%x)`];
    if (/^nn.*[13]d$/.test(name)) return [];
    if (/^nn/.test(name)) {
      return [
        `${name}(%x, pool_size=[2, 3])`,
        `${name}(%x, pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])`,
        `${name}(%x, pool_size=[7, 9])`,
      ];
    }
    const last = name.startsWith('arg') ? ', select_last_index=True' : '';
    return [
      'axis=None',
      'axis=[3]',
      `axis=[0, 2], keepdims=True${last}`,
      `axis=[1, 2, 3]${last}`,
      'axis=[0]',
    ].flatMap((attrs) => [
      `${name}(%x, ${attrs})`,
      `${name}(transpose(%x, axes=[2, 0, 3, 1]), ${attrs})`,
    ]);
  });

describe('folds', () => {
  it.each(COMPUTED)('of %s give the very bits, where vectors are exact or not used', (dtype) => {
    const without: string[] = [];
    let count = 0;
    for (const text of FOLDS) {
      const m = typed(`def @main(%x: Tensor[(3, 2, 7, 9), ${dtype}]) { ${text} }`);
      if (!isRight(m)) continue;
      count++;
      const verdict = compared(m.right, { x: numbersIn([3, 2, 7, 9], dtype) }, true);
      if (verdict === undefined) without.push(text);
      else expect([text, verdict]).toEqual([text, 'same']);
    }
    expect(count).toBeGreaterThan(dtype === 'bool' ? 40 : 50);
    // Their sums have no bounds.
    const isUnbounded = (text: string) => dtype === 'int64' && text.includes('nn.avg');
    expect(without).toEqual(FOLDS.filter(isUnbounded));
  });

  it('of nothing give their start', () => {
    for (const dtype of COMPUTED) {
      for (const name of ['sum', 'prod', 'max', 'min', 'mean', 'all', 'any']) {
        const m = typed(`def @main(%x: Tensor[(3, 0), ${dtype}]) { ${name}(%x, axis=[1]) }`);
        if (!isRight(m)) continue;
        const x = fromNumbers([], [3, 0], dtype);
        expect([name, dtype, compared(m.right, { x }, true)]).toEqual([name, dtype, 'same']);
      }
    }
  });

  it('read the truths of a condition byte by byte', () => {
    const m = orThrow(
      typed(`def @main(%c: Tensor[(3, 37), bool], %x: Tensor[(3, 37), float32]) {
        sum(where(%c, %x, negative(%x)), axis=[1]) }`),
    );
    const args = {
      c: numbersIn([3, 37], 'bool'),
      x: fromNumbers(
        Array.from({ length: 111 }, (_, i) => i),
        [3, 37],
        'float32',
      ),
    };
    expect(compared(m, args, false)).toBe('same');
  });
});

describe('slices by index', () => {
  const indexTypes: ReadonlyArray<DType> = INTEGERS;
  const texts: ReadonlyArray<readonly [dtype: DType, dims: string, rest: string]> = [
    ['float32', '(5, 3, 37)', 'axis=0'],
    ['float32', '(4, 5, 2)', 'axis=1'],
    ['float64', '(5, 7)', 'axis=-1'],
    ['int64', '(3, 5)', 'axis=None'],
    ['bool', '(3, 7)', 'axis=0'],
    ['int16', '(2, 3, 4)', 'axis=1'],
    ['uint8', '(1, 6)', 'axis=0'],
  ];
  it.each(indexTypes)('of %s have code, and take the very elements', (type) => {
    for (const [dtype, dims, rest] of texts) {
      for (const mode of ['clip', 'wrap', 'fast']) {
        const places = numbersOf(type);
        const m = orThrow(
          typed(`def @main(%x: Tensor[${dims}, ${dtype}], %i: Tensor[(${places.shape}), ${type}]) {
            take(%x, %i, ${rest}, mode="${mode}") }`),
        );
        const shape = dims.slice(1, -1).split(', ').map(Number);
        const count = shape.reduce((a, b) => a * b);
        const numbers = Array.from({ length: count }, (_, i) => (dtype === 'bool' ? i % 2 : i));
        const args = { x: fromNumbers(numbers, shape, dtype), i: places };
        expect([dtype, rest, mode, compared(m, args, true)]).toEqual([dtype, rest, mode, 'same']);
      }
    }
  });

  it('follow the batches that data and indices have in common, in any strides', () => {
    const m = orThrow(
      typed(`def @main(%x: Tensor[(3, 2, 5, 4), float32], %i: Tensor[(7, 2), int64]) {
        take(transpose(%x, axes=[1, 0, 2, 3]), transpose(%i), axis=2, batch_dims=1) }`),
    );
    const x = vector(
      Array.from({ length: 120 }, (_, i) => i),
      'float32',
    );
    const i = vector(
      Array.from({ length: 14 }, (_, i) => ((i * 5) % 8) - 1),
      'int64',
    );
    const args = {
      x: { ...x, shape: [3, 2, 5, 4], strides: [40, 20, 4, 1] },
      i: { ...i, shape: [7, 2], strides: [2, 1] },
    };
    expect(compared(m, args, true)).toBe('same');
  });
});
