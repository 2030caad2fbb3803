/**
 * Dataflow segments: consecutive nodes of a function, which a host may compute at once.
 *
 * A segment ends with its root. Its other nodes are used in it only, and all are in one scope, so
 * evaluating the root evaluates each of them exactly once, and nothing else. Their inputs from
 * outside are evaluated before, in the usual order.
 */
import { children, type Expr, type IRModule, type Let, type Var } from '@baton/ir';
import { mayDiffer } from '../size-claims.ts';
import { type Analysis, isAtom } from './analysis.ts';

export interface Segment {
  /** In the order of evaluation; the root is the last. */
  readonly nodes: ReadonlyArray<Expr>;
  /** The variables of lets that name nodes of the segment. */
  readonly variables: ReadonlyMap<Expr, Var>;
  /** The nodes outside that are read, each time that they are, in the order of evaluation. */
  readonly reads: ReadonlyArray<Expr>;
  /** The same, each once. */
  readonly inputs: ReadonlySet<Expr>;
}

/** The segments of a function, by their nodes. */
export type Segments = ReadonlyMap<Expr, Segment>;

/**
 * The segments of nodes that a host takes. `order` has the nodes of a global function as a walk from
 * left to right completes them.
 *
 * **Complexity** linear in the nodes.
 */
export function segmentsOf(
  analysis: Analysis,
  m: IRModule,
  takes: (node: Expr) => boolean,
): Segments {
  const { order } = analysis;
  const { lets, checks } = letsOf(analysis, m);
  const segments = new Map<Expr, Segment>();
  for (let end = order.length - 1; end >= 0; ) {
    const nodes = takes(order[end] as Expr)
      ? segmentAt(end, analysis, { lets, checks }, takes)
      : [];
    const segment = nodes.length > 0 ? withReads(nodes, lets) : undefined;
    const isTaken = segment !== undefined && endsWell(segment);
    if (isTaken) for (const node of nodes) segments.set(node, segment);
    end -= isTaken ? nodes.length : 1;
  }
  return segments;
}

interface Lets {
  /** Those that only name a value, by the values. */
  readonly lets: ReadonlyMap<Expr, Let>;
  /** The indices in the order before which the sizes of a let's value are checked. */
  readonly checks: ReadonlySet<number>;
}

function letsOf({ order, usesOf, bodyStart }: Analysis, m: IRModule): Lets {
  const lets = new Map<Expr, Let>();
  const checks = new Set<number>();
  for (const node of order) {
    if (node._tag !== 'Let') continue;
    const { value, variable } = node;
    if (mayDiffer(m, value, variable.typeAnnotation)) checks.add(bodyStart(node));
    else if (usesOf(value) === 1 && usesOf(variable) > 0) lets.set(value, node);
  }
  return { lets, checks };
}

/** The longest segment whose root is at an index of the order. */
function segmentAt(
  end: number,
  analysis: Analysis,
  { lets, checks }: Lets,
  takes: (node: Expr) => boolean,
): ReadonlyArray<Expr> {
  const { order, placementOf, scopeOf, usesOf } = analysis;
  const seen = new Map<Expr, number>();
  const isWithin = (node: Expr): boolean => seen.get(node) === usesOf(node);
  const isInner = (node: Expr): boolean => {
    const named = lets.get(node)?.variable;
    const placement = placementOf(node);
    return (
      (placement === 'once' || placement === 'first') &&
      isWithin(named ?? node) &&
      scopeOf(node) === scopeOf(order[end] as Expr) &&
      takes(node)
    );
  };
  const nodes: Expr[] = [];
  for (let at = end; at >= 0; at--) {
    const node = order[at] as Expr;
    if (at < end && (checks.has(at + 1) || !isInner(node))) break;
    nodes.push(node);
    for (const child of children(node)) seen.set(child, (seen.get(child) ?? 0) + 1);
    // What is computed on demand may be computed here: nothing of the segment comes before it.
    if (children(node).some((child) => !isAtom(child) && placementOf(child) === 'demand')) break;
  }
  return nodes.reverse();
}

/** A tuple is worth a root only if the segment makes all its fields. */
function endsWell({ nodes, inputs }: Segment): boolean {
  const root = nodes.at(-1);
  return root?._tag !== 'Tuple' || root.fields.every((f) => isRead(f) && !inputs.has(f));
}

/** Finds what is read from outside: each named node is evaluated with all that it needs at once. */
function withReads(nodes: ReadonlyArray<Expr>, lets: Lets['lets']): Segment {
  const own = new Set(nodes);
  const variables = new Map<Expr, Var>();
  const roots: Expr[] = [];
  nodes.forEach((node, i) => {
    const named = i < nodes.length - 1 ? lets.get(node)?.variable : undefined;
    if (named !== undefined) variables.set(node, named);
    if (named !== undefined || i === nodes.length - 1) roots.push(node);
  });
  const inner = new Set<Expr>(variables.values());
  const reads: Expr[] = [];
  const entered = new Set<Expr>();
  const stack = roots.reverse();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!own.has(node)) {
      if (isRead(node) && !inner.has(node)) reads.push(node);
    } else if (!entered.has(node)) {
      entered.add(node);
      stack.push(...[...children(node)].reverse());
    }
  }
  return { nodes, variables, reads, inputs: new Set(reads) };
}

/** Constants and operators are the same for every run. */
const isRead = ({ _tag }: Expr): boolean => _tag !== 'Constant' && _tag !== 'Op';
