/** The second phase of forward folding: scales leave their multiplications and enter weights. */
import { InvariantError, invariant, mergeSpans, type Span } from '@baton/base';
import {
  type Call,
  call,
  constant,
  type Expr,
  type IRModule,
  isContextual,
  isStateful,
  type TempExpr,
  type Tuple,
  tempExpr,
  tuple,
} from '@baton/ir';
import {
  callOp,
  dtypeOf,
  isSafeDivisor,
  isScaleAlong,
  type ScaledPart,
  type ScalePassage,
  scaleAlong,
} from '@baton/ops';
import { type Count, inferType, operatorCounter, rewritingPass } from '@baton/pass-manager';
import { full, isDType } from '@baton/tensor';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { constantOf } from '../facts.ts';
import { type ForwardRule, forwardRewrite } from '../forward-rewrite.ts';
import {
  answered,
  FOLDING_NEEDS,
  FORWARD_COUNTERS,
  type ForwardCounter,
  forwardOperators,
} from './counters.ts';
import { type ForwardPlan, forwardPlan } from './forward-messages.ts';
import { withoutLost, withScale } from './range.ts';
import {
  FOLD_SCALE_AXIS_TYPES,
  type FoldScaleAxisOptions,
  mayScale,
  type ScaledCall,
} from './site.ts';

/**
 * Moves scales on the inputs of convolutions and products into their weights:
 *
 * ```
 * %0 = multiply(%x, s); %1 = nn.relu(%0); nn.conv2d(%1, %w)      (s positive, of shape (C, 1, 1))
 * =>
 * %0 = nn.relu(%x); %1 = squeeze(s, axis=[1, 2]);
 * %2 = multiply(%w, expand_dims(%1, axis=1, num_newaxis=2)); nn.conv2d(%0, %2)
 * ```
 *
 * A multiplication gives up its scale only if every user passes it on until a weight takes it.
 *
 * **Complexity** linear in the function.
 */
export const forwardFoldScaleAxis: ConfigurablePass<FoldScaleAxisOptions> = configurable(
  FOLD_SCALE_AXIS_TYPES,
  (options) =>
    rewritingPass({
      name: 'ForwardFoldScaleAxis',
      doc: 'Moves scales on the inputs of convolutions and products into their weights.',
      subject: 'scales',
      level: 3,
      requires: [inferType],
      counters: FORWARD_COUNTERS,
      operatorCounters: forwardOperators,
      needs: FOLDING_NEEDS,
      run: (f, m, { count: counted }) =>
        withoutLost<ForwardCounter>(counted, (excluded, lose, count) => {
          const plan = forwardPlan(f, m, options, count);
          const site = { m, plan, tuples: new Map<Expr, Tuple>(), options, excluded, lose, count };
          const rule: ForwardRule = (node, args) => {
            const known = plan.calls.get(node);
            const made = known && rewritten({ ...site, node, args, known });
            if (made !== undefined && node.op._tag === 'Op') {
              count(operatorCounter(`forward ${node.op.name}`));
            }
            return made;
          };
          const mayProject = (tuple: Expr): boolean =>
            !isStateful(m, tuple) && !isContextual(m, tuple);
          return forwardRewrite(f, rule, { order: plan.order, mayProject });
        }),
    }),
);

/** A value whose scale is still to be multiplied later. */
interface ScaledExpr {
  readonly value: Expr;
  readonly axes: ReadonlyArray<number>;
  /** One axis for each of `axes`. */
  readonly scale: Expr;
  readonly origin: Span | undefined;
  /** The multiplications that gave it up. */
  readonly from: ReadonlyArray<Call>;
}

interface Rewriting {
  readonly m: IRModule;
  readonly node: Call;
  readonly args: ReadonlyArray<Expr>;
  readonly plan: ForwardPlan;
  readonly known: ScaledCall;
  /** Literal tuples without the scales of their fields. */
  readonly tuples: Map<Expr, Tuple>;
  readonly options: FoldScaleAxisOptions;
  /** The multiplications that keep their scale. */
  readonly excluded: ReadonlySet<Call>;
  /** Takes a multiplication whose scale leaves the range of its type elsewhere. */
  readonly lose: (origin: Call) => void;
  readonly count: Count<ForwardCounter>;
}

