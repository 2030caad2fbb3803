/** A number that changes when a pass mutates a module. */
import { hashText, mixHash } from '@baton/base';
import { children, type Expr, hashAttrs, type IRModule, postOrderExprs } from '@baton/ir';
import { hashTensor } from '@baton/tensor';

/**
 * A digest of everything in the functions of a module that a pass could mutate. The stored hashes
 * of nodes do not serve: they date from the construction of the nodes.
 *
 * **Complexity** linear in nodes, edges and the elements of constants.
 */
export function digestModule(m: IRModule): number {
  const order = postOrderExprs([...m.functions.values()]);
  const index = new Map(order.map((node, i) => [node, i]));
  let digest = hashText([...m.functions.keys()].join(' '));
  for (const node of order) {
    digest = mixHash(digest, ownDigest(node));
    for (const child of children(node)) digest = mixHash(digest, index.get(child) ?? -1);
  }
  return digest;
}

function ownDigest(node: Expr): number {
  const tag = hashText(node._tag);
  switch (node._tag) {
    case 'Var':
      return mixHash(mixHash(tag, hashText(node.nameHint)), node.typeAnnotation?.hash ?? 0);
    case 'GlobalVar':
    case 'Constructor':
      return mixHash(tag, hashText(node.nameHint));
    case 'Op':
      return mixHash(tag, hashText(node.name));
    case 'Constant':
      return mixHash(tag, hashTensor(node.data));
    case 'TupleGetItem':
      return mixHash(tag, node.index);
    case 'Call':
      return mixHash(tag, node.attrs === undefined ? 0 : hashAttrs(node.attrs));
    case 'Function':
      return mixHash(
        mixHash(mixHash(tag, hashAttrs(node.attrs)), node.retType?.hash ?? 0),
        node.params.length,
      );
    default:
      return tag;
  }
}
