/**
 * Derivatives of every order at the edges of operators: at 0, at 1, at negative bases, at ties. Where
 * a function of one variable is smooth there, its derivatives are finite and right.
 */
import { orThrow, remember } from '@baton/base';
import { type Executable, evaluate, prepare } from '@baton/executor';
import { standardOps } from '@baton/ops';
import { readNumber, scalar, type Tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const T = 'float64';

/** Programs of derivatives, which are made once for all points. */
const derivatives = new Map<string, Executable>();

/** The derivative of `body` at a point, by gradients of gradients. */
function derivative(body: string, order: number, at: number, last = 'higher_order'): number {
  const key = `${last} ${order} ${body}`;
  const program = remember(derivatives, key, () => derivativeOf(body, order, last));
  const found = orThrow(program.run([scalar(at, 'float64')]));
  return readNumber(found as Tensor, 0);
}

/** The derivative of `body` as a function of the point. */
function derivativeOf(body: string, order: number, last: string): Executable {
  const levels = Array.from({ length: order }, (_, i) => {
    const mode = i === order - 1 ? last : 'higher_order';
    return `def @f${i + 1}(%x: ${T}) -> ${T} { gradient(@f${i}, mode="${mode}")(%x).1.0 }`;
  });
  const text = `#[version = "0.0.5"]
def @f0(%x: ${T}) -> ${T} { ${body} }
${levels.join('\n')}
def @main(%x: ${T}) -> ${T} { @f${order}(%x) }`;
  return orThrow(prepare(orThrow(parseModule(text, { ops: standardOps }))));
}

/** The derivatives of x^n at a point: n·(n − 1)⋯x^(n − k). */
function ofPower(n: number, order: number, at: number): number {
  const falling = Array.from({ length: order }, (_, i) => n - i).reduce((a, b) => a * b, 1);
  return falling === 0 ? 0 : falling * at ** (n - order);
}

const EXPONENTS = [-2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5];
const BASES = [-2, -1, 0, 1, 3];
const ORDERS = [1, 2, 3, 4];
const MODES = ['higher_order', 'first_order'];

describe('W12: a power has the derivatives of a power', () => {
  test.each(EXPONENTS)('to %d', (n) => {
    const wrong: string[] = [];
    for (const at of BASES) {
      for (const order of ORDERS) {
        const wanted = ofPower(n, order, at);
        if (!Number.isFinite(wanted)) continue;
        const texts = [`power(%x, ${n}f64)`, `power(%x, cast(${n}f, dtype="float64"))`];
        for (const text of texts) {
          // The first-order mode does not take what a gradient of a gradient is made of.
          for (const mode of order === 1 ? MODES : MODES.slice(0, 1)) {
            const found = derivative(text, order, at, mode);
            const isNear = Math.abs(found - wanted) <= 1e-12 * Math.abs(wanted);
            if (!isNear) wrong.push(`order ${order} at ${at}, ${mode}: ${found} for ${wanted}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('by its exponent, at bases that it has for every exponent', () => {
    for (const base of [0, 1, 2]) {
      for (const at of [1, 2]) {
        for (const order of [1, 2, 3]) {
          const found = derivative(`power(${base}f64, %x)`, order, at);
          const wanted = base === 0 ? 0 : base ** at * Math.log(base) ** order;
          expect(found).toBeCloseTo(wanted, 9);
        }
      }
    }
  });

  test('by both, at exponent 0', () => {
    // x^y by x and y at y = 0 is 1/x.
    const text = `#[version = "0.0.5"]
def @f(%x: ${T}, %y: ${T}) -> ${T} { power(%x, %y) }
def @g(%x: ${T}, %y: ${T}) -> ${T} { gradient(@f)(%x, %y).1.0 }
def @main(%x: ${T}, %y: ${T}) -> ${T} { gradient(@g)(%x, %y).1.1 }`;
    const m = orThrow(parseModule(text, { ops: standardOps }));
    const found = orThrow(evaluate(m, [scalar(4, 'float64'), scalar(0, 'float64')])) as Tensor;
    expect(readNumber(found, 0)).toBe(0.25);
  });

  test('in float16 also near 0', () => {
    const text = `#[version = "0.0.5"]
def @f(%x: float16) -> float16 { power(%x, 0f16) }
def @main(%x: float16) -> float16 { gradient(@f)(%x).1.0 }`;
    const m = orThrow(parseModule(text, { ops: standardOps }));
    for (const at of [0, 2 ** -24, 2 ** -17, 1]) {
      expect(readNumber(orThrow(evaluate(m, [scalar(at, 'float16')])) as Tensor, 0)).toBe(0);
    }
  });
});

/** What a program reads of a value whose slope is infinite at 0 is no number that a gradient changes. */
const UNREAD = [
  ['a comparison', 'where(greater(divide(1f64, %x), 0f64), %x * %x, %x)', [0, 2, 0]],
  ['a comparison of a variable', 'let %y = sqrt(%x); where(less(%y, 1f64), %x * 3f64, %x)', [3, 0]],
  ['a condition', 'if (less(log(%x), 0f64)) { %x * %x } else { %x }', [0, 2, 0]],
  ['a comparison of a step', 'where(less(floor(%x), 1f64), %x * %x, %x)', [0, 2, 0]],
  ['a test for NaN', 'where(isnan(rsqrt(%x)), %x, %x * 3f64)', [3, 0]],
  ['a place', '%x * cast(argmax(stack((sqrt(%x), %x))), dtype="float64") + %x', [1, 0]],
  ['an integer', '%x * cast(cast(sqrt(%x), dtype="int32"), dtype="float64") + %x', [1, 0]],
  ['a shape', '%x * ones_like(sqrt(%x)) + zeros_like(log(%x))', [1, 0]],
  ['nothing, in a variable', 'let %u = sqrt(%x); %x * %x', [0, 2, 0]],
  ['nothing, in a tuple', 'let %t = (%x, (sqrt(%x), %x)); %t.0 * %t.1.1', [0, 2, 0]],
] as const;

describe('W12: no gradient flows into what is read', () => {
  test.each(UNREAD)('by %s', (_, body, wanted) => {
    expect(wanted.map((__, i) => derivative(body, i + 1, 0))).toEqual(wanted);
  });

  test.each([
    ['a call', 'sqrt(cast(0f, dtype="float64")) * %x * %x'],
    ['a variable', 'let %c = sqrt(cast(0f, dtype="float64")); %x * %x * %c'],
    ['a field', 'let %t = (%x, sqrt(cast(0f, dtype="float64"))); %t.0 * %t.0 * %t.1'],
    [
      'a branch',
      'let %c = if (less(%x, 0f64)) { sqrt(cast(0f, dtype="float64")) } else { 0f64 }; %x * %x * %c',
    ],
  ])('into constants: %s', (_, body) => {
    for (const order of [1, 2, 3]) expect(derivative(body, order, 2)).toBe(0);
  });
});

describe('W12: a scatter of products has the derivatives of a product', () => {
  const INDICES = 'cast(stack((0f64, 0f64, 0f64)), dtype="int64")';
  const scatters = [
    [
      'scatter_elements',
      (updates: string) =>
        `scatter_elements(reshape(%x, newshape=[1]), ${INDICES}, ${updates}, reduction="mul")`,
    ],
    [
      'scatter_nd',
      (updates: string) =>
        `scatter_nd(reshape(%x, newshape=[1]), reshape(${INDICES}, newshape=[1, 3]), ${updates}, mode="mul")`,
    ],
  ] as const;

  test.each(scatters)('%s, with up to four zeros at one place', (_, scatter) => {
    const body = `sum(${scatter('stack((%x, %x * 2f64, %x + 3f64))')})`;
    // 2 x³ (x + 3) = 2 x⁴ + 6 x³
    const found = [1, 2, 3, 4].map((order) => derivative(body, order, 0));
    expect(found).toEqual([0, 0, 36, 48]);
  });
});
