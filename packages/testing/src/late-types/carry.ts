/** Ways in which a function travels from its definition to its call. */
import {
  call,
  constant,
  type Expr,
  type Func,
  func,
  funcType,
  globalVar,
  ifElse,
  letIn,
  refCreate,
  refRead,
  tuple,
  tupleGetItem,
  typeVar,
  variable,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import type { Choices, Weighted } from '../generate/random.ts';

export type Needed = Map<string, Func>;

export interface Carried {
  readonly expr: Expr;
  readonly arity: number;
}

type Way = (f: Carried, needed: Needed) => Expr;

const yes = (): Expr => constant(scalar(1, 'bool'));

const alias: Way = ({ expr }) => {
  const v = variable('g');
  return letIn(v, expr, v);
};

const field: Way = ({ expr }) => tupleGetItem(tuple([expr, yes()]), 0);

const branch: Way = ({ expr }) => ifElse(yes(), expr, expr);

const reference: Way = ({ expr }) => refRead(refCreate(expr));

/** A function that only calls it. */
const wrapper: Way = ({ expr, arity }) => {
  const params = Array.from({ length: arity }, (_, i) => variable(`z${i}`));
  return func(params, call(expr, params));
};

const SAME = 'late_same';

/** The function through a global function that returns its argument. */
const through: Way = ({ expr }, needed) => {
  if (!needed.has(SAME)) {
    const x = variable('x');
    needed.set(SAME, func([x], x));
  }
  return call(globalVar(SAME), [expr]);
};

const WAYS: ReadonlyArray<Weighted<Way>> = [
  [4, alias],
  [2, field],
  [2, branch],
  [1, reference],
  [2, wrapper],
  [2, through],
];

/** The same function, sometimes by a detour. */
export function carried(f: Carried, needed: Needed, random: Choices): Expr {
  let { expr } = f;
  while (random.chance(0.4)) expr = random.weighted(WAYS)({ ...f, expr }, needed);
  return expr;
}

const AT_ANY_TYPE = 'late_at_any_type';

/** The value, returned by a function that has to be polymorphic. */
export function atAnyType(value: Expr, needed: Needed): Expr {
  if (!needed.has(AT_ANY_TYPE)) {
    const a = typeVar('A');
    const f = variable('f', funcType([a], a, [a]));
    const [x, p] = [variable('x'), variable('p')];
    const body = letIn(p, call(f, [tuple([x, x])]), call(f, [tupleGetItem(p, 0)]));
    needed.set(AT_ANY_TYPE, func([f, x], body));
  }
  const y = variable('y');
  return call(globalVar(AT_ANY_TYPE), [func([y], y), value]);
}
