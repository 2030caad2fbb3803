/** Programs around instances of a rule. */
import { isLeft } from '@baton/base';
import { freeVars, func, type IRModule, inferTypes, irModule, type OpTable } from '@baton/ir';
import type { Pattern } from '@baton/rewrites';
import type { DType } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { makeBuilder } from '../generate/make-builder.ts';
import { makeChoices } from '../generate/random.ts';
import type { TensorValue, Value } from '../generate/value.ts';
import { withLateTypes } from '../late-types/with-late-types.ts';
import { type InstanceOptions, instanceOf } from './instance.ts';

/** The dtype of most tensors of a program. */
const FLOATS: ReadonlyArray<readonly [number, DType]> = [
  [8, 'float32'],
  [1, 'float64'],
  [1, 'float16'],
];

/** The same for numbers at the ends of ranges: float16 has the narrowest. */
const EXTREME_FLOATS: ReadonlyArray<readonly [number, DType]> = [
  [7, 'float16'],
  [3, 'float32'],
];

/** The share of the shapes with an axis of size 0. */
const EMPTY_AXES = 0.04;

/** The share of the programs in which inference finds types that are not stated. */
const LATE = 0.1;

/**
 * A program with an instance of left sides, whose holes are parameters, constants or calls: other
 * users may share its parts, and it may stand below other calls. `undefined` if the choices of the
 * seed make no instance.
 */
export function programAround(
  lefts: ReadonlyArray<Pattern>,
  ops: OpTable,
  seed: number,
  options: InstanceOptions = {},
): IRModule | undefined {
  const random = makeChoices(seed);
  const float = options.dtype ?? random.weighted(options.isExtreme ? EXTREME_FLOATS : FLOATS);
  const setting = { ops, random, numerics: 'any', float, emptyAxes: EMPTY_AXES } as const;
  const b = makeBuilder({ ...setting, allows: () => true });
  const { result } = b.inFunction(true, () => {
    const instance = instanceOf(lefts, b, options);
    if (instance === undefined) return b.tuple([]);
    const used = instance.roots.flatMap((root) => usersOf(root, b));
    const shared = instance.inner.filter(() => random.chance(0.25));
    return b.tuple([...used, ...shared.flatMap(tensorsIn(b))]);
  });
  if (result._tag !== 'Tuple' || result.fields.length === 0) return undefined;
  const [only] = result.expr._tag === 'Tuple' ? result.expr.fields : [];
  const expr = result.fields.length === 1 && only !== undefined ? only : result.expr;
  const main = func(freeVars(expr), expr);
  const typed = inferTypes(irModule({ functions: new Map([['main', main]]), ops }));
  if (isLeft(typed)) return undefined;
  return random.chance(LATE) ? withLateTypes(typed.right, seed) : typed.right;
}

/** The tensors of a root, some of them below a call. */
const usersOf = (root: Value, b: Builder): ReadonlyArray<TensorValue> =>
  tensorsIn(b)(root).map((value) => {
    const above = value.dtype === 'bool' ? 'logical_not' : 'negative';
    const user = b.random.chance(0.3) ? b.attempt(above, [value]) : value;
    return typeof user !== 'string' && user._tag === 'Tensor' ? user : value;
  });

const tensorsIn =
  (b: Builder) =>
  (value: Value): ReadonlyArray<TensorValue> =>
    value._tag === 'Tensor' ? [value] : value.fields.map((_, i) => b.project(value, i));
