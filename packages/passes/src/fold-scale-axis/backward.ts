/** The last phase of backward folding: scales enter the weights of the scaled results. */
import { invariant, postOrder, remember } from '@baton/base';
import { type Call, children, type Expr, type IRModule, type Step, typeOf } from '@baton/ir';
import { callOp, scaleAlong } from '@baton/ops';
import {
  type Count,
  inferType,
  operatorCounter,
  rewriteFunc,
  rewritingPass,
  visibleIn,
} from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import {
  type BackwardPlan,
  backwardPlan,
  type IncomingScale,
  type ScaleSource,
} from './backward-messages.ts';
import {
  BACKWARD_COUNTERS,
  type BackwardCounter,
  backwardOperators,
  FOLDING_NEEDS,
} from './counters.ts';
import { leavesRange, type PassingScale, withoutLost, withScale } from './range.ts';
import { FOLD_SCALE_AXIS_TYPES, type FoldScaleAxisOptions } from './site.ts';

/**
 * Moves scales on the results of convolutions and products into their weights:
 *
 * ```
 * %0 = nn.conv2d(%x, %w); %1 = add(%0, %b); multiply(%1, s)            (s of shape (C, 1, 1))
 * =>
 * %0 = squeeze(s, axis=[1, 2]); %1 = multiply(%w, expand_dims(%0, axis=1, num_newaxis=3));
 * %2 = nn.conv2d(%x, %1);
 * add(%2, multiply(%b, expand_dims(%0, axis=1, num_newaxis=2)))
 * ```
 *
 * **Complexity** linear in the function.
 */
export const backwardFoldScaleAxis: ConfigurablePass<FoldScaleAxisOptions> = configurable(
  FOLD_SCALE_AXIS_TYPES,
  (options) =>
    rewritingPass({
      name: 'BackwardFoldScaleAxis',
      doc: 'Moves scales on the results of convolutions and products into their weights.',
      subject: 'scales',
      level: 3,
      requires: [inferType],
      counters: BACKWARD_COUNTERS,
      operatorCounters: backwardOperators,
      needs: FOLDING_NEEDS,
      run: (f, m, { count: counted }) =>
        withoutLost<BackwardCounter>(counted, (excluded, lose, count) => {
          const { order, isKept } = visibleIn(f.body, m);
          const plan = backwardPlan(f, m, { ...options, excluded }, order, count);
          if (plan.sources.size === 0) return f;
          // A scale is needed before the expression that it enters. It never depends on that
          // expression: each one from there up to the multiplication has one reference, and the last
          // reference is the scaled side.
          const neededBy = (node: Expr): ReadonlyArray<Expr> => {
            const scale = plan.incoming.get(node);
            return scale === undefined ? children(node) : [scale.origin.operand, ...children(node)];
          };
          const scales = new Map<ScaleSource, Expr>();
          const step: Step = (node, get) => rewritten({ m, plan, get, scales, lose, count }, node);
          return rewriteFunc(f, m, step, postOrder(neededBy, [f.body], isKept));
        }),
    }),
);

interface Rewriting {
  readonly m: IRModule;
  readonly plan: BackwardPlan;
  readonly get: (node: Expr) => Expr;
  /** The scales of multiplications, one axis for each axis along which they vary. */
  readonly scales: Map<ScaleSource, Expr>;
  /** Takes a multiplication whose scale leaves the range of its type elsewhere. */
  readonly lose: (origin: Call) => void;
  readonly count: Count<BackwardCounter>;
}

function rewritten(r: Rewriting, node: Expr): Expr | undefined {
  if (node._tag !== 'Call' || node.op._tag !== 'Op') return undefined;
  const source = r.plan.sources.get(node);
  const scale = r.plan.incoming.get(node);
  const known = r.plan.calls.get(node);
  if (source !== undefined || (scale !== undefined && known !== undefined)) {
    r.count(operatorCounter(`backward ${node.op.name}`));
  }
  if (source !== undefined) return r.get(source.scaled);
  if (scale === undefined || known === undefined) return undefined;
  const message = r.plan.messages.get(node);
  invariant(message, 'a call that takes a scale says how');
  const { companion } = message.passage;
  const lose = (): void => r.lose(scale.origin.node);
  const passing: PassingScale = {
    m: r.m,
    node,
    args: node.args.map(r.get),
    known,
    scale: vector(r, scale),
    origin: scale.origin.node.span,
    passing: 'before',
  };
  if (companion !== undefined) return withScale(passing, companion, lose);
  if (leavesRange(passing)) lose();
  return undefined;
}

/** The arriving scale: the multiplication's, or the part of it for this node. */
function vector(r: Rewriting, { origin, part }: IncomingScale): Expr {
  const whole = remember(r.scales, origin, () => wholeVector(r, origin));
  if (part === undefined) return whole;
  const attrs = { begin: [part.begin], end: [part.end], strides: [1] };
  return callOp(r.m.ops, 'strided_slice', [whole], attrs, origin.node.span);
}

function wholeVector(r: Rewriting, { node, scaled, operand, axes }: ScaleSource): Expr {
  const [scaledType, operandType] = [typeOf(r.m, scaled), typeOf(r.m, operand)];
  invariant(scaledType && operandType, 'a multiplication that gives up its scale has types');
  return scaleAlong(r.m.ops, scaledType, r.get(operand), operandType, axes, node.span);
}
