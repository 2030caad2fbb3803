/** Patterns: programs with holes, which both rewriting engines match and build. */
import { remember, type Span } from '@baton/base';
import type { Attrs, AttrValue } from '@baton/ir';
import type { DType } from '@baton/tensor';
import { attrsKey, signed } from './attrs-key.ts';

/** `?x`: any expression; the same one at every occurrence. */
export interface Hole {
  readonly _tag: 'Hole';
  readonly name: string;
}

/**
 * A literal. It matches a constant whose elements all equal it exactly, and builds a scalar.
 * Without a dtype it has that of the result.
 */
export interface NumberPattern {
  readonly _tag: 'Number';
  readonly value: number;
  readonly dtype: DType | undefined;
}

export type AttrPattern = AttrValue | AttrHole;

/** `name=?a`: any value of the attribute. */
export interface AttrHole {
  readonly _tag: 'AttrHole';
  readonly name: string;
}

/** A call of an operator. Attributes that it does not name have their default values. */
export interface CallPattern {
  readonly _tag: 'Call';
  /** The operator's name, or `?` and the name of a hole for operators. */
  readonly op: string;
  readonly args: ReadonlyArray<Pattern>;
  readonly attrs: ReadonlyMap<string, AttrPattern>;
  /** The hole `attrs=?a` for all attributes that the pattern does not name. */
  readonly rest: string | undefined;
  readonly span: Span | undefined;
}

export interface TuplePattern<P = Pattern> {
  readonly _tag: 'Tuple';
  readonly fields: ReadonlyArray<P>;
}

/** `?t.0` */
export interface FieldPattern<P = Pattern> {
  readonly _tag: 'Field';
  readonly tuple: P;
  readonly index: number;
}

/**
 * A call of a named function whose parameters are the holes of its body. Allowed on right sides
 * only.
 */
export interface CompositePattern {
  readonly _tag: 'Composite';
  readonly attrs: Attrs;
  readonly body: Pattern;
}

/** A program with holes. Patterns are small: functions may recurse on them. */
export type Pattern =
  | Hole
  | NumberPattern
  | CallPattern
  | TuplePattern
  | FieldPattern
  | CompositePattern;

export const isAttrHole = (value: AttrPattern): value is AttrHole =>
  typeof value === 'object' && value !== null && '_tag' in value;

/** The hole `?op` of `?op(?x)`. */
export const operatorHole = ({ op }: CallPattern): string | undefined =>
  op.startsWith('?') ? op.slice(1) : undefined;

export function partsOf(p: Pattern): ReadonlyArray<Pattern> {
  switch (p._tag) {
    case 'Call':
      return p.args;
    case 'Tuple':
      return p.fields;
    case 'Field':
      return [p.tuple];
    case 'Composite':
      return [p.body];
    default:
      return [];
  }
}

export function withParts(p: Pattern, parts: ReadonlyArray<Pattern>): Pattern {
  switch (p._tag) {
    case 'Call':
      return { ...p, args: parts };
    case 'Tuple':
      return { ...p, fields: parts };
    case 'Field':
      return { ...p, tuple: parts[0] ?? p.tuple };
    case 'Composite':
      return { ...p, body: parts[0] ?? p.body };
    default:
      return p;
  }
}

export function subpatterns(p: Pattern): ReadonlyArray<Pattern> {
  const found: Pattern[] = [];
  const visit = (part: Pattern): void => {
    found.push(part);
    for (const inner of partsOf(part)) visit(inner);
  };
  visit(p);
  return found;
}

/** The patterns with equal parts shared, across patterns too. */
export function sharing(patterns: ReadonlyArray<Pattern>): ReadonlyArray<Pattern> {
  const known = new Map<string, Pattern>();
  const numbers = new Map<Pattern, number>();
  const shared = (p: Pattern): Pattern => {
    const parts = partsOf(p).map(shared);
    const key = `${headKey(p)} ${parts.map((part) => numbers.get(part)).join()}`;
    const one = remember(known, key, () => withParts(p, parts));
    remember(numbers, one, () => numbers.size);
    return one;
  };
  return patterns.map(shared);
}

/** Equal for patterns that differ at most in their parts. */
export function headKey(p: Pattern): string {
  switch (p._tag) {
    case 'Hole':
      return `?${p.name}`;
    case 'Number':
      return `${signed(p.value)} ${p.dtype}`;
    case 'Call':
      return `${p.op} ${attrsKey(Object.fromEntries(p.attrs))} ${p.rest}`;
    case 'Field':
      return `.${p.index}`;
    case 'Composite':
      return attrsKey(p.attrs);
    case 'Tuple':
      return '()';
  }
}

/** The holes of patterns, by what they match. */
export interface Holes {
  readonly terms: ReadonlySet<string>;
  readonly attrs: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
}

export function holesOf(...patterns: ReadonlyArray<Pattern>): Holes {
  const terms = new Set<string>();
  const attrs = new Set<string>();
  const operators = new Set<string>();
  for (const part of patterns.flatMap(subpatterns)) {
    if (part._tag === 'Hole') terms.add(part.name);
    if (part._tag !== 'Call') continue;
    const operator = operatorHole(part);
    if (operator !== undefined) operators.add(operator);
    for (const value of part.attrs.values()) if (isAttrHole(value)) attrs.add(value.name);
    if (part.rest !== undefined) attrs.add(part.rest);
  }
  return { terms, attrs, operators };
}
