/**
 * DeadCodeElimination: drops lets with unused variables.
 * [passes §4](https://batonjs.github.io/baton/spec/passes#4).
 */
import { aBoolean, postOrder } from '@baton/base';
import {
  children,
  type Expr,
  type Func,
  type IRModule,
  isContextual,
  isStateful as isStatefulIn,
  type Let,
  type Step,
  type Var,
} from '@baton/ir';
import {
  type Count,
  inferType,
  type LiveUses,
  liveUses,
  type MustKeep,
  refined,
  rewriteFunc,
  rewritingPass,
  visibleIn,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';

const COUNTERS = [
  'dropped',
  'inlined',
  'kept: used',
  'kept: stateful',
  'kept: used in an inner function',
] as const;

type Counter = (typeof COUNTERS)[number];

export interface DeadCodeOptions {
  /**
   * Substitutes a value that is used once, unless that would move it into a function, or it is of a
   * data type with arguments, which perhaps only the let determines.
   */
  readonly inlineOnce?: boolean;
  /** Treats everything as pure, for the results of partial evaluation and gradients. */
  readonly ignoreImpurity?: boolean;
}

/**
 * Drops the lets whose variable is not used, in chains to the end:
 *
 * ```
 * let %x = 1; let %y = 2; %z + %x      =>      let %x = 1; %z + %x
 * ```
 *
 * A value whose evaluation is stateful stays exactly where it is; one that may fail or diverge
 * without being stateful is dropped (decision
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15)).
 *
 * **Complexity** linear in the function.
 */
export const deadCodeElimination: ConfigurablePass<DeadCodeOptions> = configurable(
  { inlineOnce: aBoolean, ignoreImpurity: aBoolean },
  ({ inlineOnce = false, ignoreImpurity = false }) =>
    rewritingPass({
      name: 'DeadCodeElimination',
      doc: 'Removes bindings whose value is never used.',
      level: 1,
      requires: [inferType],
      counters: COUNTERS,
      isIdempotent: true,
      run: (f, m, context) => {
        const isStateful = (expr: Expr): boolean => !ignoreImpurity && isStatefulIn(m, expr);
        return refined(f, m, context.count, (mustKeep, count) =>
          withoutDeadCode(f, { m, isStateful, inlineOnce }, mustKeep, count),
        );
      },
    }),
);

interface Elimination {
  readonly m: IRModule;
  readonly isStateful: (expr: Expr) => boolean;
  readonly inlineOnce: boolean;
}

function withoutDeadCode(
  f: Func,
  elimination: Elimination,
  mustKeep: MustKeep,
  count: Count<Counter>,
): Func {
  const { m, isStateful, inlineOnce } = elimination;
  const { isKept } = visibleIn(f.body, m);
  const uses = liveUses(f.body, isStateful, isKept);
  const reached = (node: Expr): ReadonlyArray<Expr> =>
    node._tag === 'Let' && !uses.isKept(node) ? [node.body] : children(node);
  const order = postOrder(reached, [f.body], isKept);
  const inlined = inlineOnce
    ? usedOnce(f, elimination, order, reached, uses, mustKeep, count)
    : new Map<Var, Expr>();
  const step: Step = (node, get) => {
    const value = node._tag === 'Var' ? inlined.get(node) : undefined;
    if (value !== undefined) return get(value);
    if (node._tag !== 'Let') return undefined;
    const fate = fateOf(node, uses, inlined);
    count(fate);
    return fate === 'dropped' || fate === 'inlined' ? get(node.body) : undefined;
  };
  return rewriteFunc(f, m, step, order);
}

function fateOf(node: Let, uses: LiveUses, inlined: ReadonlyMap<Var, Expr>): Counter {
  if (!uses.isKept(node)) return 'dropped';
  if (inlined.has(node.variable)) return 'inlined';
  return uses.count(node.variable) === 0 ? 'kept: stateful' : 'kept: used';
}

/** The values of lets whose variable is used once, in its function, unless they are stateful. */
function usedOnce(
  f: Func,
  { m, isStateful }: Elimination,
  order: ReadonlyArray<Expr>,
  reached: (node: Expr) => ReadonlyArray<Expr>,
  uses: LiveUses,
  mustKeep: MustKeep,
  count: Count<Counter>,
): ReadonlyMap<Var, Expr> {
  // The function of each node; 'several' for a node that several share. Users come before their
  // parts.
  const owners = new Map<Expr, Func | 'several'>([[f.body, f]]);
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const owner = node._tag === 'Function' ? node : (owners.get(node) ?? 'several');
    for (const child of reached(node)) {
      const known = owners.get(child);
      owners.set(child, known === undefined || known === owner ? owner : 'several');
    }
  }
  const once = new Map<Var, Expr>();
  for (const node of order) {
    if (node._tag !== 'Let' || !uses.isKept(node) || uses.count(node.variable) !== 1) continue;
    const owner = owners.get(node);
    if (isStateful(node.value) || isContextual(m, node.value)) continue;
    if (owner !== 'several' && owners.get(node.variable) === owner) {
      if (!mustKeep(node.variable, node.value)) once.set(node.variable, node.value);
    } else count('kept: used in an inner function');
  }
  return once;
}
