/** Arithmetic with constants: rows 3 to 5, 11 to 13 and 17 of SimplifyExpr. */
import { call, dimOf, type Expr, func, tensorType, typeVar, variable } from '@baton/ir';
import { callOp } from '@baton/ops';
import type { Builder } from '../generate/builder.ts';
import { type Motif, motif, perhapsStateful, shared } from '../generate/motif.ts';
import { narrower } from '../generate/shapes.ts';
import type { TensorValue } from '../generate/value.ts';

/** A tensor filled with a number: a constant, or a call that makes one. */
function filled(b: Builder, value: number, like: TensorValue): TensorValue {
  const { random } = b;
  const shape = random.weighted<ReadonlyArray<number>>([
    [4, []],
    [3, like.shape],
    [2, narrower(random, like.shape)],
    // A near miss: the other operand broadcasts.
    [2, [...like.shape.slice(0, -1).map(() => 1), like.shape[like.shape.length - 1] ?? 1]],
    [1.5, [2, ...like.shape]],
  ]);
  const { dtype } = like;
  const fits = shape.length <= 5 ? shape : like.shape;
  const kind = Object.is(value, -0) ? 3 : random.int(0, 5);
  if (kind === 0 && b.allows('full')) {
    return b.tensor('full', [b.constant([value], [], dtype)], { shape: fits, dtype });
  }
  if (kind === 1 && value === 0 && b.allows('zeros')) {
    return b.tensor('zeros', [], { shape: fits, dtype });
  }
  if (kind === 1 && value === 1 && b.allows('ones')) {
    return b.tensor('ones', [], { shape: fits, dtype });
  }
  if (kind === 2 && value <= 1 && b.allows('ones_like') && b.allows('zeros_like')) {
    const model = perhapsStateful(b, like, 0.15);
    return b.tensor(value === 0 ? 'zeros_like' : 'ones_like', [model]);
  }
  return b.constant([value], fits, dtype);
}

const NEUTRAL = [
  ['add', 0],
  ['add', 0],
  ['subtract', 0],
  ['subtract', 0],
  ['multiply', 1],
  ['divide', 1],
  ['divide', 1],
] as const;

/** `x + 0`, `x - 0`, `x * 1`, `x / 1`, zeros of both signs; near misses in number or side. */
function neutral(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ kind: random.chance(0.8) ? 'float' : 'int', rank: [0, 4] });
  const [name, value] = random.pick(NEUTRAL.filter(([op]) => b.allows(op)));
  const neutralNumber = value === 0 && random.chance(0.7) ? -0 : value;
  const number = random.chance(0.85) ? neutralNumber : 2;
  const y = filled(b, number, x);
  const swaps = number !== 0 && name === 'divide' ? false : random.chance(0.25);
  return b.tensor(name, swaps ? [y, x] : [x, y]);
}

const doubled = (b: Builder): TensorValue => {
  const x = b.operand({ kind: 'number' });
  return b.tensor('add', [x, b.random.chance(0.9) ? x : (b.again(x) ?? x)]);
};

/** `n / sqrt(x)`; in the near miss the root has another user. */
function overRoot(b: Builder): TensorValue {
  const x = b.within(b.operand({ rank: [0, 4] }), [0.125, 65536]);
  const root = shared(b, b.tensor('sqrt', [x]), 0.45);
  const numerator = b.random.chance(0.5)
    ? b.constant([1], [], x.dtype)
    : b.operand({ shape: narrower(b.random, x.shape), dtype: x.dtype });
  return b.tensor('divide', [numerator, root]);
}

