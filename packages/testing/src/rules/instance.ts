/** Random expressions that have the form of a rule's left side. */
import { isLeft } from '@baton/base';
import { type Attrs, type AttrValue, type OpInfo, tupleGetItem } from '@baton/ir';
import { commutes } from '@baton/ops';
import { type AttrPattern, type CallPattern, isAttrHole, type Pattern } from '@baton/rewrites';
import { type DType, dtypeInfo, isBig, isFloat } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import { narrower, someRank, someShape } from '../generate/shapes.ts';
import { type TensorValue, type TupleValue, tensorValue, type Value } from '../generate/value.ts';
import { samplerOf } from '../samplers/standard.ts';
import { recorded } from './recorded.ts';

/** The values of left sides, and of the calls inside them. */
export interface Instance {
  readonly roots: ReadonlyArray<Value>;
  readonly inner: ReadonlyArray<Value>;
}

/** The values of a rule's holes so far. */
interface Site {
  readonly b: Builder;
  readonly terms: Map<string, Value>;
  readonly attrs: Map<string, AttrValue | Attrs>;
  /** The values of attributes so far, by the attribute's name: rules often repeat one. */
  readonly seen: Map<string, AttrValue[]>;
  readonly inner: Value[];
  readonly constants: number;
  /** Whether numbers are at the ends of the range of their type. */
  readonly isExtreme: boolean;
}

export interface InstanceOptions {
  /** Whether numbers are at the ends of the range of their type. @defaultValue false */
  readonly isExtreme?: boolean;
  /** The dtype of most tensors. @defaultValue a float, drawn for each program */
  readonly dtype?: DType;
}

/** How often an operator's sampler is asked for a call that suits. */
const TRIES = 8;

/**
 * An instance of left sides, with holes and attributes like those that the samplers of the operators
 * make; `undefined` if these choices fit no relation.
 */
export function instanceOf(
  lefts: ReadonlyArray<Pattern>,
  b: Builder,
  { isExtreme = false }: InstanceOptions = {},
): Instance | undefined {
  const site: Site = {
    b,
    terms: new Map(),
    attrs: new Map(),
    seen: new Map(),
    inner: [],
    constants: b.random.pick(isExtreme ? [0.4, 0.7, 0.95] : [0.1, 0.4, 0.95]),
    isExtreme,
  };
  const roots = lefts.map((left) => madeOf(left, undefined, site));
  const made = roots.filter((root) => root !== undefined);
  if (made.length < roots.length) return undefined;
  return { roots: made, inner: site.inner.filter((value) => !made.includes(value)) };
}

/** The value of a pattern, like a sampled one. Patterns are small: this may recurse. */
function madeOf(p: Pattern, like: Value | undefined, site: Site): Value | undefined {
  switch (p._tag) {
    case 'Hole': {
      const value = site.terms.get(p.name) ?? varied(like ?? site.b.operand(), site);
      site.terms.set(p.name, value);
      return value;
    }
    case 'Number': {
      const dtype = p.dtype ?? (like?._tag === 'Tensor' ? like.dtype : site.b.float);
      if (!isHeld(p.value, dtype)) return undefined;
      return site.b.constant([p.value], constantShape(like, site), dtype);
    }
    case 'Tuple': {
      const parts = like?._tag === 'Tuple' ? fieldsOf(like) : [];
      const fields = p.fields.map((field, i) => madeOf(field, parts[i % parts.length], site));
      const tensors = fields.filter((field) => field?._tag === 'Tensor');
      return tensors.length < fields.length ? undefined : site.b.tuple(tensors);
    }
    case 'Field': {
      const wide = tupleOf(site, p.index + 1);
      const tuple = madeOf(p.tuple, wide, site);
      const isField = tuple?._tag === 'Tuple' && p.index < tuple.fields.length;
      return isField ? site.b.project(tuple, p.index) : undefined;
    }
    case 'Call':
      return callOf(p, site);
    case 'Composite':
      return undefined;
  }
}

/** A call of the pattern's operator: what the pattern leaves open is like a sampled call. */
function callOf(p: CallPattern, site: Site): Value | undefined {
  const { b } = site;
  const op = b.ops.get(p.op);
  const sample = op && samplerOf(b.ops, op);
  if (op === undefined || sample === undefined) return undefined;
  const given = p.args.map((arg) => (isOpen(arg) ? undefined : madeOf(arg, undefined, site)));
  if (p.args.some((arg, i) => !isOpen(arg) && given[i] === undefined)) return undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    const known = p.args.map((arg, i) => given[i] ?? boundIn(arg, site));
    for (const value of known) if (value !== undefined) b.keep(value);
    const like = recorded(b, op.name, () => sample(b, op));
    if (like === undefined || like.args.length !== p.args.length) continue;
    const before = [new Map(site.terms), new Map(site.attrs)] as const;
    const args = p.args.map((arg, i) => known[i] ?? madeOf(arg, like.args[i], site));
    const attrs = attrsOf(p, op.attrs.decode(like.attrs), site);
    const turned = commutes(b.ops, p.op) && b.random.chance(0.5) ? [...args].reverse() : args;
    const isWhole = turned.every((arg): arg is Value => arg !== undefined);
    const made = isWhole && attrs !== undefined ? b.attempt(p.op, turned, attrs) : undefined;
    if (made !== undefined && typeof made !== 'string') {
      site.inner.push(made);
      return made;
    }
    restore(site.terms, before[0]);
    restore(site.attrs, before[1]);
  }
  return undefined;
}

