/**
 * The scope of each node of a definition: the lowest common ancestor of its uses, so that a shared
 * node is written before all of them
 * ([language §8](https://batonjs.github.io/baton/spec/language#8)).
 */
import {
  childAt,
  commonScope,
  type Expr,
  innerScope,
  rootScope,
  type Scope,
  sortOf,
  walkExpr,
} from '@baton/ir';
import type { Doc } from './doc.ts';

/** A run of lines: the body of a function, a branch, a clause, or a let inside an expression. */
export interface PrintScope extends Scope {
  /** The text of the lines, each from its indentation to its line end. */
  readonly lines: Doc[];
  /** The indentation of the lines, settled by the first of them. */
  level: number;
}

/** The scope of a node, and its state. */
export interface Placement {
  readonly expr: Expr;
  /** The lowest common ancestor of the node's uses. */
  scope: PrintScope;
  /** The number of mentions: a node with more than one is shared. */
  uses: number;
  /** Whether the node ends a scope: such a let is a line of it. */
  isTail: boolean;
  /** The scopes that the node opens, in the order of the children with one. */
  inner: ReadonlyArray<PrintScope>;
  /** The text that mentions the node, once it has a line. */
  text: string | undefined;
}

export type Placements = ReadonlyMap<Expr, Placement>;

/** A scope inside `parent`. */
export function printScope(parent?: PrintScope): PrintScope {
  const { jump, depth } = parent === undefined ? rootScope() : innerScope(parent);
  return { parent, jump, depth, lines: [], level: 0 };
}

export const isAtom = (expr: Expr): boolean => sortOf(expr) !== 'compound';

const noScopes: ReadonlyArray<PrintScope> = [];

const makePlacement = (expr: Expr, scope: PrintScope): Placement => ({
  expr,
  scope,
  uses: 0,
  isTail: false,
  inner: noScopes,
  text: undefined,
});

/** The placements of everything below `root`, written in `scope`. **Complexity** O(n log depth). */
export function findPlacements(root: Expr, scope: PrintScope): Placements {
  const placements = new Map<Expr, Placement>();
  const order: Placement[] = [];
  const enter = (expr: Expr): boolean => {
    if (isAtom(expr) || placements.has(expr)) return false;
    placements.set(expr, makePlacement(expr, scope));
    return true;
  };
  walkExpr(root, enter, (expr) => order.push(placements.get(expr) as Placement));
  const mention = (child: Expr | undefined, at: PrintScope, isTail = false): void => {
    const placement = child === undefined || isAtom(child) ? undefined : placements.get(child);
    if (placement === undefined) return;
    placement.uses++;
    placement.isTail ||= isTail;
    // All scopes come from this print.
    if (placement.uses === 1) placement.scope = at;
    else if (placement.scope !== at) {
      placement.scope = (commonScope(placement.scope, at) ?? scope) as PrintScope;
    }
  };
  const mentionAll = (expr: Expr, at: PrintScope): void => {
    let i = 0;
    for (let child = childAt(expr, i); child !== undefined; child = childAt(expr, ++i)) {
      mention(child, at);
    }
  };
  mention(root, scope, true);
  // Parents come before children, so a node's placement is settled at its turn.
  for (let i = order.length - 1; i >= 0; i--) {
    const here = order[i] as Placement;
    const { expr, scope: at } = here;
    switch (expr._tag) {
      case 'Function':
        here.inner = [printScope(at)];
        mention(expr.body, here.inner[0] as PrintScope, true);
        break;
      case 'If': {
        const yes = printScope(at);
        const no = printScope(at);
        here.inner = [yes, no];
        mention(expr.cond, at);
        mention(expr.trueBranch, yes, true);
        mention(expr.falseBranch, no, true);
        break;
      }
      case 'Match':
        mention(expr.data, at);
        here.inner = expr.clauses.map(({ body }) => {
          const inner = printScope(at);
          mention(body, inner, true);
          return inner;
        });
        break;
      case 'Let': {
        const lines = here.isTail && here.uses === 1 ? at : printScope(at);
        here.inner = [lines];
        mention(expr.value, lines);
        mention(expr.body, lines, true);
        break;
      }
      default:
        mentionAll(expr, at);
    }
  }
  return placements;
}
