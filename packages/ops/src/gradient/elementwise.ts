/** Gradients of elementwise operators: the derivatives of their scalar expressions, as calls. */
import { memoFold, remember } from '@baton/base';
import type { Attrs, Expr, OpTable } from '@baton/ir';
import type { DType } from '@baton/tensor';
import { formOf, type MapForm } from '../form/form.ts';
import { fasterColumn } from '../rewriting.ts';
import type { Argument, NodeName, Operation, Scalar } from '../scalar/expr.ts';
import type { GradientSite } from './column.ts';
import { derivative } from './derivative.ts';

/** The result of a node: a tensor, or a number until its dtype matters. */
type Raised = Expr | number;

/**
 * The gradients of the arguments of an elementwise call, in the shape of its result; `'none'` for
 * an argument by which the scalar expression has no derivative. The derivative is built from
 * operators that compute one node each. Where it contains the expression itself, it uses the result
 * of the call.
 */
export function elementwiseGradients(
  ops: OpTable,
  form: MapForm,
  site: GradientSite<Attrs>,
  dtype: DType,
  count: number,
): ReadonlyArray<Expr | 'none' | undefined> {
  const operands = operandsOf(form, site, dtype, count);
  const raise = raising(ops, form, site, dtype, operands);
  const names: ReadonlyArray<Argument['name']> = ['x', 'y', 'z'];
  return names.slice(0, count).map((name) => {
    const slope = derivative(form.expr, name);
    if (slope === undefined) return 'none';
    return slope._tag === 'Constant' && slope.value === 0
      ? undefined
      : timesSlope(slope, raise, site, dtype);
  });
}

/** The operands by name: the broadcast arguments, then the scalars from attributes. */
function operandsOf(
  { numbers, vectorAlong }: MapForm,
  site: GradientSite<Attrs>,
  dtype: DType,
  count: number,
): ReadonlyArray<Raised> {
  const args: Raised[] = site.args.slice(0, count);
  const vector = args[1];
  if (vectorAlong !== undefined && vector !== undefined && typeof vector !== 'number') {
    const rank = site.rank(0);
    const axis = vectorAlong(site.attrs);
    const behind = rank - 1 - (axis < 0 ? axis + rank : axis);
    args[1] = site.withAxes(
      vector,
      Array.from({ length: behind }, (_, i) => i + 1),
    );
  }
  return [...args, ...(numbers?.(site.attrs, dtype) ?? []).map(Number)];
}

/**
 * `g` times a slope. A choice between slopes becomes a choice between products, so that 0 stays 0.
 */
function timesSlope(
  slope: Scalar,
  raise: (expr: Scalar) => Raised,
  site: GradientSite<Attrs>,
  dtype: DType,
): Expr {
  const asExpr = (value: Raised): Expr =>
    typeof value === 'number' ? site.scalar(value, dtype) : value;
  const multiplied = memoFold<Scalar, Raised>(
    (node) => (isChoice(node) ? node.args.slice(1) : []),
    (node, get) => {
      if (isChoice(node)) {
        const [condition, ...branches] = node.args as [Scalar, Scalar, Scalar];
        return site.op('where', [asExpr(raise(condition)), ...branches.map((b) => asExpr(get(b)))]);
      }
      const value = raise(node);
      if (value === 0 || value === 1) return value === 0 ? 0 : site.g;
      return value === -1 ? site.negative(site.g) : site.times(site.g, asExpr(value));
    },
  );
  return asExpr(multiplied(slope));
}

const isChoice = (node: Scalar): node is Operation =>
  node._tag === 'Operation' && node.name === 'select';

function raising(
  ops: OpTable,
  form: MapForm,
  site: GradientSite<Attrs>,
  dtype: DType,
  operands: ReadonlyArray<Raised>,
): (expr: Scalar) => Raised {
  const names = operatorsOfNodes(ops);
  return memoFold<Scalar, Raised>(
    (node) => (node._tag === 'Operation' && node !== form.expr ? node.args : []),
    (node, get) => {
      if (node === form.expr) return site.result;
      if (node._tag === 'Constant') return node.value;
      if (node._tag === 'Argument') return operands['xyz'.indexOf(node.name)] ?? 0;
      const name = node._tag === 'Operation' ? names.get(node.name) : undefined;
      if (node._tag !== 'Operation' || name === undefined) {
        site.refuse('its derivative has no operator');
        return 0;
      }
      const args = node.args.map(get);
      return site.op(
        name,
        args.map((arg) => (typeof arg === 'number' ? site.scalar(arg, dtype) : arg)),
      );
    },
  );
}

const tables = new WeakMap<OpTable, ReadonlyMap<NodeName, string>>();

/** The operators whose scalar expression is one node of their arguments in order. */
const operatorsOfNodes = (ops: OpTable): ReadonlyMap<NodeName, string> =>
  remember(tables, ops, () => {
    const found = new Map<NodeName, string>();
    const faster = new Set(ops.names.map((name) => ops.read(fasterColumn, name)));
    for (const name of ops.names) {
      const form = formOf(ops, name, 'Map');
      if (form?.expr._tag !== 'Operation' || faster.has(name)) continue;
      const isPlain = form.numbers === undefined && form.vectorAlong === undefined;
      const isNode = form.expr.args.every(
        (arg, i) => arg._tag === 'Argument' && arg.name === 'xyz'[i],
      );
      if (isPlain && isNode && !found.has(form.expr.name)) found.set(form.expr.name, name);
    }
    return found;
  });