function restore<A>(current: Map<string, A>, before: ReadonlyMap<string, A>): void {
  for (const name of current.keys()) if (!before.has(name)) current.delete(name);
}

/** Whether a pattern accepts any sample: it has no call in it. */
const isOpen = (p: Pattern): boolean =>
  p._tag === 'Hole' || p._tag === 'Number' || (p._tag === 'Tuple' && p.fields.every(isOpen));

const boundIn = (p: Pattern, site: Site): Value | undefined =>
  p._tag === 'Hole' ? site.terms.get(p.name) : undefined;

/** The attributes of a call: those of the pattern, and for its holes those of the sampled call. */
function attrsOf(
  p: CallPattern,
  sampled: ReturnType<OpInfo['attrs']['decode']>,
  site: Site,
): Attrs | undefined {
  if (isLeft(sampled)) return undefined;
  const own = [...p.attrs].map(([name, wanted]) => [
    name,
    attrOf(name, wanted, sampled.right, site),
  ]);
  if (p.rest === undefined) return Object.fromEntries(own);
  const others = Object.entries(sampled.right).filter(([name]) => !p.attrs.has(name));
  const rest = site.attrs.get(p.rest) ?? Object.fromEntries(others);
  site.attrs.set(p.rest, rest);
  return { ...(rest as Attrs), ...Object.fromEntries(own) };
}

function attrOf(name: string, wanted: AttrPattern, sampled: Attrs, site: Site): AttrValue {
  if (!isAttrHole(wanted)) return wanted;
  const known = site.attrs.get(wanted.name);
  if (known !== undefined) return known as AttrValue;
  const seen = site.seen.get(name) ?? [];
  const isRepeated = seen.length > 0 && site.b.random.chance(0.3);
  const value = isRepeated ? site.b.random.pick(seen) : (sampled[name] ?? null);
  site.seen.set(name, [...seen, value]);
  site.attrs.set(wanted.name, value);
  return value;
}

function varied(value: Value, site: Site): Value {
  const { b, constants } = site;
  if (value._tag === 'Tuple') return value;
  if (b.random.chance(constants)) {
    const shape = constantShape(value, site);
    const ends = site.isExtreme ? endsOf(value.dtype) : [];
    if (ends.length > 0 && b.random.chance(0.85)) {
      const narrow = b.random.chance(0.5) ? [] : shape;
      return b.constant([b.random.pick(ends)], narrow, value.dtype);
    }
    return b.random.chance(0.4)
      ? b.constant([b.random.pick(numbersOf(value.dtype))], shape, value.dtype)
      : b.weights(shape, value.dtype);
  }
  const made = b.random.chance(0.7) ? b.param(value.shape, value.dtype) : value;
  if (!site.isExtreme || value.dtype !== 'float16' || b.random.chance(0.4)) return made;
  const size = b.constant([b.random.pick(ROOTS)], [], value.dtype);
  const moved = b.attempt('multiply', [made, size]);
  return typeof moved === 'string' ? made : moved;
}

/** The least integer above 0 that is no double. */
const ODD = 2n ** 53n + 1n;

/** Numbers around the root of the greatest float16: squares of larger ones leave its range. */
const ROOTS: ReadonlyArray<number> = [128, 512];

/** Numbers at the ends of a type's range, whose products leave it and which doubles do not hold. */
function endsOf(dtype: DType): ReadonlyArray<number | bigint> {
  if (isBig(dtype)) return [ODD, ODD + 2n, 2n ** 62n + 1n, 3n];
  if (!isFloat(dtype)) return [];
  const most = Number(dtypeInfo(dtype).max);
  const leastNormal = 4 / most;
  const root = Math.sqrt(most);
  const sizes = [most, 2 * root, 1.25 / root, 3 * leastNormal, leastNormal / 6, leastNormal / 9];
  return [...sizes, 1e-5, 1e-3, 1, -1 / root, -most / 7];
}

/** The numbers that fill a constant with one value: those that rules require, and others. */
const NUMBERS: ReadonlyArray<number> = [0, 1, 2, 3, 0.5, -1];

/** Those, and the least float, which hides whatever it is added to, as in masks. */
const numbersOf = (dtype: DType): ReadonlyArray<number> =>
  isFloat(dtype) ? [...NUMBERS, Number(dtypeInfo(dtype).min)] : NUMBERS;

/** A full tensor, a scalar, or something between that broadcasts. */
const constantShape = (like: Value | undefined, { b }: Site): ReadonlyArray<number> =>
  like?._tag !== 'Tensor'
    ? []
    : b.random.chance(0.4)
      ? like.shape
      : b.random.chance(0.5)
        ? []
        : narrower(b.random, like.shape);

const isHeld = (value: number, dtype: DType): boolean =>
  dtype.startsWith('float') || dtype.startsWith('bfloat') || Number.isInteger(value);

const fieldsOf = ({ expr, fields }: TupleValue): ReadonlyArray<TensorValue> =>
  fields.map(({ type, facts }, i) => {
    const part = expr._tag === 'Tuple' ? expr.fields[i] : undefined;
    return tensorValue(part ?? tupleGetItem(expr, i), type, facts);
  });

function tupleOf({ b }: Site, least: number): TupleValue {
  const count = Math.max(least, b.random.int(1, 3));
  return b.tuple(
    Array.from({ length: count }, () => b.param(someShape(b.random, someRank(b.random, 0, 4)))),
  );
}
