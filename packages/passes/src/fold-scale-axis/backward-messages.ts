/** The first phases of backward folding: the scales that results can take, and do get. */
import { invariant } from '@baton/base';
import { type Call, type Expr, type Func, type IRModule, referenceCounts } from '@baton/ir';
import {
  isScaleAlong,
  passagesOf,
  resultAxes,
  type ScaledPart,
  type ScalePassage,
  sameAxes,
} from '@baton/ops';
import type { Count } from '@baton/pass-manager';
import { answered, type BackwardCounter } from './counters.ts';
import {
  type FoldScaleAxisOptions,
  mayScale,
  partOf,
  type ScaledCall,
  scaledCall,
  sideOf,
} from './site.ts';

/** An expression's ability to absorb a scale on its result. */
export interface BackwardMessage {
  readonly axes: ReadonlyArray<number>;
  readonly needsPositive: boolean;
  /** The equation by which the call takes it. */
  readonly passage: ScalePassage;
}

/** The scale that an expression gets, or a part of it: elements from `begin` to `end`. */
export interface IncomingScale {
  readonly origin: ScaleSource;
  readonly part: ScaledPart['slice'];
}

/** A multiplication whose scale moves. */
export interface ScaleSource {
  readonly node: Call;
  readonly scaled: Expr;
  readonly operand: Expr;
  readonly axes: ReadonlyArray<number>;
}

export interface BackwardPlan {
  readonly messages: ReadonlyMap<Expr, BackwardMessage>;
  readonly calls: ReadonlyMap<Call, ScaledCall>;
  readonly sources: ReadonlyMap<Call, ScaleSource>;
  readonly incoming: ReadonlyMap<Expr, IncomingScale>;
}

export interface BackwardOptions extends FoldScaleAxisOptions {
  /** The multiplications that keep their scale. */
  readonly excluded?: ReadonlySet<Call>;
}

/**
 * Messages from arguments to users, then scales from multiplications down to the calls that take
 * them. Only a call with one reference has a message: other users would see a scale taken in for
 * one.
 *
 * `order` holds the nodes of the function, children first.
 *
 * **Complexity** linear in the function.
 */
export function backwardPlan(
  f: Func,
  m: IRModule,
  options: BackwardOptions,
  order: ReadonlyArray<Expr>,
  count: Count<BackwardCounter>,
): BackwardPlan {
  const references = referenceCounts([f.body], order);
  const calls = new Map<Call, ScaledCall>();
  const messages = new Map<Expr, BackwardMessage>();
  for (const node of order) {
    const known = node._tag === 'Call' ? scaledCall(m, node, options) : undefined;
    if (node._tag !== 'Call' || known === undefined) continue;
    calls.set(node, known);
    const message = messageOf(node, known, messages, references, count);
    if (message === undefined) continue;
    const isSingle = references.get(node) === 1;
    if (answered(count, 'single use', isSingle)) messages.set(node, message);
  }

  const sources = new Map<Call, ScaleSource>();
  const incoming = new Map<Expr, IncomingScale>();
  for (let i = order.length - 1; i >= 0; i--) {
    const node = order[i] as Expr;
    const known = node._tag === 'Call' ? calls.get(node) : undefined;
    if (node._tag !== 'Call' || known === undefined) continue;
    if (known.fact._tag === 'ScaleOrigin') {
      if (options.excluded?.has(node)) continue;
      const source = sourceOf(m, node, known, messages, options, count);
      if (source === undefined) continue;
      sources.set(node, source);
      incoming.set(source.scaled, { origin: source, part: undefined });
    } else {
      const scale = incoming.get(node);
      if (scale !== undefined) passDown(node, scale, messages, incoming, count);
    }
  }
  return { messages, calls, sources, incoming };
}

