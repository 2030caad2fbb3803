/** The facts of parameters, constants and results. */
import type { Attrs, OpInfo, OpTable, TensorType, Type } from '@baton/ir';
import {
  type Bounds,
  type BoundsSite,
  between,
  boundsColumn,
  costColumn,
  type Facts,
  hull,
  mixed,
} from '@baton/ops';
import { type DType, isFloat } from '@baton/tensor';
import type { Value } from './value.ts';

/** The facts of float inputs: multiples of 1/8. */
const INPUT_FACTS: Facts = between(-4, 4, 3);

export const inputFacts = (dtype: DType): Facts => {
  if (isFloat(dtype)) return INPUT_FACTS;
  if (dtype === 'bool') return between(0, 1, 0);
  return dtype.startsWith('uint') ? between(0, 8, 0) : between(-8, 8, 0);
};

export function factsOfNumbers(numbers: ReadonlyArray<number>): Facts {
  if (numbers.length === 0) return between(0, 0, 0);
  const digits = (x: number): number => {
    for (let k = 0; k <= 12; k++) if (Number.isInteger(x * 2 ** k)) return k;
    return Number.POSITIVE_INFINITY;
  };
  return between(Math.min(...numbers), Math.max(...numbers), Math.max(...numbers.map(digits)));
}

export function resultFacts(
  ops: OpTable,
  op: OpInfo,
  args: ReadonlyArray<Value>,
  attrs: Attrs,
  result: TensorType,
): Facts {
  const bounds: Bounds | undefined = ops.read(boundsColumn, op.name);
  const argTypes = args.map((arg) => arg.type);
  const site = boundsSite(ops, op, argTypes, attrs, result);
  const found = (bounds?.facts ?? mixed)(args.map(factsOf), site);
  if (result.dtype === 'bool') return between(0, 1, 0);
  const isKnown = !Number.isNaN(found.lo) && !Number.isNaN(found.hi);
  return ofDType(isKnown ? found : between(-HUGE, HUGE), result);
}

/** What the bounds of a call's result may depend on besides those of its arguments. */
export function boundsSite(
  ops: OpTable,
  op: OpInfo,
  args: ReadonlyArray<Type>,
  attrs: Attrs,
  result: TensorType,
): BoundsSite {
  const outputs = Math.max(sizeOfType(result), 1);
  const [data] = args;
  return {
    ...{ args, attrs, result },
    ratio: (data?._tag === 'TensorType' ? sizeOfType(data) : 1) / outputs,
    get products() {
      const cost = ops.read(costColumn, op.name)?.(args, result, attrs);
      return (cost?.flops ?? 0) / 2 / outputs;
    },
  };
}

/** The bound of unknown numbers. */
const HUGE = 2 ** 100;

/** Integers have no fractional digits, and unsigned ones are at least 0. */
function ofDType(facts: Facts, type: TensorType): Facts {
  const dtype = type.dtype as DType;
  if (isFloat(dtype)) return facts;
  const lo = Math.floor(facts.lo);
  const hi = Math.ceil(facts.hi);
  return dtype.startsWith('uint') && lo < 0 ? between(0, 2 ** 31, 0) : between(lo, hi, 0);
}

const factsOf = (value: Value): Facts =>
  value._tag === 'Tensor'
    ? value.facts
    : hull([between(0, 0, 0), ...value.fields.map((field) => field.facts)]);

const sizeOfType = (type: TensorType): number =>
  '_tag' in type.shape
    ? 1
    : type.shape.reduce<number>((n, dim) => n * (typeof dim === 'number' ? dim : 1), 1);
