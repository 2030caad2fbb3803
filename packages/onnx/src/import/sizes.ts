/**
 * Sizes in values: lists of integers, and of floats on the way to integers, that a graph computes
 * from its inputs' shapes. Their elements are sums of products over named dimensions.
 */

import { isLeft } from '@baton/base';
import type { OpTable } from '@baton/ir';
import {
  type Attrs,
  addDims,
  anyDim,
  type Call,
  type Dim,
  divideDims,
  type Expr,
  isAnyDim,
  isStaticDim,
  multiplyDims,
  subtractDims,
} from '@baton/ir';
import { evaluateOp, formOf, kindColumn, type NodeName, type Scalar } from '@baton/ops';
import { isTensor, shapeSize, type Tensor, tensor, toNumbers } from '@baton/tensor';
import { isIntegral } from '../shared/sizes.ts';

/** A tensor of sizes, in row-major order; `?` stands for an unknown element. */
export interface Sizes {
  readonly shape: ReadonlyArray<number>;
  readonly values: ReadonlyArray<Dim>;
}

/** The most elements of such a tensor. */
const MAX_SIZES = 64;

/** The sizes in a constant, if it is short. */
export const constantSizes = (value: Tensor): Sizes | undefined =>
  shapeSize(value.shape) > MAX_SIZES
    ? undefined
    : { shape: value.shape, values: Array.from(toNumbers(value)) };

/** The known facts about the arguments and the result of a call. */
interface CallFacts {
  readonly ops: OpTable;
  readonly attrs: Attrs;
  /** The shape of the result. */
  readonly shape: ReadonlyArray<number>;
  readonly isInteger: boolean;
  readonly dimsOf: (arg: Expr) => ReadonlyArray<Dim> | undefined;
  readonly sizesOf: (arg: Expr) => Sizes | undefined;
}

/** The sizes in the result of an operator call; `undefined` if nothing is known. */
export function sizesOfCall(made: Call, name: string, facts: CallFacts): Sizes | undefined {
  if (shapeSize(facts.shape) > MAX_SIZES) return undefined;
  const values = valuesOfCall(made, name, facts);
  if (values === undefined || values.length !== shapeSize(facts.shape)) return undefined;
  return values.every(isAnyDim) ? undefined : { shape: facts.shape, values };
}

function valuesOfCall(made: Call, name: string, facts: CallFacts): ReadonlyArray<Dim> | undefined {
  const [first] = made.args;
  if (first === undefined) return undefined;
  if (name === 'shape_of') return facts.dimsOf(first);
  if (name === 'ndarray_size') {
    const dims = facts.dimsOf(first);
    return dims && [dims.reduce(multiplyDims, 1)];
  }
  if (name === 'prod') {
    const sizes = facts.sizesOf(first);
    return facts.shape.every((dim) => dim === 1)
      ? sizes && [sizes.values.reduce(multiplyDims, 1)]
      : undefined;
  }
  if (facts.ops.read(kindColumn, name) === 'movement') return movedValues(made, name, facts);
  if (name === 'cast') {
    return elementwise(
      made,
      ([a = anyDim]) => (facts.isInteger ? rounded(Math.trunc, a) : a),
      facts,
    );
  }
  const form = formOf(facts.ops, name, 'Map');
  if (form === undefined || form.numbers !== undefined) return undefined;
  return elementwise(made, (args) => valueIn(form.expr, args, facts.isInteger), facts);
}

/**
 * The result of moving the elements of the first argument: the operator is run on labels in their
 * place, twice, so that only what is a label of one element both times counts.
 */
function movedValues(
  made: Call,
  name: string,
  { ops, attrs, sizesOf, dimsOf }: CallFacts,
): ReadonlyArray<Dim> | undefined {
  const [places, again] = [PLAIN_LABELS, CURVED_LABELS].map((label) => {
    const all: Dim[] = [];
    const labels = (arg: Expr): Tensor | undefined => {
      const sizes = sizesOf(arg) ?? unknownSizes(dimsOf(arg));
      if (sizes === undefined) return undefined;
      return tensor(
        sizes.values.map((value) => label(all.push(value) - 1)),
        sizes.shape,
        'int64',
      );
    };
    const args = made.args.map((arg, i) => {
      if (i > 0) return arg._tag === 'Constant' ? arg.data : undefined;
      if (arg._tag !== 'Tuple') return labels(arg);
      const fields = arg.fields.map(labels).filter(isTensor);
      return fields.length === arg.fields.length ? fields : undefined;
    });
    const known = args.filter((arg) => arg !== undefined);
    if (known.length < args.length) return undefined;
    const result = evaluateOp(ops, name, attrs, known, made.span);
    if (isLeft(result) || !isTensor(result.right)) return undefined;
    const byLabel = new Map(all.map((value, at) => [label(at), { value, at }]));
    return Array.from(toNumbers(result.right), (found) => byLabel.get(found));
  });
  return places?.map((place, i) =>
    place !== undefined && place.at === again?.[i]?.at ? place.value : anyDim,
  );
}

/** The sizes in a short value of which nothing is known: other parts of a list may be. */
function unknownSizes(dims: ReadonlyArray<Dim> | undefined): Sizes | undefined {
  const shape = dims?.filter(isStaticDim);
  if (shape === undefined || shape.length !== dims?.length || shapeSize(shape) > MAX_SIZES) {
    return undefined;
  }
  return { shape, values: new Array<Dim>(shapeSize(shape)).fill(anyDim) };
}