/** `x op full(c)`, more than once; in the near miss the fill decides the shape. */
function fills(b: Builder): TensorValue {
  const { random } = b;
  const isPower = b.allows('power') && random.chance(0.1);
  let x = isPower ? b.within(b.operand(), [0.125, 4]) : b.operand();
  for (const kind of random.shuffle(['full', 'ones', 'zeros'])) {
    const isWide = random.chance(0.25) && x.shape.length < 5;
    const shape = isWide ? [2, ...x.shape] : narrower(random, x.shape);
    const args = kind === 'full' ? [b.constant([2], [], x.dtype)] : [];
    const fill = b.tensor(kind, args, { shape, dtype: x.dtype });
    if (isPower) return b.tensor('power', [x, fill]);
    const either = ['add', 'multiply', 'maximum', 'minimum'];
    const name = random.pick((random.chance(0.5) ? ['subtract'] : either).filter(b.allows));
    x = b.tensor(name, random.chance(0.25) ? [x, fill] : [fill, x]);
  }
  return x;
}

/** `x - zeros_like(x)` and the like, on either side, in a function of any shape. */
function fillsOfAnyShape(b: Builder): TensorValue {
  const { random } = b;
  const x = b.operand({ rank: [0, 4] });
  const two = b.constant([2], [], x.dtype);
  const dims = x.shape.map((_, axis) => typeVar(`n${axis}`, 'ShapeVar'));
  const type = tensorType(dims.map(dimOf), x.dtype);
  const y = variable('y', type);
  let [typed, body]: readonly [TensorValue, Expr] = [x, y];
  for (const name of random.shuffle(['zeros_like', 'ones_like', 'full_like'])) {
    const numbers = name === 'full_like' ? [two] : [];
    const fill = b.tensor(name, [x, ...numbers]);
    const inner = callOp(b.ops, name, [y, ...numbers.map(({ expr }) => expr)]);
    const swaps = random.chance(0.5);
    typed = b.tensor('subtract', swaps ? [fill, typed] : [typed, fill]);
    body = callOp(b.ops, 'subtract', swaps ? [inner, body] : [body, inner]);
  }
  const f = func([y], body, { typeParams: dims, retType: type });
  return { ...typed, expr: call(f, [x.expr]) };
}

/** A constant that broadcasts with `x`, and sometimes makes the result larger. */
function someConstant(b: Builder, x: TensorValue): TensorValue {
  const { random } = b;
  const shape = random.chance(0.6) ? narrower(random, x.shape) : growing(b, x.shape);
  const fits = broadcasts(shape, x.shape) ? shape : [];
  const numbers = b.numerics === 'exact' ? [0.5, 2, -1, 4] : [0.75, 1.5, -0.5, 3, 2];
  return b.constant(random.shuffle(numbers), fits, x.dtype);
}

/** A wider shape that broadcasts with the same value. */
const growing = (b: Builder, shape: ReadonlyArray<number>): ReadonlyArray<number> =>
  shape.length > 1 && b.random.chance(0.6)
    ? shape.map((dim, i) => (i === b.random.int(0, shape.length - 1) ? 1 : dim))
    : [2, ...shape].slice(-5);

const broadcasts = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean =>
  a.every((dim, i) => {
    const other = b[b.length - a.length + i];
    return other === undefined || other === dim || dim === 1 || other === 1;
  });

const step = (b: Builder, name: string, x: TensorValue): TensorValue => {
  const c = someConstant(b, x);
  return b.tensor(name, b.random.chance(0.7) ? [x, c] : [c, x]);
};

/** `(x + c) + c`, `(x * c) * c`, `(x + c) * c`, `(x * c + c) * c`; the near miss shares the sum. */
function chain(b: Builder): TensorValue {
  const { random } = b;
  const names = random.pick([
    ['add', 'add'],
    ['multiply', 'multiply'],
    ['multiply', 'multiply'],
    ['add', 'multiply'],
    ['multiply', 'add', 'multiply'],
    ['multiply', 'add', 'multiply'],
    ['add', 'add', 'multiply'],
    ['subtract', 'multiply'],
    ['multiply', 'add'],
  ]);
  let x = b.operand({ rank: [0, 4], kind: random.chance(0.85) ? 'float' : 'int' });
  for (const name of names) {
    x = step(b, name, x);
    if (name === 'add') shared(b, x, 0.25);
  }
  return x;
}

