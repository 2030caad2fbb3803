/** Matches as calls of functions: [passes §26](https://batonjs.github.io/baton/spec/passes#26). */
import { postOrder } from '@baton/base';
import {
  type Attrs,
  binders,
  call,
  children,
  type Expr,
  encloses,
  func,
  type IRModule,
  isStateful,
  isTotal,
  type NodeScopes,
  nodeScopes,
  rewriteExpr,
  typeEqual,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { isOpCall } from '@baton/ops';
import { visibleIn } from '@baton/pass-manager';
import { type PatternInput, patternOf } from './build.ts';
import { graphOf } from './graph.ts';
import { type Group, groupsOf, isComputed, PARTITIONED } from './groups.ts';
import { standardModule } from './match.ts';
import { siteOf } from './search.ts';

/** Why a match stays as it is. */
export type PartitionRefusal = 'check' | 'scope' | 'effect' | 'type';

/** The options of {@link partition}. */
export interface PartitionOptions {
  /** Attributes of the functions, besides `PartitionedFromPattern`. */
  readonly attrs?: Attrs;
  /** Whether a match becomes a function, given the matched expression. @defaultValue all do */
  readonly check?: (matched: Expr, m: IRModule) => boolean;
  /** The module of the expression, for types and effects. @defaultValue one of standard operators */
  readonly module?: IRModule;
  /** Is told of each match: it became a function if there is no reason against it. */
  readonly onMatch?: (matched: Expr, refusal: PartitionRefusal | undefined) => void;
}

/**
 * The expression with each match of the pattern as a call of a function, whose body is the match and
 * whose parameters are what the pattern takes from outside:
 *
 * ```
 * nn.relu(nn.dense(%x, %w))
 * =>
 * (fn (%a, %b, PartitionedFromPattern="nn.dense_nn.relu_") { nn.relu(nn.dense(%a, %b)) })(%x, %w)
 * ```
 *
 * Constants that the pattern asks for go into the function. A match stays as it is if the function
 * would evaluate something earlier, more often or in another order that others notice, or where a
 * variable is not bound, or would have another type.
 *
 * **Complexity** a search at each node, and the nodes of each match.
 */
export function partition(input: PatternInput, expr: Expr, options: PartitionOptions = {}): Expr {
  const m = options.module ?? standardModule();
  const { order } = visibleIn(expr, m);
  const groups = groupsOf(siteOf(m, graphOf(order)), patternOf(input));
  let scopes: NodeScopes | undefined;
  const scopesOf = (): NodeScopes => {
    scopes ??= nodeScopes(expr);
    return scopes;
  };
  const made = new Map<Group, Expr>();
  let number = 0;
  for (const group of groups.values()) {
    if (!isPart(group)) continue;
    const refusal = refusalOf(group, m, scopesOf, options.check);
    const wrapped = refusal ?? functionOf(group, number++, m, options.attrs ?? {});
    options.onMatch?.(group.root, typeof wrapped === 'string' ? wrapped : undefined);
    if (typeof wrapped !== 'string') made.set(group, wrapped);
  }
  if (made.size === 0) return expr;
  return rewriteExpr(
    expr,
    (node, get) => {
      const group = groups.get(node);
      const f = group && made.get(group);
      return f && call(f, argumentsOf(group).map(get), { span: node.span });
    },
    order,
  );
}

/** Whether the root of the group is computed, and not an input. */
const isPart = ({ root, inputs }: Group): boolean => isComputed(root) && !inputs.includes(root);

/** What a group takes from outside: the inputs of its pattern, and variables of its functions. */
function argumentsOf({ inputs, interior }: Group): ReadonlyArray<Expr> {
  const bound = boundIn(interior);
  const free = interior.filter((node) => node._tag === 'Var' && !bound.has(node));
  return free.length === 0 ? inputs : [...new Set([...inputs, ...free])];
}

/** The variables that nodes bind. */
const boundIn = (nodes: ReadonlyArray<Expr>): ReadonlySet<Expr> => new Set(nodes.flatMap(binders));

/** The reason why a group stays as it is, if there is one. */
function refusalOf(
  group: Group,
  m: IRModule,
  scopesOf: () => NodeScopes,
  check: PartitionOptions['check'],
): PartitionRefusal | undefined {
  const { root, interior, isShared } = group;
  if (check?.(root, m) === false) return 'check';
  const bound = boundIn(interior);
  if (interior.some(({ _tag }) => OPENING.has(_tag)) && !areAround(group, bound, m, scopesOf())) {
    return 'scope';
  }
  // What others use, too, is evaluated twice, and must not bind a variable twice.
  const isCopied = !isShared || (bound.size === 0 && interior.every((e) => isTotal(m, e)));
  if (!isCopied || (isStateful(m, root) && !keepsOrder(group, m))) return 'effect';
  return undefined;
}

/**
 * Whether the inputs can be evaluated before the group, which may not come to need them: they only
 * give a value, and no variable that the group binds is among their parts.
 */
function areAround(
  { root, inputs }: Group,
  bound: ReadonlySet<Expr>,
  m: IRModule,
  { scopeOf }: NodeScopes,
): boolean {
  const own = scopeOf(root);
  return inputs.every((input) => {
    if (!isComputed(input)) return !bound.has(input);
    const scope = scopeOf(input);
    const isOutside = own !== undefined && scope !== undefined && encloses(scope, own);
    return isOutside && isTotal(m, input);
  });
}

/** The expressions with parts in scopes of their own. */
const OPENING: ReadonlySet<Expr['_tag']> = new Set(['Function', 'If', 'Let', 'Match'] as const);

/**
 * Whether the call of the function does what others notice in the order of the group: the group
 * itself does none of it, and its arguments do it in their order.
 */
function keepsOrder(group: Group, m: IRModule): boolean {
  const { root, interior, inputs } = group;
  const isPlain = (e: Expr): boolean =>
    e._tag === 'Tuple' ||
    e._tag === 'TupleGetItem' ||
    (isOpCall(e) && m.ops.get(e.op.name)?.effect !== 'stateful') ||
    !isStateful(m, e);
  if (!interior.every(isPlain)) return false;
  const effects = inputs.filter((e) => isStateful(m, e));
  const taken = new Set<Expr>(inputs);
  const below = (e: Expr) => (taken.has(e) ? [] : children(e));
  const evaluated = postOrder(below, [root]).filter((e) => effects.includes(e));
  return evaluated.every((e, i) => e === effects[i]);
}

/** The function of a group. */
function functionOf(
  group: Group,
  number: number,
  m: IRModule,
  attrs: Attrs,
): Expr | PartitionRefusal {
  const { root, interior } = group;
  const params = new Map<Expr, Var>();
  for (const [i, arg] of argumentsOf(group).entries()) {
    params.set(arg, variable(`FunctionVar_${number}_${i}`, typeOf(m, arg), arg.span));
  }
  const order = [...params.keys(), ...interior];
  const body = rewriteExpr(root, (node) => params.get(node), order);
  const type = typeOf(m, root);
  const f = func([...params.values()], body, {
    retType: type,
    attrs: { [PARTITIONED]: nameOf(interior), ...attrs },
    span: root.span,
  });
  if (type === undefined) return f;
  const own = typeOf(m, body);
  return own !== undefined && typeEqual(own, type) ? f : 'type';
}

/** The operators of a group in the order of their evaluation, as TVM writes them. */
const nameOf = (interior: ReadonlyArray<Expr>): string => interior.map(partName).join('');

function partName(node: Expr): string {
  switch (node._tag) {
    case 'Call':
      return node.op._tag === 'Op' ? `${node.op.name}_` : 'Call_';
    case 'Function':
      return 'Function';
    case 'TupleGetItem':
      return `TupleGetItem${node.index}_`;
    case 'Tuple':
    case 'Let':
    case 'If':
    case 'Match':
      return `${node._tag}_`;
    default:
      return '';
  }
}