/** Labels that are no small numbers; means of the ones are not means of the others. */
const PLAIN_LABELS = (at: number): number => 2 ** 20 + at;
const CURVED_LABELS = (at: number): number => 2 ** 21 + at * (3 * at + 1);

/** One element of a result from one of each argument. */
type Step = (args: ReadonlyArray<Dim>) => Dim;

function elementwise(
  made: Call,
  step: Step,
  { shape, sizesOf }: CallFacts,
): ReadonlyArray<Dim> | undefined {
  const lists = made.args.map((arg) => sizesOf(arg)?.values);
  const known = lists.filter((list) => list !== undefined);
  const count = shapeSize(shape);
  // Longer lists are of one shape in shape arithmetic; the others are scalars.
  const fits = known.every((list) => list.length === count || list.length === 1);
  if (known.length < lists.length || !fits) return undefined;
  return Array.from({ length: count }, (_, i) =>
    step(known.map((list) => list[list.length === 1 ? 0 : i] ?? anyDim)),
  );
}

/** The value of a scalar expression. It nests as deep as the definition of one operator. */
function valueIn(expr: Scalar, args: ReadonlyArray<Dim>, isInteger: boolean): Dim {
  if (expr._tag === 'Argument') return args['xyz'.indexOf(expr.name)] ?? anyDim;
  if (expr._tag !== 'Operation') return expr._tag === 'Constant' ? expr.value : anyDim;
  const [a = anyDim, b = anyDim, c = anyDim] = expr.args.map((arg) =>
    valueIn(arg, args, isInteger),
  );
  if (expr.name === 'select') return typeof a !== 'number' ? anyDim : a !== 0 ? b : c;
  const step = STEPS[expr.name];
  if (step === undefined || isAnyDim(a) || (expr.args.length > 1 && isAnyDim(b))) return anyDim;
  return step(a, b, isInteger);
}

/** The steps of scalar expressions on sizes; the others have no size as a result. */
const STEPS: Readonly<Partial<Record<NodeName, (a: Dim, b: Dim, isInteger: boolean) => Dim>>> = {
  neg: (a) => multiplyDims(a, -1),
  abs: (a) => (bounds(a)[0] >= 0 ? a : anyDim),
  floor: (a) => rounded(Math.floor, a),
  ceil: (a) => rounded(Math.ceil, a),
  trunc: (a) => rounded(Math.trunc, a),
  add: addDims,
  sub: subtractDims,
  mul: multiplyDims,
  div: (a, b, isInteger) => quotient(a, b, isInteger, Math.trunc),
  floorDiv: (a, b) => quotient(a, b, true, Math.floor),
  min: (a, b) => negated(greater(negated(a), negated(b))),
  max: (a, b) => greater(a, b),
  not: (a) => (typeof a === 'number' ? Number(a === 0) : anyDim),
  equal: (a, b) =>
    compared(a, b, (low, high) => (low > 0 || high < 0 ? false : low === high || undefined)),
  notEqual: (a, b) =>
    compared(a, b, (low, high) => low > 0 || high < 0 || (low === high ? false : undefined)),
  less: (a, b) => compared(a, b, (low, high) => high < 0 || (low >= 0 ? false : undefined)),
  lessEqual: (a, b) => compared(a, b, (low, high) => high <= 0 || (low > 0 ? false : undefined)),
};

/** What the least and the greatest difference of two sizes decide. */
function compared(a: Dim, b: Dim, decide: (low: number, high: number) => boolean | undefined): Dim {
  const decided = decide(...bounds(subtractDims(a, b)));
  return decided === undefined ? anyDim : Number(decided);
}

/** The exact quotient, if it is a size whatever the variables are. */
function quotient(a: Dim, b: Dim, isInteger: boolean, round: (x: number) => number): Dim {
  if (typeof b === 'number' && b !== 0 && !isInteger) return multiplyDims(a, 1 / b);
  if (typeof a === 'number' && typeof b === 'number') return b === 0 ? anyDim : round(a / b);
  const exact = divideDims(a, b);
  return exact === undefined || !isIntegral(exact) ? anyDim : exact;
}

/** An integer stays as it is. */
const rounded = (round: (x: number) => number, a: Dim): Dim =>
  typeof a === 'number' ? round(a) : isIntegral(a) ? a : anyDim;

const negated = (a: Dim): Dim => multiplyDims(a, -1);

/** The greater of two, if it is the same for all sizes. */
function greater(a: Dim, b: Dim): Dim {
  const [low, high] = bounds(subtractDims(a, b));
  return low >= 0 ? a : high <= 0 ? b : anyDim;
}

/** The least and the greatest value of a sum over dimensions, each of which is at least 0. */
function bounds(dim: Dim): readonly [low: number, high: number] {
  if (typeof dim === 'number') return [dim, dim];
  if (isAnyDim(dim)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const { constant, terms } = dim;
  return [
    terms.every((term) => term.coefficient > 0) ? constant : Number.NEGATIVE_INFINITY,
    terms.every((term) => term.coefficient < 0) ? constant : Number.POSITIVE_INFINITY,
  ];
}