/** A constant as a bias, before or after another one, or a constant that is added or multiplied. */
function biased(b: Builder): TensorValue {
  const x = b.operand({
    rank: [2, 4],
    fits: (shape) => !shape.includes(0),
    fresh: () => [2, 3, 5],
  });
  const axis = b.random.chance(0.7) ? 1 : -1;
  const vector = b.weights([x.shape[axis === 1 ? 1 : x.shape.length - 1] ?? 1], x.dtype);
  const lay = (data: TensorValue): TensorValue => b.tensor('nn.bias_add', [data, vector], { axis });
  const makers: ReadonlyArray<() => TensorValue> = [
    () => step(b, 'add', lay(x)),
    () => step(b, 'add', lay(x)),
    () => step(b, 'multiply', lay(x)),
    () => lay(b.tensor('add', [x, b.constant([2, 0.5], narrower(b.random, x.shape), x.dtype)])),
    () => lay(lay(x)),
  ];
  return b.random.pick(makers)();
}

const QUADRATIC_FORMS = [
  [1, 2, 1],
  [1, 3, 2],
  [2, 3, 1],
  [1, -3, 2],
  [-1, 1, 2],
  [4, 4, 1],
  // The near miss has no real roots.
  [1, 1, 1],
] as const;

/** `a·x·x + b·x·y + c·y·y`; near misses share a product, or have no real roots. */
function quadratic(b: Builder): TensorValue {
  const { random } = b;
  const x = b.within(b.operand({ kind: 'float', rank: [0, 3] }), [-8, 8]);
  const y = b.within(b.operand({ shape: x.shape, dtype: x.dtype }), [-8, 8]);
  const term = (number: number, left: TensorValue, right: TensorValue): TensorValue => {
    const scaled =
      number === 1 ? left : b.tensor('multiply', [b.constant([number], [], x.dtype), left]);
    return b.tensor('multiply', random.chance(0.7) ? [scaled, right] : [right, scaled]);
  };
  const [first, second, third] = random.pick(QUADRATIC_FORMS);
  const mixed = shared(b, term(second, x, y), 0.1);
  const squares = [term(first, x, x), term(third, y, y)] as const;
  return b.tensor('add', [b.tensor('add', [squares[0], mixed]), squares[1]]);
}

/** Constants whose product underflows or overflows their dtype. */
function extremes(b: Builder): TensorValue | undefined {
  if (b.numerics === 'exact') return undefined;
  const x = b.operand({ rank: [0, 3] });
  const large = { float16: 2 ** 10, bfloat16: 2 ** 100, float64: 2 ** 600 }[x.dtype as 'float16'];
  const size = large ?? 2 ** 80;
  const isSmall = b.random.chance(0.5);
  const factor = b.constant([isSmall ? 1 / size : size], [], x.dtype);
  const zero = b.tensor('multiply', [x, b.constant([0], [], x.dtype)]);
  const start = isSmall ? x : b.bind(zero);
  const first = b.call('multiply', [start, factor]);
  const second = b.call('multiply', [first, factor]);
  return { ...x, expr: second.expr, facts: { lo: 0, hi: 0, fraction: 0 } };
}

export const arithmetic: ReadonlyArray<Motif> = [
  motif(8, 'add subtract multiply', neutral),
  motif(1.5, 'add', doubled),
  motif(3, 'sqrt divide', overRoot),
  motif(4, 'full ones zeros add multiply subtract', fills),
  motif(2.5, 'zeros_like ones_like full_like subtract', fillsOfAnyShape),
  motif(8, 'add multiply subtract', chain),
  motif(7, 'nn.bias_add add multiply', biased),
  motif(1.2, 'multiply', extremes),
  motif(4, 'add multiply', quadratic),
];
