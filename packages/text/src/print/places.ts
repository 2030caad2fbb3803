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
export interface Place {
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

export type Places = ReadonlyMap<Expr, Place>;

/** A scope inside `parent`. */
export function printScope(parent?: PrintScope): PrintScope {
  const { jump, depth } = parent === undefined ? rootScope() : innerScope(parent);
  return { parent, jump, depth, lines: [], level: 0 };
}

export const isAtom = (expr: Expr): boolean => sortOf(expr) !== 'compound';

const noScopes: ReadonlyArray<PrintScope> = [];

const makePlace = (expr: Expr, scope: PrintScope): Place => ({
  expr,
  scope,
  uses: 0,
  isTail: false,
  inner: noScopes,
  text: undefined,
});

/**
 * The places of everything below `root`, which is itself written in `scope`.
 *
 * **Complexity** O(n log depth).
 */
export function findPlaces(root: Expr, scope: PrintScope): Places {
  const places = new Map<Expr, Place>();
  const order: Place[] = [];
  const enter = (expr: Expr): boolean => {
    if (isAtom(expr) || places.has(expr)) return false;
    places.set(expr, makePlace(expr, scope));
    return true;
  };
  walkExpr(root, enter, (expr) => order.push(places.get(expr) as Place));
  const mention = (child: Expr | undefined, at: PrintScope, isTail = false): void => {
    const place = child === undefined || isAtom(child) ? undefined : places.get(child);
    if (place === undefined) return;
    place.uses++;
    place.isTail ||= isTail;
    // All scopes come from this print.
    if (place.uses === 1) place.scope = at;
    else if (place.scope !== at) {
      place.scope = (commonScope(place.scope, at) ?? scope) as PrintScope;
    }
  };
  const mentionAll = (expr: Expr, at: PrintScope): void => {
    let i = 0;
    for (let child = childAt(expr, i); child !== undefined; child = childAt(expr, ++i)) {
      mention(child, at);
    }
  };
  mention(root, scope, true);
  // Parents come before children, so a node's place is settled at its turn.
  for (let i = order.length - 1; i >= 0; i--) {
    const here = order[i] as Place;
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
  return places;
}
