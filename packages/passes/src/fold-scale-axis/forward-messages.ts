/** The first phase of forward folding: the expressions whose users would all take a scale. */
import { type Call, children, type Expr, type Func, type IRModule } from '@baton/ir';
import { passagesOf, type ScaledPart, type ScalePassage, sameAxes } from '@baton/ops';
import { type Count, visibleIn } from '@baton/pass-manager';
import { answered, type ForwardCounter } from './counters.ts';
import { type FoldScaleAxisOptions, type ScaledCall, scaledCall, sideOf } from './site.ts';

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
  /** The equations of the calls that pass a scale on to their users. */
  readonly passages: ReadonlyMap<Call, ScalePassage>;
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
  count: Count<ForwardCounter>,
): ForwardPlan {
  const messages = new Map<Expr, ForwardMessage | undefined>([[f.body, undefined]]);
  const calls = new Map<Call, ScaledCall>();
  const passages = new Map<Call, ScalePassage>();
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
    const passage = message && passageOf(scaled, message, count);
    if (passage !== undefined) passages.set(node, passage);
    const sent = sentBy(scaled, message, passage, count);
    node.args.forEach((arg, at) => {
      send(arg, at === sent?.arg ? sent.message : undefined);
    });
  }
  return { order, messages, calls, passages };
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

/** The equation by which a call passes a scale of one argument, or of some fields, to its users. */
function passageOf(
  { fact, site }: ScaledCall,
  { axes }: ForwardMessage,
  count: Count<ForwardCounter>,
): ScalePassage | undefined {
  if (fact._tag === 'ScaleProduct' || fact._tag === 'ScaleBias') return undefined;
  const isForward = ({ carriers }: ScalePassage): boolean =>
    // Fields without a scale have ones in its place.
    carriers.every(({ field, slice }) =>
      field === undefined ? carriers.length === 1 : slice !== undefined && axes.length === 1,
    );
  const passage = passagesOf(fact, site, axes).find(isForward);
  if (fact._tag === 'ScaleSum') {
    const side = sideOf(passage);
    if (side !== 'both') count(`scaled side of a sum: ${side}`);
  } else if (fact._tag === 'ScaleMap') answered(count, 'axes kept', passage !== undefined);
  else if (fact._tag === 'ScaleConcatenation') {
    answered(count, 'concatenated along the axis', passage !== undefined);
  }
  return passage;
}

/** The message of a call to one of its arguments. */
function sentBy(
  { fact, site }: ScaledCall,
  message: ForwardMessage | undefined,
  passage: ScalePassage | undefined,
  count: Count<ForwardCounter>,
): { readonly arg: ScaledPart['arg']; readonly message: ForwardMessage } | undefined {
  if (fact._tag === 'ScaleProduct') {
    const axes = fact.input(site)?.tensor;
    answered(count, 'product takes it', axes !== undefined);
    return axes && { arg: 0, message: { axes, needsPositive: false, needsDivisor: false } };
  }
  const carrier = passage?.carriers[0];
  if (message === undefined || passage === undefined || carrier === undefined) return undefined;
  return {
    arg: carrier.arg,
    message: {
      axes: carrier.axes,
      needsPositive: message.needsPositive || passage.needsPositive,
      needsDivisor: message.needsDivisor || passage.companion !== undefined,
    },
  };
}
