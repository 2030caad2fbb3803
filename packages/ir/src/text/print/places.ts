/**
 * Where each node of a definition is written: the scope that is the lowest common ancestor of its
 * uses, so that a shared node stands before all of them (language.md §8).
 */
import { commonScope, innerScope, rootScope, type Scope } from '../../analysis/scope-tree.ts';
import { children, postOrderExprs } from '../../expr/children.ts';
import type { Expr } from '../../expr/expr.ts';
import type { Doc } from './doc.ts';

/** A run of lines: the body of a function, a branch, a clause, or a let inside an expression. */
export interface PrintScope extends Scope {
  readonly lines: Doc[];
}

/** Where a node is written, and what has become of it. */
export interface Place {
  /** The lowest common ancestor of the node's uses. */
  scope: PrintScope;
  /** Whether more than one place mentions the node. */
  isShared: boolean;
  /** Whether the node ends a scope: a let that does is written as a line of it. */
  isTail: boolean;
  /** The scopes that the node opens, in the order of its children that have one. */
  inner: ReadonlyArray<PrintScope>;
  /** The text that mentions the node, once it has a line. */
  text: string | undefined;
}

/** The places of one definition. */
export type Places = ReadonlyMap<Expr, Place>;

/** A scope inside `parent`. */
export const printScope = (parent?: PrintScope): PrintScope => ({
  ...(parent === undefined ? rootScope() : innerScope(parent)),
  lines: [],
});

/** What always stands in place, and has no place of its own. */
export function isAtom(expr: Expr): boolean {
  switch (expr._tag) {
    case 'Var':
    case 'GlobalVar':
    case 'Constant':
    case 'Op':
    case 'Constructor':
    case 'TempExpr':
      return true;
    default:
      return false;
  }
}

const noScopes: ReadonlyArray<PrintScope> = [];

const place = (scope: PrintScope, isTail: boolean): Place => ({
  scope,
  isShared: false,
  isTail,
  inner: noScopes,
  text: undefined,
});

/**
 * Finds the places of everything below `root`, which is itself written in `scope`.
 *
 * **Complexity** O(n log depth).
 */
export function findPlaces(root: Expr, scope: PrintScope): Places {
  const order = postOrderExprs([root], isAtom);
  const places = new Map<Expr, Place>([[root, place(scope, true)]]);
  const mention = (child: Expr, at: PrintScope, isTail = false): void => {
    if (isAtom(child)) return;
    const known = places.get(child);
    if (known === undefined) {
      places.set(child, place(at, isTail));
      return;
    }
    known.isShared = true;
    known.isTail ||= isTail;
    // Scopes of a print are made from scopes of the same print.
    if (known.scope !== at) known.scope = (commonScope(known.scope, at) ?? scope) as PrintScope;
  };
  const open = (of: Place, bodies: ReadonlyArray<Expr>): void => {
    of.inner = bodies.map(() => printScope(of.scope));
    for (const [i, body] of bodies.entries()) mention(body, of.inner[i] as PrintScope, true);
  };
  // Parents come before children, so a node's place is settled when its turn comes.
  for (let i = order.length - 1; i >= 0; i--) {
    const expr = order[i] as Expr;
    const here = places.get(expr) as Place;
    const at = here.scope;
    switch (expr._tag) {
      case 'Call':
        for (const arg of expr.args) mention(arg, at);
        mention(expr.op, at);
        break;
      case 'Function':
        open(here, [expr.body]);
        break;
      case 'If':
        mention(expr.cond, at);
        open(here, [expr.trueBranch, expr.falseBranch]);
        break;
      case 'Match':
        mention(expr.data, at);
        open(
          here,
          expr.clauses.map((c) => c.body),
        );
        break;
      case 'Let': {
        const lines = here.isTail && !here.isShared ? at : printScope(at);
        here.inner = [lines];
        mention(expr.value, lines);
        mention(expr.body, lines, true);
        break;
      }
      default:
        for (const child of children(expr)) mention(child, at);
    }
  }
  return places;
}
