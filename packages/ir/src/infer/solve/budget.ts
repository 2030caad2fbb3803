/**
 * The bound on the types that inference copies. Each use of a polymorphic function copies what is
 * generic in its type, so that a function of two calls has a type of twice the size: a text of a
 * few lines can ask for more memory than there is.
 */
import { type Analysis, analysis } from '@baton/base';
import type { Expr } from '../../expr/expr.ts';
import { type FuncType, mentionsTypeVars, pushTypeChildren, type Type } from '../../types/type.ts';

/** The parts of types that inference may copy in any program. */
const MIN_TYPE_PARTS = 2 ** 18;

/** The parts that it may copy for each visited node, up to {@link MANY_TYPE_PARTS}. */
const PARTS_PER_NODE = 512;

const MANY_TYPE_PARTS = 2 ** 22;

/** The parts for each visited node of a program so large that this is more. */
const PARTS_PER_NODE_OF_MANY = 64;

const defaultLimit = (nodes: number): number =>
  Math.max(
    MIN_TYPE_PARTS,
    Math.min(PARTS_PER_NODE * nodes, MANY_TYPE_PARTS),
    PARTS_PER_NODE_OF_MANY * nodes,
  );

/** The name of a function expression in messages. */
export function functionName(expr: Expr | undefined): string {
  let at = expr;
  while (at?._tag === 'Let' || at?._tag === 'Function') at = at.body;
  if (at?._tag === 'GlobalVar') return `@${at.nameHint}`;
  return at?._tag === 'Var' && at.nameHint !== '' ? `%${at.nameHint}` : 'a function';
}

/** The parts of types that a run of inference may still copy. */
export class TypeBudget {
  /** Whether a copy was refused. */
  isSpent = false;
  readonly #fixed: number | undefined;
  readonly #visited: () => number;
  #used = 0;

  /** `limit` is the number of parts; by default it follows from the number of nodes `visited`. */
  constructor(limit: number | undefined, visited: () => number = () => 0) {
    this.#fixed = limit;
    this.#visited = visited;
  }

  /** The number of parts that may be copied in all. */
  get limit(): number {
    return this.#fixed ?? defaultLimit(this.#visited());
  }

  /** Whether the function's type may be copied once more. */
  take(type: FuncType): boolean {
    if (this.isSpent) return false;
    this.#used += genericSize(type);
    this.isSpent = this.#used > this.limit;
    return !this.isSpent;
  }
}

/**
 * The number of distinct parts of a function's type that mention type parameters. A relation counts
 * as several: a copy of one waits, and is solved.
 *
 * **Complexity** linear in them at the first question about a type.
 */
export const genericSize: Analysis<FuncType, number> = analysis((root) => {
  const seen = new Set<Type>([root]);
  const isNew = (type: Type): Type | undefined => {
    if (!mentionsTypeVars(type) || seen.has(type)) return undefined;
    seen.add(type);
    return type;
  };
  const open: Type[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    pushTypeChildren(next, open, isNew);
  }
  return seen.size + PARTS_OF_RELATION * root.constraints.length;
});

const PARTS_OF_RELATION = 4;
