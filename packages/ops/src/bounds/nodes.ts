/** The bounds of maps by the last node of their scalar expression, if it is on elements. */
import type { NodeName, Scalar } from '../scalar/expr.ts';
import { NODES } from '../scalar/nodes.ts';
import { type BoundsRule, between, magnitude, ZERO } from './bounds.ts';
import { integral, quotient, remainder, rising, sumOfTwo, whole, within } from './rules.ts';

type AnyRule = BoundsRule<unknown>;

const RISING = ['sqrt', 'exp', 'log', 'log2', 'log10', 'tan', 'sinh', 'asin', 'atan'] as const;
const RISING_INVERSES = ['asinh', 'acosh', 'atanh'] as const;

const all = <N extends NodeName>(
  names: ReadonlyArray<N>,
  ruleOf: (name: N) => AnyRule,
): { readonly [Name in NodeName]?: AnyRule } =>
  Object.fromEntries(names.map((name) => [name, ruleOf(name)]));

const RULES: { readonly [Name in NodeName]?: AnyRule } = {
  ...all([...RISING, ...RISING_INVERSES], (name) => rising(NODES[name].float.apply)),
  ...all(['sin', 'cos', 'tanh', 'erf'], () => within(-1, 1)),
  ...all(['floor', 'ceil', 'trunc', 'rint'], () => whole),
  ...all(['not', 'and', 'or', 'xor', 'shiftLeft', 'shiftRight'], () => integral),
  neg: ([x = ZERO]) => between(-x.hi, -x.lo, x.fraction),
  abs: ([x = ZERO]) => {
    const least = x.lo <= 0 && x.hi >= 0 ? 0 : Math.min(Math.abs(x.lo), Math.abs(x.hi));
    return between(least, magnitude(x), x.fraction);
  },
  acos: ([x = ZERO]) => between(Math.acos(x.hi), Math.acos(x.lo)),
  cosh: ([x = ZERO]) => between(1, Math.cosh(magnitude(x))),
  add: sumOfTwo,
  sub: ([a = ZERO, b = ZERO]) =>
    between(a.lo - b.hi, a.hi - b.lo, Math.max(a.fraction, b.fraction)),
  mul: ([a = ZERO, b = ZERO]) => {
    const corners = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
    return between(Math.min(...corners), Math.max(...corners), a.fraction + b.fraction);
  },
  div: quotient,
  floorDiv: quotient,
  rem: remainder,
  // Bases and exponents are drawn so that it holds.
  pow: within(0, 256),
};

/** `undefined` for other expressions: their results consist of elements, or have bounds of their own. */
export function boundsOfScalar(expr: Scalar): AnyRule | undefined {
  if (expr._tag !== 'Operation' || expr.args[0]?._tag !== 'Argument') return undefined;
  const isShift = expr.name === 'shiftLeft' || expr.name === 'shiftRight';
  const isOfArguments = expr.args.every((arg) => arg._tag === 'Argument');
  return isShift || isOfArguments ? RULES[expr.name] : undefined;
}
