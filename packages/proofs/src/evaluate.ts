/** The value of an expression in terms. */
import { postOrder } from '@baton/base';
import { type Call, children, type Expr, noAttrs, type OpTable } from '@baton/ir';
import { arityOf, formOf, isTruthScalar, type Scalar } from '@baton/ops';

import {
  broadcastShapes,
  castNumber,
  type DType,
  dtypeInfo,
  isBig,
  isDType,
  isFloat,
  isInteger,
  rowMajorStrides,
  type Shape,
  shapeSize,
} from '@baton/tensor';
import { NoMeaning } from './kernels.ts';
import { hasEvery } from './literals.ts';
import { MEANINGS } from './meaning.ts';
import { applyOperator } from './operators.ts';
import { isTruth, type Term, type Terms } from './terms.ts';
import { isTerms, known, type TermTensor, type TermValue } from './values.ts';

/**
 * The value of an expression whose variables, and constants that are not known, have values.
 *
 * **Errors** throws `NoMeaning`.
 */
export function termsOf(
  expr: Expr,
  variables: ReadonlyMap<Expr, TermValue>,
  terms: Terms,
  ops: OpTable,
): TermValue {
  const values = new Map<Expr, TermValue>(variables);
  const evaluate = (inner: Expr, more: ReadonlyMap<Expr, TermValue>): TermValue =>
    termsOf(inner, more, terms, ops);
  for (const node of postOrder(partsOf, [expr])) {
    if (values.has(node)) continue;
    const get = (part: Expr): TermValue => {
      const value = values.get(part);
      if (value === undefined) throw new NoMeaning(`no meaning of a ${part._tag}`);
      return value;
    };
    if (node._tag === 'Constant') values.set(node, known(terms, node.data));
    if (node._tag === 'Tuple') values.set(node, node.fields.map(get));
    if (node._tag === 'TupleGetItem') {
      const tuple = get(node.tuple);
      const field = isTerms(tuple) ? undefined : tuple[node.index];
      if (field === undefined) throw new NoMeaning('no such field');
      values.set(node, field);
    }
    if (node._tag !== 'Call') continue;
    const { op } = node;
    const args = node.args.map(get);
    if (op._tag === 'Function') {
      values.set(
        node,
        evaluate(op.body, new Map(op.params.map((p, i) => [p, args[i] as TermValue]))),
      );
    } else {
      values.set(node, callValue(node, args, terms, ops, evaluate));
    }
  }
  const value = values.get(expr);
  if (value === undefined) throw new NoMeaning(`no meaning of a ${expr._tag}`);
  return value;
}

/** The body of a function is evaluated where it is called. */
const partsOf = (expr: Expr): ReadonlyArray<Expr> =>
  expr._tag === 'Function' ? [] : children(expr);

function callValue(
  { op, attrs = noAttrs }: Call,
  args: ReadonlyArray<TermValue>,
  terms: Terms,
  ops: OpTable,
  evaluate: (expr: Expr, variables: ReadonlyMap<Expr, TermValue>) => TermValue,
): TermValue {
  const name = op._tag === 'Op' ? op.name : op._tag;
  const form = formOf(ops, name, 'Map');
  if (name === 'cast') return cast(args[0], attrs.dtype, terms);
  if (form === undefined) return applyOperator({ terms, ops, name, attrs, args, evaluate });
  const operands = args.filter(isTerms);
  const [x] = operands;
  if (x === undefined || operands.length < args.length) throw new NoMeaning(`${name} of a tuple`);
  const count = arityOf(form.expr);
  const numbers =
    form.numbers?.(attrs, x.dtype).map((value) => terms.number(Number(value), x.dtype)) ?? [];
  const given =
    form.vectorAlong === undefined
      ? operands
      : [x, along(operands[1], form.vectorAlong(attrs), x.shape)];
  if (given.length + numbers.length < count) throw new NoMeaning(`no meaning of ${name}`);
  const all = [
    ...given,
    ...numbers.map((number): TermTensor => ({ ...x, shape: [], elements: [number] })),
  ];
  return elementwise(name, form.expr, all, terms);
}

/** A vector in the shape in which it broadcasts along an axis. */
function along(vector: TermTensor | undefined, axis: number, shape: Shape): TermTensor {
  if (vector === undefined) throw new NoMeaning('a vector is missing');
  const at = axis < 0 ? axis + shape.length : axis;
  if (vector.shape.length !== 1) return vector;
  return { ...vector, shape: [vector.shape[0] as number, ...shape.slice(at + 1).map(() => 1)] };
}

