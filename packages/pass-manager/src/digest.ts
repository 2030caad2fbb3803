/** A number that changes when a pass mutates a module. */
import { hashNumber, hashText, mixHash } from '@baton/base';
import { type Expr, type IRModule, postOrderExprs } from '@baton/ir';
import { hashTensor, isTensor } from '@baton/tensor';

/** The fields of a node that a digest leaves out: a stored hash dates from the node's construction. */
const LEFT_OUT: ReadonlySet<string> = new Set(['hash', 'span']);

/**
 * A digest of everything in the functions of a module that a pass could mutate: every field of
 * every node, whatever its kind, down to the elements of constants.
 *
 * **Complexity** linear in nodes, edges and the elements of constants.
 */
export function digestModule(m: IRModule): number {
  const order = postOrderExprs([...m.functions.values()]);
  const index = new Map<unknown, number>(order.map((node, i) => [node, i]));
  let digest = hashText([...m.functions.keys()].join(' '));
  for (const node of order) digest = digestNode(node, index, digest);
  return digest;
}

function digestNode(node: Expr, index: ReadonlyMap<unknown, number>, start: number): number {
  let digest = start;
  const pending: unknown[] = [];
  const open = (value: object): void => {
    for (const [name, field] of Object.entries(value)) {
      if (!LEFT_OUT.has(name)) pending.push(name, field);
    }
  };
  for (open(node); pending.length > 0; ) {
    const value = pending.pop();
    const own = index.get(value) ?? leafDigest(value);
    if (own === undefined) open(value as object);
    else digest = mixHash(digest, own);
  }
  return digest;
}

/** The digest of what is not taken apart: `undefined` for a list or a record. */
function leafDigest(value: unknown): number | undefined {
  if (typeof value === 'string') return hashText(value);
  if (typeof value === 'number') return hashNumber(value);
  if (typeof value !== 'object' || value === null) return hashText(String(value));
  if (isTensor(value)) return hashTensor(value);
  // A type keeps a hash of all that it states.
  return 'hash' in value && typeof value.hash === 'number' ? value.hash : undefined;
}
