/** BindEffects: the step before ToGraphNormalForm in functions with effects. */
import { right } from '@baton/base';
import {
  children,
  type Expr,
  type Func,
  foldExpr,
  type IRModule,
  isStateful,
  opensBlock,
} from '@baton/ir';
import { inferType, type Pass, pass, visibleIn } from '@baton/pass-manager';
import { functionBlocks } from './blocks.ts';
import { fillBlocks } from './let-insertion.ts';
import { type Formed, inRounds } from './rounds.ts';

/** For each node, whether it reads, writes or makes a reference, or calls what does. */
export function effectsIn(order: ReadonlyArray<Expr>, m: IRModule): (node: Expr) => boolean {
  const effects = foldExpr<boolean>(
    order,
    (node, get) =>
      node._tag === 'RefCreate' ||
      isStateful(m, node) ||
      (node._tag !== 'Function' && children(node).some((child) => get(child) === true)),
  );
  return (node) => effects.get(node) === true;
}

/**
 * Binds effects inside bound values to variables of their own, in order of evaluation, so that the
 * rest of such a value has no effect:
 *
 * ```
 * let %y = nn.conv2d(%x, ref_read(%w)); nn.relu(%y)
 * =>
 * let %v = ref_read(%w); let %y = nn.conv2d(%x, %v); nn.relu(%y)
 * ```
 *
 * Functions without such a let stay as they are.
 */
export const bindEffects: Pass = pass({
  name: 'BindEffects',
  doc: 'Binds effects inside bound values to separate variables.',
  level: 1,
  requires: [inferType],
  counters: ['function'],
  run: (m, { count }) => right(inRounds(m, withBoundEffects, count)),
});

function withBoundEffects(f: Func, m: IRModule): Formed {
  const { order } = visibleIn(f.body, m);
  const hasEffect = effectsIn(order, m);
  const hasPart = (value: Expr): boolean =>
    children(value).some((part, i) => !opensBlock(value, i) && hasEffect(part));
  const isBound = order.some((node) => node._tag === 'Let' && hasPart(node.value));
  if (!isBound) return { f, isSettled: true };
  const filled = fillBlocks(f, m, functionBlocks(f, m, { nestsLets: false }), {
    binds: (node) => isOwnEffect(node, m) && hasEffect(node),
    namesConstants: false,
    namesDeferred: false,
    takesOver: false,
  });
  return { f: filled, isSettled: true };
}

/** Whether the effect of a node with an effect may be its own, not that which a part has. */
function isOwnEffect(node: Expr, m: IRModule): boolean {
  switch (node._tag) {
    case 'Tuple':
    case 'TupleGetItem':
    case 'Let':
      return false;
    case 'Call':
      if (node.op._tag === 'Op') return m.ops.get(node.op.name)?.effect === 'stateful';
      return node.op._tag !== 'Constructor';
    default:
      return true;
  }
}
