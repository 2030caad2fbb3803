/**
 * The column `scaleAxis` at a call: the tensors that get a scale in place of the result. The pass
 * FoldScaleAxis and the rules about scales both read it.
 */
import type { Dim } from '@baton/ir';
import { isScaleAlong } from './build.ts';
import type { ScaleAxis, ScaleMeeting, ScaleSite } from './scale-axis.ts';
import { dimsOf, haveSameShape, mappedAxes } from './shape.ts';

/** An argument, or a field of the tuple that is one, and how a scale of the result lies in it. */
export interface ScaledPart {
  readonly arg: number;
  /** The field of the tuple. */
  readonly field?: number;
  /** The axes along which the scale varies, ascending. */
  readonly axes: ReadonlyArray<number>;
  /** The elements of the scale that this part gets; all of them if absent. */
  readonly slice?: { readonly begin: number; readonly end: number };
}

/**
 * An equation `op(x, y) * s = op(x * s, y * s)` with a scale along given axes of the result:
 *
 * ```
 * nn.bias_add(%x, %b, axis=1) * s = nn.bias_add(%x * s, %b * s, axis=1)     (carrier %x, companion %b)
 * ```
 *
 * Forward, a scaled carrier gives up its scale to the result, and the companion is divided by it.
 */
export interface ScalePassage {
  /** The tensors that pass the scale on: forward from them, backward to them. */
  readonly carriers: ReadonlyArray<ScaledPart>;
  /** The operand that is computed with the scale where it is: a weight, a bias, a term of a sum. */
  readonly companion?: ScaledPart;
  /** Whether the equation holds only for a scale above 0. */
  readonly needsPositive: boolean;
}

/**
 * The equations for a scale along these axes of the result, best first. Only a sum may have several. No
 * axes mean a scale of one element.
 */
export function passagesOf(
  fact: ScaleAxis,
  site: ScaleSite,
  axes: ReadonlyArray<number>,
): ReadonlyArray<ScalePassage> {
  const passage = passageOf(fact, site, axes);
  return fact._tag === 'ScaleSum' ? sumPassages(site, axes) : passage ? [passage] : [];
}

function passageOf(
  fact: ScaleAxis,
  site: ScaleSite,
  axes: ReadonlyArray<number>,
): ScalePassage | undefined {
  switch (fact._tag) {
    case 'ScaleOrigin':
    case 'ScaleSum':
      return undefined;
    case 'ScaleBias': {
      const axis = fact.axis(site);
      if (axis === undefined || axes.some((other) => other !== axis)) return undefined;
      const along = axes.map(() => 0);
      return { ...carried({ arg: 0, axes }), companion: { arg: 1, axes: along } };
    }
    case 'ScaleMap': {
      const map = fact.axes(site);
      const from = map && mappedAxes(axes, (axis) => map[axis]);
      return from && { ...carried({ arg: 0, axes: from }), needsPositive: fact.needsPositive };
    }
    case 'ScaleProduct': {
      const meeting = fact.output(site);
      const weight = meeting && metAxes(meeting, axes);
      return weight && { ...carried(), companion: { arg: 1, axes: weight } };
    }
    case 'ScaleConcatenation': {
      const fields = site.args[0]?._tag === 'TupleType' ? site.args[0].fields.map(dimsOf) : [];
      return fieldsPassage(fields, axes, fact.axis(site));
    }
  }
}

const carried = (...carriers: ReadonlyArray<ScaledPart>): ScalePassage => ({
  carriers,
  needsPositive: false,
});

/** The axes of a weight that meet these axes of a tensor. */
export function metAxes(
  { tensor, weight }: ScaleMeeting,
  axes: ReadonlyArray<number>,
): ReadonlyArray<number> | undefined {
  if (axes.length === 0) return [];
  return sameAxes(axes, tensor) ? weight : undefined;
}

function sumPassages(
  { args: [left, right] }: ScaleSite,
  axes: ReadonlyArray<number>,
): ReadonlyArray<ScalePassage> {
  const [first, second] = [0, 1].map((arg): ScaledPart => ({ arg, axes }));
  const found: ScalePassage[] = [];
  if (first === undefined || second === undefined) return found;
  if (isScaleAlong(left, right, axes)) found.push({ ...carried(first), companion: second });
  if (isScaleAlong(right, left, axes)) found.push({ ...carried(second), companion: first });
  if (haveSameShape(left, right)) found.push(carried(first, second));
  return found;
}

/** Each field gets the whole scale, or its elements if the scale varies along the axis. */
function fieldsPassage(
  fields: ReadonlyArray<ReadonlyArray<Dim> | undefined>,
  axes: ReadonlyArray<number>,
  axis: number | undefined,
): ScalePassage | undefined {
  if (axis === undefined || fields.length === 0) return undefined;
  const carriers: ScaledPart[] = [];
  let end = 0;
  for (const [field, dims] of fields.entries()) {
    const part = { arg: 0, field, axes };
    if (axes.includes(axis)) {
      const size = dims?.[axis];
      if (typeof size !== 'number') return undefined;
      const begin = end;
      end += size;
      carriers.push({ ...part, slice: { begin, end } });
    } else carriers.push(part);
  }
  return carried(...carriers);
}

/** The axes of the result along which a scale along these axes of a carrier varies. */
export function resultAxes(
  fact: ScaleAxis,
  site: ScaleSite,
  axes: ReadonlyArray<number>,
): ReadonlyArray<number> | undefined {
  if (fact._tag !== 'ScaleMap') return axes;
  const map = fact.axes(site);
  return (
    map &&
    mappedAxes(axes, (axis) => {
      const at = map.indexOf(axis);
      return at === -1 ? undefined : at;
    })
  );
}

/** Whether two lists of axes are the same. */
export const sameAxes = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean =>
  a.length === b.length && a.every((axis, i) => axis === b[i]);
