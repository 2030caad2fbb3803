/** Derivatives of scalar expressions: Abramowitz and Stegun, 3.3, 4.3 to 4.6, 7.1. */
import { memoFold } from '@baton/base';
import { type Argument, math, type NodeName, type Operation, type Scalar } from '../scalar/expr.ts';

/** The derivative of a node by each of its operands; `self` is the node. */
type Partials = ReadonlyArray<(self: Operation, x: Scalar, y: Scalar) => Scalar>;

/**
 * The derivatives of a kind of node: one for each operand; 0 (`constant`); none, because the node
 * is a step whose derivative of 0 says nothing about it (`none`); or that of the selected operand
 * (`choice`).
 */
type Rule = Partials | 'constant' | 'none' | 'choice';

const number = (value: number): Scalar => ({ _tag: 'Constant', value });
const ONE = number(1);
const ZERO = number(0);
const isNumber = (expr: Scalar, value: number): boolean =>
  expr._tag === 'Constant' && expr.value === value;

const { neg, sqrt, exp, log, sin, cos, sinh, cosh, add, sub, mul, div, pow, trunc } = math;
const { select, less, lessEqual, equal, and } = math;
const square = (x: Scalar): Scalar => mul(x, x);
const by = (partial: (self: Operation, x: Scalar) => Scalar): Partials => [partial];

/** Whether the exponent is 0 and the base so close to 0 that its inverse may not be finite. */
const dividesZero = (x: Scalar, y: Scalar): Scalar => and(equal(y, 0), equal(square(x), 0));

const RULES: { readonly [Name in NodeName]: Rule } = {
  neg: by(() => number(-1)),
  abs: by((_, x) => select(lessEqual(0, x), 1, -1)),
  floor: 'none',
  ceil: 'none',
  trunc: 'none',
  rint: 'none',
  sqrt: by((self) => div(0.5, self)),
  exp: by((self) => self),
  log: by((_, x) => div(1, x)),
  log2: by((_, x) => div(1 / Math.LN2, x)),
  log10: by((_, x) => div(1 / Math.LN10, x)),
  sin: by((_, x) => cos(x)),
  cos: by((_, x) => neg(sin(x))),
  tan: by((self) => add(1, square(self))),
  sinh: by((_, x) => cosh(x)),
  cosh: by((_, x) => sinh(x)),
  tanh: by((self) => sub(1, square(self))),
  asin: by((_, x) => div(1, sqrt(sub(1, square(x))))),
  acos: by((_, x) => div(-1, sqrt(sub(1, square(x))))),
  atan: by((_, x) => div(1, add(1, square(x)))),
  asinh: by((_, x) => div(1, sqrt(add(square(x), 1)))),
  acosh: by((_, x) => div(1, mul(sqrt(sub(x, 1)), sqrt(add(x, 1))))),
  atanh: by((_, x) => div(1, sub(1, square(x)))),
  erf: by((_, x) => mul(2 / Math.sqrt(Math.PI), exp(neg(square(x))))),
  add: [() => ONE, () => ONE],
  sub: [() => ONE, () => number(-1)],
  mul: [(_, __, y) => y, (_, x) => x],
  div: [(_, __, y) => div(1, y), (self, _, y) => neg(div(self, y))],
  floorDiv: 'none',
  rem: [() => ONE, (_, x, y) => neg(trunc(div(x, y)))],
  // Both partials are finite wherever the power is smooth in x: 0 times an infinite partial is NaN,
  // as are its derivatives. Nothing is divided by a base at or near 0 with the exponent 0. A base
  // of 0 or less has a power at isolated exponents only, by which it has no derivative.
  pow: [
    (_, x, y) => mul(y, pow(x, select(dividesZero(x, y), 0, sub(y, 1)))),
    (self, x) => mul(self, log(select(less(0, x), x, 1))),
  ],
  min: 'choice',
  max: 'choice',
  select: 'choice',
  not: 'constant',
  and: 'constant',
  or: 'constant',
  xor: 'constant',
  shiftLeft: 'constant',
  shiftRight: 'constant',
  equal: 'constant',
  notEqual: 'constant',
  less: 'constant',
  lessEqual: 'constant',
  wrap: by(() => ONE),
};

/**
 * The derivative of an expression by the element of one operand; `undefined` if it has none,
 * because the operand passes through a step such as `floor`. Of two equal elements, `max` and `min`
 * select the second.
 */
export function derivative(expr: Scalar, operand: Argument['name']): Scalar | undefined {
  return memoFold<Scalar, Scalar | undefined>(partsOf, (node, get) => {
    if (node._tag === 'Argument') return node.name === operand ? ONE : ZERO;
    if (node._tag !== 'Operation') return ZERO;
    const rule: Rule = RULES[node.name];
    if (rule === 'choice') return chosen(node, get);
    const inner = node.args.map(get);
    if (rule === 'constant' || inner.every((d) => d !== undefined && isNumber(d, 0))) return ZERO;
    if (rule === 'none') return undefined;
    const [x = ZERO, y = ZERO] = node.args;
    return inner.reduce<Scalar | undefined>((total, d, i) => {
      const partial = rule[i];
      if (d === undefined || total === undefined || partial === undefined) return undefined;
      return isNumber(d, 0) ? total : sum(total, product(partial(node, x, y), d));
    }, ZERO);
  })(expr);
}

const partsOf = (expr: Scalar): ReadonlyArray<Scalar> =>
  expr._tag === 'Operation' ? expr.args : [];

function chosen(node: Operation, get: (part: Scalar) => Scalar | undefined): Scalar | undefined {
  const [a = ZERO, b = ZERO, c = ZERO] = node.args;
  const conditions = { max: () => less(b, a), min: () => less(a, b), select: () => a };
  const [taken, other] = node.name === 'select' ? [get(b), get(c)] : [get(a), get(b)];
  if (taken === undefined || other === undefined) return undefined;
  if (isNumber(taken, 0) && isNumber(other, 0)) return ZERO;
  return select(conditions[node.name as keyof typeof conditions](), taken, other);
}

const sum = (a: Scalar, b: Scalar): Scalar => (isNumber(a, 0) ? b : add(a, b));

function product(a: Scalar, b: Scalar): Scalar {
  if (isNumber(a, 1)) return b;
  if (isNumber(b, 1)) return a;
  if (isNumber(a, -1)) return neg(b);
  return isNumber(b, -1) ? neg(a) : mul(a, b);
}