function rewritten(r: Rewriting): Expr | undefined {
  const { fact, site } = r.known;
  if (fact._tag === 'ScaleOrigin') return released(r);
  if (fact._tag === 'ScaleProduct') {
    const data = payloadOf(r.args[0]);
    const weight = fact.input(site)?.weight;
    return data && weight && beside(r, data, 0, { arg: 1, axes: weight });
  }
  const passage = r.plan.passages.get(r.node);
  const axes = r.plan.messages.get(r.node)?.axes;
  const [carrier] = passage?.carriers ?? [];
  if (passage === undefined || axes === undefined || carrier === undefined) return undefined;
  if (carrier.field !== undefined) return joined(r, passage, axes);
  const data = payloadOf(r.args[carrier.arg]);
  return data && scaled({ ...data, value: beside(r, data, carrier.arg, passage.companion), axes });
}

/** The call of a value without its scale, which an operand takes if the equation has one. */
function beside(
  { m, node, args, known, lose }: Rewriting,
  { value, scale, origin, from }: ScaledExpr,
  at: number,
  companion: ScaledPart | undefined,
): Call {
  const others = args.with(at, value);
  if (companion === undefined) return call(node.op, others, node);
  const passing = { m, node, args: others, known, scale, origin, passing: 'after' } as const;
  return withScale(passing, companion, () => from.forEach(lose));
}

/** Moves the scale of a multiplication on if its message allows it. */
function released(r: Rewriting): Expr | undefined {
  const message = r.plan.messages.get(r.node);
  if (message === undefined || r.excluded.has(r.node)) return undefined;
  const { args } = r.known.site;
  let isAlong = false;
  for (const side of [0, 1]) {
    const [value, scale] = [r.args[side], r.args[1 - side]];
    const [valueType, scaleType] = [args[side], args[1 - side]];
    const operand = r.node.args[1 - side];
    if (!value || !scale || !valueType || !scaleType || !operand) return undefined;
    if (!isScaleAlong(valueType, scaleType, message.axes)) continue;
    isAlong = true;
    r.count('scale along the axes: yes');
    const needs = { positive: message.needsPositive, constant: r.options.constantsOnly === true };
    if (!mayScale(r.m, operand, scale, needs, r.count)) continue;
    const divisor = constantOf(scale);
    const isSafe = divisor !== undefined && isSafeDivisor(divisor);
    if (message.needsDivisor && !answered(r.count, 'safe divisor', isSafe)) continue;
    const { span } = r.node;
    const vector = scaleAlong(r.m.ops, valueType, scale, scaleType, message.axes, span);
    return scaled({ value, axes: message.axes, scale: vector, origin: span, from: [r.node] });
  }
  if (!isAlong) r.count('scale along the axes: no');
  return undefined;
}

/** A concatenation with some scaled fields: the scales are concatenated, too. */
function joined(
  r: Rewriting,
  { carriers }: ScalePassage,
  axes: ReadonlyArray<number>,
): Expr | undefined {
  const [fields] = r.args;
  if (fields?._tag !== 'Tuple') return undefined;
  const payloads = fields.fields.map(payloadOf);
  const known = payloads.filter((payload) => payload !== undefined);
  if (known.length === 0) return undefined;
  const origin = known.reduce<Span | undefined>(
    (all, one) => mergeSpans(all, one.origin),
    undefined,
  );
  const dtype = dtypeOf(r.known.site.result);
  invariant(isDType(dtype), 'a concatenation with a scale has an element type');
  const scales = carriers.map(({ slice }, at) => {
    const size = slice === undefined ? 1 : slice.end - slice.begin;
    return payloads[at]?.scale ?? constant(full([size], dtype, 1), origin);
  });
  const values = r.tuples.get(fields) ?? tuple(fields.fields.map(unscaled), fields.span);
  r.tuples.set(fields, values);
  const scale = callOp(r.m.ops, 'concatenate', [tuple(scales, origin)], { axis: 0 }, origin);
  return scaled({
    value: call(r.node.op, r.args.with(0, values), r.node),
    axes,
    scale,
    origin,
    from: known.flatMap(({ from }) => from),
  });
}

/** A value with a scale. Realising it is a bug: the messages promise that each scale is taken. */
function scaled(payload: ScaledExpr): TempExpr {
  return tempExpr(
    payload,
    () => {
      throw new InvariantError('outstanding scale: a user of a scaled expression took no scale');
    },
    payload.origin,
  );
}

/** The payload of a scaled expression. Every `TempExpr` of this pass has one. */
const payloadOf = (expr: Expr | undefined): ScaledExpr | undefined =>
  expr?._tag === 'TempExpr' ? (expr.payload as ScaledExpr) : undefined;

const unscaled = (expr: Expr): Expr => payloadOf(expr)?.value ?? expr;
