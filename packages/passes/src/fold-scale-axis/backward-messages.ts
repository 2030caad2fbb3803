/** The first phases of backward folding: the scales that results can take, and do get. */
import { invariant } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  type IRModule,
  referenceCounts,
  type Type,
} from '@baton/ir';
import { dimsOf, isScaleAlong, mappedAxes } from '@baton/ops';
import type { Count } from '@baton/pass-manager';
import { haveSameShape } from '../facts.ts';
import { answered, type BackwardRow } from './rows.ts';
import {
  type FoldScaleAxisOptions,
  mayScale,
  type ScaledCall,
  sameAxes,
  scaledCall,
} from './site.ts';

/** An expression's ability to take in a scale on its result. */
export interface BackwardMessage {
  readonly axes: ReadonlyArray<number>;
  readonly needsPositive: boolean;
  /** For a sum, the sides that take the scale; the other is multiplied by it. */
  readonly sides: 'left' | 'right' | 'both';
}

/** The scale that an expression gets, or a part of it: elements from `begin` to `end`. */
export interface IncomingScale {
  readonly origin: ScaleSource;
  readonly part: { readonly begin: number; readonly end: number } | undefined;
}

/** A multiplication that gives up its scale. */
export interface ScaleSource {
  readonly node: Call;
  readonly scaled: Expr;
  readonly operand: Expr;
  readonly axes: ReadonlyArray<number>;
}

/** The plan of backward folding. */
export interface BackwardPlan {
  readonly messages: ReadonlyMap<Expr, BackwardMessage>;
  readonly calls: ReadonlyMap<Call, ScaledCall>;
  readonly sources: ReadonlyMap<Call, ScaleSource>;
  readonly incoming: ReadonlyMap<Expr, IncomingScale>;
}

/** The options of one attempt. */
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
  count: Count<BackwardRow>,
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
      if (scale !== undefined) passDown(node, known, scale, messages, incoming, count);
    }
  }
  return { messages, calls, sources, incoming };
}

function messageOf(
  node: Call,
  { fact, site }: ScaledCall,
  messages: ReadonlyMap<Expr, BackwardMessage>,
  references: ReadonlyMap<Expr, number>,
  count: Count<BackwardRow>,
): BackwardMessage | undefined {
  const [first, second] = node.args;
  const left = first && messages.get(first);
  switch (fact._tag) {
    case 'ScaleOrigin':
      return undefined;
    case 'ScaleProduct': {
      const axes = fact.output(site)?.tensor;
      answered(count, 'product takes it', axes !== undefined);
      return axes && { axes, needsPositive: false, sides: 'left' };
    }
    case 'ScaleBias': {
      if (left === undefined) return undefined;
      const isAlong = left.axes.length === 1 && left.axes[0] === fact.axis(site);
      return answered(count, 'bias on the axis', isAlong) ? { ...left, sides: 'left' } : undefined;
    }
    case 'ScaleMap': {
      if (left === undefined) return undefined;
      const map = fact.axes(site);
      const axes = map && mappedAxes(left.axes, (axis) => indexIn(map, axis));
      answered(count, 'axes kept', axes !== undefined);
      return (
        axes && { axes, needsPositive: left.needsPositive || fact.needsPositive, sides: 'left' }
      );
    }
    case 'ScaleSum': {
      const right = second && messages.get(second);
      if (left === undefined && right === undefined) return undefined;
      const message = sumMessage(site.args, left, right);
      count(`scaled side of a sum: ${message?.sides ?? 'none'}`);
      return message;
    }
    case 'ScaleConcatenation': {
      if (first?._tag !== 'Tuple') return undefined;
      const fields = first.fields.map((field) => messages.get(field));
      if (fields.every((field) => field === undefined)) return undefined;
      const message = references.get(first) === 1 ? concatenationMessage(fields) : undefined;
      answered(count, 'every field takes it', message !== undefined);
      return message;
    }
  }
}

const indexIn = (map: ReadonlyArray<number | undefined>, axis: number): number | undefined => {
  const at = map.indexOf(axis);
  return at < 0 ? undefined : at;
};

function sumMessage(
  [leftType, rightType]: ReadonlyArray<Type>,
  left: BackwardMessage | undefined,
  right: BackwardMessage | undefined,
): BackwardMessage | undefined {
  if (left && isScaleAlong(leftType, rightType, left.axes)) return { ...left, sides: 'left' };
  if (right && isScaleAlong(rightType, leftType, right.axes)) return { ...right, sides: 'right' };
  if (!left || !right || !sameAxes(left.axes, right.axes) || !haveSameShape(leftType, rightType)) {
    return undefined;
  }
  const needsPositive = left.needsPositive || right.needsPositive;
  return { axes: left.axes, needsPositive, sides: 'both' };
}

/** Every field takes the scale, along one and the same axis. */
function concatenationMessage(
  fields: ReadonlyArray<BackwardMessage | undefined>,
): BackwardMessage | undefined {
  const known = fields.filter((field) => field !== undefined);
  const [first] = known;
  if (first === undefined || first.axes.length !== 1 || known.length !== fields.length) {
    return undefined;
  }
  if (!known.every((field) => sameAxes(field.axes, first.axes))) return undefined;
  const needsPositive = known.some((field) => field.needsPositive);
  return { axes: first.axes, needsPositive, sides: 'left' };
}

/** The multiplication as a source, if one side takes the other as its scale. */
function sourceOf(
  m: IRModule,
  node: Call,
  { site }: ScaledCall,
  messages: ReadonlyMap<Expr, BackwardMessage>,
  options: FoldScaleAxisOptions,
  count: Count<BackwardRow>,
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

/** Passes the scale of a call to the arguments that take it in. */
function passDown(
  node: Call,
  { fact, site }: ScaledCall,
  scale: IncomingScale,
  messages: ReadonlyMap<Expr, BackwardMessage>,
  incoming: Map<Expr, IncomingScale>,
  count: Count<BackwardRow>,
): void {
  const [first, second] = node.args;
  if (first === undefined || fact._tag === 'ScaleProduct') return;
  const message = messages.get(node);
  invariant(message, 'a scale goes to what has said that it can take one');
  if (fact._tag === 'ScaleConcatenation') {
    if (first._tag !== 'Tuple') return;
    const axis = fact.axis(site);
    const isAlong = answered(count, 'concatenated along the axis', message.axes[0] === axis);
    passToFields(first.fields, site.args[0], scale, isAlong ? axis : undefined, incoming);
    return;
  }
  if (message.sides !== 'right') incoming.set(first, scale);
  if (message.sides !== 'left' && second !== undefined) incoming.set(second, scale);
}

/** Each field gets its part of a scale along the axis of concatenation, or else the whole. */
function passToFields(
  fields: ReadonlyArray<Expr>,
  type: Type | undefined,
  scale: IncomingScale,
  axis: number | undefined,
  incoming: Map<Expr, IncomingScale>,
): void {
  let begin = scale.part?.begin ?? 0;
  for (const [at, field] of fields.entries()) {
    const fieldType = type?._tag === 'TupleType' ? type.fields[at] : undefined;
    const size = axis === undefined ? undefined : dimsOf(fieldType)?.[axis];
    if (typeof size !== 'number') incoming.set(field, scale);
    else {
      incoming.set(field, { origin: scale.origin, part: { begin, end: begin + size } });
      begin += size;
    }
  }
}
