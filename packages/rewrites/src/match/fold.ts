/** Calls of constants, which a compiler computes. */
import { isLeft, largeWeakMap } from '@baton/base';
import {
  attributesOf,
  type Constant,
  constant,
  type Expr,
  type IRModule,
  isTotal,
  mapChildren,
  noAttrs,
  postOrderExprs,
  rewriteExpr,
  tuple,
  typeOf,
  type Var,
} from '@baton/ir';
import {
  evaluateCall,
  FOLDING,
  foldableColumn,
  foldedValue,
  isOpCall,
  isWorthStoring,
  type OpCall,
  type OpValue,
  staticTensor,
} from '@baton/ops';
import { withTypeOf } from '@baton/pass-manager';
import { isTensor, splat, type Tensor } from '@baton/tensor';
import { constantOf } from '../rule/matched-value.ts';

/** How an engine computes constants. */
export interface Folding {
  /** The most elements of a constant that is computed. */
  readonly constantSize: number;
  /** Does the work for a constant: an engine may look at its clock before and after. */
  readonly computing: <A>(work: () => A) => A;
}

/** The row of the time that constants take, in reports of passes that compute them. */
export const CONSTANTS = 'constants';

/**
 * The value of a call whose arguments are `args`, if it is a tensor that a compiler can compute: not
 * too large, and not larger than all arguments together. A call without arguments is left as it is:
 * its attributes are its shortest form.
 */
export function foldedCall(
  m: IRModule,
  call: Expr,
  args: ReadonlyArray<Expr>,
  { constantSize, computing }: Folding,
): Constant | undefined {
  if (!isOpCall(call)) return undefined;
  const values = neededBy(m, call, args);
  if (values === undefined || !isFoldable(m, call)) return undefined;
  const { op, span } = call;
  // A call of an operator that was a value has no attributes yet.
  const attrs = attributesOf(call, m.ops) ?? noAttrs;
  const budget = { ...FOLDING.rules, resultElements: constantSize };
  return computing(() => {
    const value = foldedValue(m.ops, { name: op.name, attrs, span }, values, budget);
    return isLeft(value) || !value.right || !isTensor(value.right)
      ? undefined
      : constant(value.right, span);
  });
}

/** The values from which a call is computed: of constants, or any of the type where that decides. */
function neededBy(
  m: IRModule,
  { op }: OpCall,
  args: ReadonlyArray<Expr>,
): ReadonlyArray<Tensor> | undefined {
  const found = isOfType(m, op.name)
    ? args.map((arg) => anyOfType(m, arg))
    : args.map((arg) => constantOf(arg));
  const known = found.filter((value) => value !== undefined);
  return known.length === args.length ? known : undefined;
}

/** Whether the value of a call follows from the type of its argument. */
const isOfType = ({ ops }: IRModule, name: string): boolean =>
  ops.read(foldableColumn, name) === 'by type';

/** Some value of the type of an expression that only gives a value. */
function anyOfType(m: IRModule, expr: Expr): Tensor | undefined {
  const type = typeOf(m, expr);
  const known = type && isTotal(m, expr) ? staticTensor(type) : undefined;
  return known && splat(known.shape, known.dtype, 0);
}

/** Whether the value of a call follows from its arguments, of which it has some. */
function isFoldable({ ops }: IRModule, { op: { name }, args }: OpCall): boolean {
  if (ops.get(name)?.effect !== 'total' || args.length === 0) return false;
  const foldable = ops.read(foldableColumn, name) ?? 'by value';
  return foldable === 'by value' || foldable === 'by type';
}

/** Variables that stand for constants. */
const placeholders = new WeakSet<Var>();

/** The variable, from now on known to stand for a constant whose value is left open. */
export function standingForConstant(v: Var): Var {
  placeholders.add(v);
  return v;
}

const known = largeWeakMap<Expr, boolean>();

/**
 * Whether a compiler can compute the expression: it is a constant, or made of constants, and no part
 * of it is larger than what it is made of.
 *
 * **Complexity** linear in the nodes, over all questions.
 */
export function isCompileTime(m: IRModule, expr: Expr): boolean {
  if (!isMade(expr)) return isKnownLeaf(expr);
  const found = known.get(expr);
  if (found !== undefined) return found;
  for (const node of postOrderExprs([expr], (e) => known.get(e) !== undefined || !isMade(e))) {
    known.set(node, isComputed(m, node));
  }
  return known.get(expr) === true;
}

/** Whether an expression may be made of constants. */
const isMade = ({ _tag }: Expr): boolean =>
  _tag === 'Call' || _tag === 'Tuple' || _tag === 'TupleGetItem';

const isKnownLeaf = (leaf: Expr): boolean =>
  leaf._tag === 'Var' ? placeholders.has(leaf) : constantOf(leaf) !== undefined;

function isComputed(m: IRModule, node: Expr): boolean {
  const isKnown = (part: Expr): boolean => known.get(part) ?? isKnownLeaf(part);
  switch (node._tag) {
    case 'Tuple':
      return node.fields.length > 0 && node.fields.every(isKnown);
    case 'TupleGetItem':
      return isKnown(node.tuple);
    default:
      return isOpCall(node) && node.args.every(isKnown) && isFoldable(m, node) && isStored(m, node);
  }
}

const isStored = (m: IRModule, call: OpCall): boolean =>
  isWorthStoring(
    typeOf(m, call),
    call.args.map((arg) => typeOf(m, arg)),
  );

/**
 * The expression with everything computed that a compiler can compute.
 *
 * **Complexity** linear in the nodes, and what the computed operators take.
 */
export const computed = (m: IRModule, root: Expr): Expr =>
  rewriteExpr(root, (node, get) => {
    if (node._tag === 'TupleGetItem') {
      const fields = get(node.tuple);
      return fields._tag === 'Tuple' && isCompileTime(m, node)
        ? fields.fields[node.index]
        : undefined;
    }
    if (!isOpCall(node) || !isCompileTime(m, node)) return undefined;
    const values = node.args.map((arg) => givenBy(get(arg))).filter((value) => value !== undefined);
    if (values.length < node.args.length) return undefined;
    const value = evaluateCall(m.ops, node, values);
    return isLeft(value) ? undefined : constantsOf(value.right, node.span);
  });

/**
 * The expression with everything that a compiler can compute bound to a variable where it is used, so
 * that relations do not read its value.
 */
export const withBoundConstants = (root: Expr, m: IRModule): Expr => {
  const isKnown = (node: Expr): boolean => isMade(node) && isCompileTime(m, node);
  return rewriteExpr(root, (node, get) =>
    isKnown(node)
      ? undefined
      : mapChildren(node, (child) =>
          isKnown(child) ? withTypeOf(m, child, get(child)) : get(child),
        ),
  );
};

/** The value of a constant, or of a tuple of constants. */
function givenBy(expr: Expr): OpValue | undefined {
  if (expr._tag !== 'Tuple') return constantOf(expr);
  const fields = expr.fields.map(constantOf).filter((value) => value !== undefined);
  return fields.length < expr.fields.length ? undefined : fields;
}

const constantsOf = (value: OpValue, span: Expr['span']): Expr =>
  isTensor(value)
    ? constant(value, span)
    : tuple(
        value.map((field) => constantsOf(field, span)),
        span,
      );
