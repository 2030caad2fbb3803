/** The second phase of forward folding: scales leave their multiplications and enter weights. */
import { InvariantError, mergeSpans, type Span } from '@baton/base';
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
  dimsOf,
  expandToAxes,
  isSafeDivisor,
  isScaleAlong,
  layAlongWeight,
  type ScaleSite,
  scaleAlong,
} from '@baton/ops';
import { type Count, inferType, operatorRow, rewritingPass } from '@baton/pass-manager';
import { full, isDType } from '@baton/tensor';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { constantOf } from '../facts.ts';
import { type ForwardRule, forwardRewrite } from '../forward-rewrite.ts';
import { type ForwardPlan, forwardPlan } from './forward-messages.ts';
import { leavesRange, type Passing, withoutLost } from './range.ts';
import {
  answered,
  FOLDING_NEEDS,
  FORWARD_ROWS,
  type ForwardRow,
  forwardOperators,
} from './rows.ts';
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
      rows: FORWARD_ROWS,
      operatorRows: forwardOperators,
      needs: FOLDING_NEEDS,
      run: (f, m, { count: counted }) =>
        withoutLost<ForwardRow>(counted, (excluded, lose, count) => {
          const plan = forwardPlan(f, m, options, count);
          const site = { m, plan, tuples: new Map<Expr, Tuple>(), options, excluded, lose, count };
          const rule: ForwardRule = (node, args) => {
            const known = plan.calls.get(node);
            const made = known && rewritten({ ...site, node, args, known });
            if (made !== undefined && node.op._tag === 'Op') {
              count(operatorRow(`forward ${node.op.name}`));
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
  /** The origin of the scale. */
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
  readonly count: Count<ForwardRow>;
}

function rewritten(r: Rewriting): Expr | undefined {
  const { fact, site } = r.known;
  if (fact._tag === 'ScaleOrigin') return released(r);
  if (fact._tag === 'ScaleConcatenation') return joined(r);
  const side = r.plan.scaledSide.get(r.node) ?? 0;
  const data = payloadOf(r.args[side]);
  if (data === undefined) return undefined;
  switch (fact._tag) {
    case 'ScaleMap': {
      const axes = r.plan.messages.get(r.node)?.axes;
      return axes && scaled({ ...data, value: withArgs(r, 0, data.value), axes });
    }
    case 'ScaleSum': {
      const rank = dimsOf(site.result)?.length ?? 0;
      const span = mergeSpans(r.node.span, data.origin);
      const divisor = expandToAxes(r.m.ops, data.scale, rank, data.axes, span);
      const other = r.args[1 - side];
      if (other === undefined) return undefined;
      const divided = callOp(r.m.ops, 'divide', [other, divisor], {}, span);
      checked(r, data, 'after', divided, other);
      const args = side === 0 ? [data.value, divided] : [divided, data.value];
      return scaled({ ...data, value: call(r.node.op, args, r.node) });
    }
    case 'ScaleProduct': {
      const meeting = fact.input(site);
      const weightType = site.args[1];
      const weight = r.args[1];
      if (meeting === undefined || weightType === undefined || !weight) return undefined;
      const span = mergeSpans(r.node.span, data.origin);
      const laid = layAlongWeight(r.m.ops, data.scale, weightType, meeting.weight, span);
      const scaledWeight = callOp(r.m.ops, 'multiply', [weight, laid], {}, span);
      checked(r, data, 'into a weight', scaledWeight, weight);
      return call(r.node.op, [data.value, scaledWeight, ...r.args.slice(2)], { ...r.node, span });
    }
    case 'ScaleBias':
      return undefined;
  }
}

/** Keeps the scale where it was if moving it makes a value leave the range of its type. */
function checked(
  r: Rewriting,
  data: ScaledExpr,
  passing: Passing,
  made: Expr,
  operand: Expr,
): void {
  const { m, known } = r;
  if (leavesRange({ m, known, scale: data.scale, passing, made, operand })) {
    data.from.forEach(r.lose);
  }
}

/** A multiplication gives up its scale if its message allows it. */
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
function joined(r: Rewriting): Expr | undefined {
  const [fields] = r.args;
  const axes = r.plan.messages.get(r.node)?.axes;
  if (fields?._tag !== 'Tuple' || axes === undefined) return undefined;
  const payloads = fields.fields.map(payloadOf);
  const origins = payloads.flatMap((p) => (p === undefined ? [] : [p.origin]));
  if (origins.length === 0) return undefined;
  const origin = origins.reduce((all, one) => mergeSpans(all, one), undefined);
  const scales: Expr[] = [];
  for (const [at, payload] of payloads.entries()) {
    const ones = payload?.scale ?? onesAlong(r.known.site, at, axes[0] ?? 0, origin);
    if (ones === undefined) throw new InvariantError('a concatenated scale has known sizes');
    scales.push(ones);
  }
  const values = r.tuples.get(fields) ?? tuple(fields.fields.map(unscaled), fields.span);
  r.tuples.set(fields, values);
  const scale = callOp(r.m.ops, 'concatenate', [tuple(scales, origin)], { axis: 0 }, origin);
  const from = payloads.flatMap((payload) => payload?.from ?? []);
  return scaled({ value: withArgs(r, 0, values), axes, scale, origin, from });
}

/** A vector of ones, as long as field `at` of a tuple along `axis`. */
function onesAlong(
  site: ScaleSite,
  at: number,
  axis: number,
  span: Span | undefined,
): Expr | undefined {
  const [type] = site.args;
  const field = type?._tag === 'TupleType' ? type.fields[at] : undefined;
  const size = dimsOf(field)?.[axis];
  const dtype = field?._tag === 'TensorType' ? field.dtype : undefined;
  if (typeof size !== 'number' || !isDType(dtype)) return undefined;
  return constant(full([size], dtype, 1), span);
}

function withArgs(r: Rewriting, at: number, value: Expr): Call {
  return call(
    r.node.op,
    r.args.map((arg, i) => (i === at ? value : arg)),
    r.node,
  );
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