function elementwise(
  name: string,
  expr: Scalar,
  operands: ReadonlyArray<TermTensor>,
  terms: Terms,
): TermTensor {
  const shape = operands
    .map((operand) => operand.shape)
    .reduce((a, b) => {
      const both = broadcastShapes(a, b);
      if (both === undefined) throw new NoMeaning(`${name} of shapes that do not broadcast`);
      return both;
    });
  const elements = Array.from({ length: shapeSize(shape) }, (_, i) => {
    const parts = operands.map((operand) => elementAt(operand, i, shape));
    return scalarValue(name, expr, parts, terms);
  });
  const { dtype } = operands[isChoice(expr) ? 1 : 0] as TermTensor;
  return { _tag: 'Terms', shape, dtype: isTruthScalar(expr) ? 'bool' : dtype, elements };
}

/** The element of an operand that an element of the result is made of. */
function elementAt({ shape, elements }: TermTensor, at: number, result: Shape): Term {
  const strides = rowMajorStrides(shape);
  const outer = result.length - shape.length;
  let rest = at;
  let place = 0;
  for (let axis = result.length - 1; axis >= 0; axis--) {
    const index = rest % (result[axis] as number);
    rest = Math.floor(rest / (result[axis] as number));
    if (axis >= outer && shape[axis - outer] !== 1)
      place += index * (strides[axis - outer] as number);
  }
  return elements[place] as Term;
}

/** The value of an operator for one element of each operand, as it is stored. */
function scalarValue(
  name: string,
  expr: Scalar,
  operands: ReadonlyArray<Term>,
  terms: Terms,
): Term {
  const dtype = operands[isChoice(expr) ? 1 : 0]?.dtype ?? 'float32';
  if (isBig(dtype) && !isFloat(dtype) && hasWideConstant(expr))
    throw new NoMeaning(`no meaning of ${name} of ${dtype}`);
  const inner = nodeOf(expr, operands, dtype, terms);
  const stored =
    dtype === 'bool' && !isTruth(inner)
      ? terms.node('notEqual', dtype, [inner, terms.number(0, dtype)])
      : inner;
  if (!isFloat(dtype) || isTruth(stored) || roundsOnce(expr)) return stored;
  return terms.node('operator', dtype, [stored, ...operands], name);
}

/** Whether an operator chooses by its first operand: it computes in the type of the others. */
const isChoice = (expr: Scalar): boolean =>
  expr._tag === 'Operation' &&
  expr.name === 'select' &&
  expr.args.every(({ _tag }) => _tag === 'Argument');

const hasWideConstant = (expr: Scalar): boolean =>
  expr._tag === 'Constant' && !Number.isInteger(expr.value);

function nodeOf(expr: Scalar, operands: ReadonlyArray<Term>, dtype: DType, terms: Terms): Term {
  switch (expr._tag) {
    case 'Argument': {
      const operand = operands['xyz'.indexOf(expr.name)];
      if (operand === undefined) throw new NoMeaning('an operand is missing');
      return operand;
    }
    case 'Constant':
      return terms.number(expr.value, dtype);
    case 'Width':
      return terms.number(8 * widthOf(dtype), dtype);
    case 'Operation': {
      const args = expr.args.map((arg) => nodeOf(arg, operands, dtype, terms));
      return terms.node(expr.name, dtype, args);
    }
  }
}

const widthOf = (dtype: DType): number => Number(/\d+$/.exec(dtype)?.[0] ?? 8) / 8;

/** Whether an operator rounds at most once, at its end: then doubles inside do not show. */
function roundsOnce(expr: Scalar): boolean {
  if (expr._tag !== 'Operation') return true;
  if (expr.name === 'select') {
    const [condition, ...branches] = expr.args;
    return condition !== undefined && isExact(condition) && branches.every(roundsOnce);
  }
  return expr.args.every(isExact);
}

const isExact = (expr: Scalar): boolean =>
  expr._tag !== 'Operation' || (MEANINGS[expr.name].rounds !== true && expr.args.every(isExact));

function cast(value: TermValue | undefined, dtype: unknown, terms: Terms): TermTensor {
  if (value === undefined || !isTerms(value) || !isDType(dtype))
    throw new NoMeaning('no meaning of cast');
  const to = (term: Term): Term => {
    if (term._tag === 'Number') return terms.number(castNumber(term.value, dtype), dtype);
    if (term.dtype === dtype) return term;
    const inner = term._tag === 'Node' && term.kind === 'cast' ? term.args[0] : undefined;
    // A cast converts a number, which a type that has it leaves as it is.
    return inner !== undefined &&
      (hasEvery(term.dtype, inner.dtype) || isCutOff(inner, term.dtype, dtype))
      ? to(inner)
      : terms.node('cast', dtype, [term]);
  };
  return { ...value, dtype, elements: value.elements.map(to) };
}

/** Whether the whole part of a float within bounds is a number of a type, and another takes only that. */
function isCutOff(x: Term, by: DType, dtype: DType): boolean {
  if (x._tag !== 'Symbol' || x.range === undefined || !isInteger(by) || !isInteger(dtype))
    return false;
  const { min, max } = dtypeInfo(by);
  return isFloat(x.dtype) && min <= x.range[0] && x.range[1] <= max;
}
