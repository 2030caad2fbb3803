/** Through which calls of operators a gradient flows. */
import { remember } from '@baton/base';
import { children, type Expr, type IRModule, postOrderExprs, typeOf, type Var } from '@baton/ir';
import { gradientColumn, hasFloats, isOpCall } from '@baton/ops';

/** The nodes of an expression that a gradient concerns. */
export interface Active {
  /** Whether a gradient reaches the node, and goes on to what it is made of. */
  readonly has: (node: Expr) => boolean;
  /** Whether the node is made of anything but constants. */
  readonly varies: (node: Expr) => boolean;
}

/**
 * What of an expression takes part in a gradient: a value that only comparisons, shapes and the like
 * read gets none, and neither does one that is made of constants and of these variables. The gradient
 * of either would be 0; but through an operator whose slope is infinite there, or has no derivative,
 * 0 is no number: 0 · ∞.
 *
 * What functions, data types and references hold takes part. **Complexity** linear.
 */
export function activeIn(m: IRModule, root: Expr, constants: ReadonlySet<Var>): Active {
  const order = postOrderExprs([root]);
  const bound = new Map<Var, Expr>();
  for (const node of order) if (node._tag === 'Let') bound.set(node.variable, node.value);
  const reached = reachedFrom(m, root, order, bound);
  const varying = varyingAmong(order, bound, constants);
  return {
    has: (node) => reached.has(node) && varying.has(node),
    varies: (node) => varying.has(node),
  };
}

/**
 * The nodes to which gradients flow, beginning with the result and with all that other nodes hold. A
 * field of a tuple that is written out gets what is read of that field alone.
 */
function reachedFrom(
  m: IRModule,
  root: Expr,
  order: ReadonlyArray<Expr>,
  bound: ReadonlyMap<Var, Expr>,
): ReadonlySet<Expr> {
  const reached = new Map<Expr, Set<string>>();
  const pending: Reached[] = [];
  const reach = (nodes: ReadonlyArray<Expr>, path: ReadonlyArray<number> = []): void => {
    for (const node of nodes) pending.push({ node, path });
  };
  reach([root]);
  for (const node of order) if (!passesOn(node)) reach(children(node));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    const paths = remember(reached, node, () => new Set());
    const size = paths.size;
    if (paths.add(path.join()).size === size) continue;
    const [field, ...rest] = path;
    if (isOpCall(node)) {
      const hasGradient = m.ops.read(gradientColumn, node.op.name) !== 'zero';
      if (hasGradient && hasFloats(typeOf(m, node))) reach(node.args);
    } else if (node._tag === 'TupleGetItem') {
      reach([node.tuple], [node.index, ...path]);
    } else if (node._tag === 'Tuple' && field !== undefined) {
      reach(node.fields.slice(field, field + 1), rest);
    } else if (passesOn(node)) {
      reach(valuesOf(node, bound), path);
    }
  }
  return new Set(reached.keys());
}

/** A node, or a field of a field of it, to which a gradient flows. */
interface Reached {
  readonly node: Expr;
  readonly path: ReadonlyArray<number>;
}

/** The nodes that are made of anything but constants; the parts of each come before it. */
function varyingAmong(
  order: ReadonlyArray<Expr>,
  bound: ReadonlyMap<Var, Expr>,
  constants: ReadonlySet<Var>,
): ReadonlySet<Expr> {
  const varying = new Set<Expr>();
  const fixed = new Set<Expr>(constants);
  for (const node of order) {
    const written = node._tag === 'TupleGetItem' ? writtenField(node, bound) : undefined;
    const parts = isOpCall(node) ? node.args : written ? [written] : valuesOf(node, bound);
    const isFree = node._tag === 'Var' && parts.length === 0;
    const isFixed = passesOn(node) && !isFree && parts.every((part) => fixed.has(part));
    if (fixed.has(node) || isFixed) fixed.add(node);
    else varying.add(node);
  }
  return varying;
}

/** The expression of a field, where its tuple is written out. */
function writtenField(
  item: Extract<Expr, { _tag: 'TupleGetItem' }>,
  bound: ReadonlyMap<Var, Expr>,
): Expr | undefined {
  const path: number[] = [];
  const seen = new Set<Expr>();
  let node: Expr | undefined = item;
  // A variable may be bound to itself.
  while (node !== undefined && !seen.has(node)) {
    seen.add(node);
    if (node._tag === 'TupleGetItem') {
      path.push(node.index);
      node = node.tuple;
    } else if (node._tag === 'Tuple') {
      node = node.fields[path.pop() ?? 0];
      if (path.length === 0) return node;
    } else {
      node = node._tag === 'Let' ? node.body : node._tag === 'Var' ? bound.get(node) : undefined;
    }
  }
  return undefined;
}

/** Whether the parts of a node take part only as far as its value does. */
const passesOn = (node: Expr): boolean => isOpCall(node) || PASSING.has(node._tag);

const PASSING: ReadonlySet<Expr['_tag']> = new Set([
  'Constant',
  'If',
  'Let',
  'Tuple',
  'TupleGetItem',
  'Var',
]);

/** The parts of which one is the value of a node, or a part of it. */
function valuesOf(node: Expr, bound: ReadonlyMap<Var, Expr>): ReadonlyArray<Expr> {
  switch (node._tag) {
    case 'If':
      return [node.trueBranch, node.falseBranch];
    case 'Let':
      return [node.body];
    case 'Tuple':
      return node.fields;
    case 'TupleGetItem':
      return [node.tuple];
    case 'Var': {
      const value = bound.get(node);
      return value === undefined ? [] : [value];
    }
    default:
      return [];
  }
}