/** The message of a call: the first equation whose carriers all take their scale. */
function messageOf(
  node: Call,
  { fact, site }: ScaledCall,
  messages: ReadonlyMap<Expr, BackwardMessage>,
  references: ReadonlyMap<Expr, number>,
  count: Count<BackwardCounter>,
): BackwardMessage | undefined {
  const below = node.args
    .flatMap((arg) => (arg._tag === 'Tuple' ? arg.fields : [arg]))
    .flatMap((arg) => messages.get(arg) ?? []);
  if (fact._tag === 'ScaleOrigin') return undefined;
  if (fact._tag !== 'ScaleProduct' && below.length === 0) return undefined;
  const taken = (part: ScaledPart): BackwardMessage | undefined => {
    const message = messages.get(partOf(node, part));
    // Another user of a tuple would see its fields scaled. A scale along several axes has no parts.
    const isOwn = part.field === undefined || references.get(node.args[part.arg] as Expr) === 1;
    const isWhole = part.slice === undefined || part.axes.length === 1;
    return isOwn && isWhole && message && sameAxes(message.axes, part.axes) ? message : undefined;
  };
  const through = (axes: ReadonlyArray<number>): ReadonlyArray<BackwardMessage> =>
    passagesOf(fact, site, axes).flatMap((passage) => {
      const carriers = passage.carriers.map(taken);
      if (carriers.includes(undefined)) return [];
      const isPositive = passage.needsPositive || carriers.some((to) => to?.needsPositive);
      return [{ axes, needsPositive: isPositive, passage }];
    });
  const candidates =
    fact._tag === 'ScaleProduct'
      ? [fact.output(site)?.tensor]
      : below.map(({ axes }) => resultAxes(fact, site, axes));
  const [message] = candidates.flatMap((axes) => (axes === undefined ? [] : through(axes)));
  if (fact._tag === 'ScaleSum') count(`scaled side of a sum: ${sideOf(message?.passage)}`);
  else answered<Question>(count, QUESTIONS[fact._tag], message !== undefined);
  return message;
}

const QUESTIONS = {
  ScaleProduct: 'product takes it',
  ScaleBias: 'bias on the axis',
  ScaleMap: 'axes kept',
  ScaleConcatenation: 'every field takes it',
} as const;

type Question = (typeof QUESTIONS)[keyof typeof QUESTIONS];

/** The multiplication as a source, if one side takes the other as its scale. */
function sourceOf(
  m: IRModule,
  node: Call,
  { site }: ScaledCall,
  messages: ReadonlyMap<Expr, BackwardMessage>,
  options: FoldScaleAxisOptions,
  count: Count<BackwardCounter>,
): ScaleSource | undefined {
  for (const side of [0, 1]) {
    const [scaled, operand] = [node.args[side], node.args[1 - side]];
    const message = scaled && messages.get(scaled);
    if (message === undefined || scaled === undefined || operand === undefined) continue;
    const isAlong = isScaleAlong(site.args[side], site.args[1 - side], message.axes);
    answered(count, 'scale along the axes', isAlong);
    const needs = { positive: message.needsPositive, constant: options.constantsOnly === true };
    if (!isAlong || !mayScale(m, operand, operand, needs, count)) continue;
    return { node, scaled, operand, axes: message.axes };
  }
  return undefined;
}

/** Passes the scale of a call to its carriers; a field gets its part. */
function passDown(
  node: Call,
  { origin, part: whole }: IncomingScale,
  messages: ReadonlyMap<Expr, BackwardMessage>,
  incoming: Map<Expr, IncomingScale>,
  count: Count<BackwardCounter>,
): void {
  const message = messages.get(node);
  invariant(message, 'a scale goes to what has said that it can take one');
  const { carriers } = message.passage;
  const [first] = carriers;
  if (first?.field !== undefined) {
    answered(count, 'concatenated along the axis', first.slice !== undefined);
  }
  for (const carrier of carriers) {
    const { slice } = carrier;
    const begin = whole?.begin ?? 0;
    const part = slice && { begin: begin + slice.begin, end: begin + slice.end };
    incoming.set(partOf(node, carrier), { origin, part: part ?? whole });
  }
}
