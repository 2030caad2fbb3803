/** Finds whether a block needs a node on every way through. */
import type { Scope } from '@baton/ir';

/** Blocks of which exactly one is evaluated whenever `block` is. */
export interface Alternatives {
  readonly block: Scope;
  readonly count: number;
}

/** Whether every complete evaluation of `home` evaluates one of the blocks. */
export function isDemanded(
  home: Scope,
  blocks: ReadonlyArray<Scope>,
  alternatives: ReadonlyMap<Scope, Alternatives>,
): boolean {
  const demanding = new Set(blocks);
  const counts = new Map<Alternatives, number>();
  for (const block of demanding) {
    const among = alternatives.get(block);
    if (among === undefined) continue;
    const count = (counts.get(among) ?? 0) + 1;
    counts.set(among, count);
    // A block demands the node if all of its alternatives do.
    if (count === among.count) demanding.add(among.block);
  }
  return demanding.has(home);
}
