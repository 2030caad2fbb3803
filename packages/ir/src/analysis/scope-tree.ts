/**
 * A tree of scopes with lowest common ancestors in O(log depth): 50,000 nested lets are 50,000
 * scopes deep.
 *
 * **Source** Myers, An Applicative Random-Access Stack, 1983: each scope keeps one jump pointer.
 */

/** A scope. Made by {@link rootScope} and {@link innerScope}. */
export interface Scope {
  readonly parent: Scope | undefined;
  /** An ancestor far up, for access to any depth in O(log depth) steps. */
  readonly jump: Scope | undefined;
  readonly depth: number;
}

export const rootScope = (): Scope => ({ parent: undefined, jump: undefined, depth: 0 });

export function innerScope(parent: Scope): Scope {
  const { jump } = parent;
  const far = jump?.jump;
  const balanced =
    jump !== undefined && far !== undefined && parent.depth - jump.depth === jump.depth - far.depth;
  return { parent, jump: balanced ? far : parent, depth: parent.depth + 1 };
}

/** The innermost scope that contains both, or `undefined` if they belong to different trees. */
export function commonScope(a: Scope, b: Scope): Scope | undefined {
  let left: Scope | undefined = a;
  let right: Scope | undefined = b;
  if (left.depth < right.depth) [left, right] = [right, left];
  left = ancestorAt(left, right.depth);
  while (left !== right && left !== undefined && right !== undefined) {
    const jumps: boolean = left.jump !== right.jump;
    left = jumps ? left.jump : left.parent;
    right = jumps ? right.jump : right.parent;
  }
  return left;
}

/** Whether `outer` holds `inner`, or is it. */
export const encloses = (outer: Scope, inner: Scope): boolean =>
  inner.depth >= outer.depth && ancestorAt(inner, outer.depth) === outer;

function ancestorAt(scope: Scope, depth: number): Scope {
  let at = scope;
  while (at.depth > depth) {
    const { jump, parent } = at;
    const next = jump !== undefined && jump.depth >= depth ? jump : parent;
    if (next === undefined) break;
    at = next;
  }
  return at;
}
