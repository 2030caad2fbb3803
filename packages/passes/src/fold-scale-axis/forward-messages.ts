/** The first phase of forward folding: the places that would consume a scale on an input. */
import { type Call, children, type Expr, type Func, type IRModule } from '@baton/ir';
import { isScaleAlong, mappedAxes } from '@baton/ops';
import { type Count, visibleIn } from '@baton/pass-manager';
import { answered, type ForwardRow } from './rows.ts';
import { type FoldScaleAxisOptions, type ScaledCall, sameAxes, scaledCall } from './site.ts';

/** Every user of an expression would consume a scale along `axes` of it. */
export interface ForwardMessage {
  readonly axes: ReadonlyArray<number>;
  readonly needsPositive: boolean;
  /** On the way to a user the scale divides an operand. */
  readonly needsDivisor: boolean;
}

/** The messages of a function, and the equations of its calls. */
export interface ForwardPlan {
  /** The nodes that are rewritten, children first. */
  readonly order: ReadonlyArray<Expr>;
  readonly messages: ReadonlyMap<Expr, ForwardMessage | undefined>;
  readonly calls: ReadonlyMap<Call, ScaledCall>;
  /** The argument of a sum that takes the message. */
  readonly scaledSide: ReadonlyMap<Call, 0 | 1>;
}

/**
 * Messages from users to their arguments. If a user cannot consume a scale and sends none, no other
 * user's message counts.
 *
 * **Complexity** linear in the function.
 */
export function forwardPlan(
  f: Func,
  m: IRModule,
  options: FoldScaleAxisOptions,
  count: Count<ForwardRow>,
): ForwardPlan {
  const messages = new Map<Expr, ForwardMessage | undefined>([[f.body, undefined]]);
  const calls = new Map<Call, ScaledCall>();
  const scaledSide = new Map<Call, 0 | 1>();
  const send = (to: Expr, message: ForwardMessage | undefined): void => {
    if (!messages.has(to)) {
      messages.set(to, message);
      return;
    }
    const known = messages.get(to);
    const agreed = intersect(known, message);
    const isAsked = known !== undefined || message !== undefined;
    if (isAsked) answered(count, 'users agree', agreed !== undefined);
    messages.set(to, agreed);
  };
  const { order } = visibleIn(f.body, m);
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const message = messages.get(node);
    if (node._tag === 'Tuple') {
      // Only a concatenation sends a message to a tuple, for its fields.
      for (const field of node.fields) send(field, message);
      continue;
    }
    const scaled = node._tag === 'Call' ? scaledCall(m, node, options) : undefined;
    if (node._tag !== 'Call' || scaled === undefined) {
      for (const child of children(node)) send(child, undefined);
      continue;
    }
    calls.set(node, scaled);
    const side = scaled.fact._tag === 'ScaleSum' ? sideOf(scaled, message, count) : 0;
    if (side !== undefined) scaledSide.set(node, side);
    const sent = side === undefined ? undefined : messageToArgument(scaled, message, count);
    node.args.forEach((arg, at) => {
      send(arg, at === side ? sent : undefined);
    });
  }
  return { order, messages, calls, scaledSide };
}

function intersect(
  a: ForwardMessage | undefined,
  b: ForwardMessage | undefined,
): ForwardMessage | undefined {
  if (a === undefined || b === undefined || !sameAxes(a.axes, b.axes)) return undefined;
  return {
    axes: a.axes,
    needsPositive: a.needsPositive || b.needsPositive,
    needsDivisor: a.needsDivisor || b.needsDivisor,
  };
}

/** The side of a sum whose other side the scale divides. */
function sideOf(
  { site }: ScaledCall,
  message: ForwardMessage | undefined,
  count: Count<ForwardRow>,
): 0 | 1 | undefined {
  if (message === undefined) return undefined;
  const [left, right] = site.args;
  if (isScaleAlong(left, right, message.axes)) {
    count('scaled side of a sum: left');
    return 0;
  }
  const isRight = isScaleAlong(right, left, message.axes);
  count(isRight ? 'scaled side of a sum: right' : 'scaled side of a sum: none');
  return isRight ? 1 : undefined;
}

/** The message for the scaled argument of a call. */
function messageToArgument(
  { fact, site }: ScaledCall,
  message: ForwardMessage | undefined,
  count: Count<ForwardRow>,
): ForwardMessage | undefined {
  if (fact._tag === 'ScaleProduct') {
    const axes = fact.input(site)?.tensor;
    answered(count, 'product takes it', axes !== undefined);
    return axes && { axes, needsPositive: false, needsDivisor: false };
  }
  if (message === undefined) return undefined;
  switch (fact._tag) {
    case 'ScaleSum':
      return { ...message, needsDivisor: true };
    case 'ScaleMap': {
      const map = fact.axes(site);
      const axes = map && mappedAxes(message.axes, (axis) => map[axis]);
      answered(count, 'axes kept', axes !== undefined);
      return (
        axes && { ...message, axes, needsPositive: message.needsPositive || fact.needsPositive }
      );
    }
    case 'ScaleConcatenation': {
      const along = message.axes.length === 1 && message.axes[0] === fact.axis(site);
      return answered(count, 'concatenated along the axis', along) ? message : undefined;
    }
    default:
      return undefined;
  }
}
