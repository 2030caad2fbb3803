/** Pairs to attributes. */
import { type Attrs, type AttrValue, attrInteger, MAX_ATTR_DEPTH, noAttrs } from '@baton/ir';
import type { JsonAttrs, JsonAttrValue, SpecialNumber } from './codecs.ts';
import { refuse } from './fault.ts';

export function decodeAttrs(pairs: JsonAttrs, path: string): Attrs {
  if (pairs.length === 0) return noAttrs;
  const names = new Set<string>();
  const values = pairs.map(([name, value], i): readonly [string, AttrValue] => {
    if (names.has(name)) refuse(`${path}/${i}`, 'this attribute is there twice');
    names.add(name);
    return [name, attrValueOf(value, `${path}/${i}`, MAX_ATTR_DEPTH)];
  });
  // `fromEntries` makes own properties for all names.
  return Object.fromEntries(values);
}

const SPECIAL: { readonly [N in SpecialNumber]: number } = {
  NaN: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-0': -0,
};

/** Recursion is bounded by `depth`. */
function attrValueOf(value: JsonAttrValue, path: string, depth: number): AttrValue {
  if (typeof value !== 'object' || value === null) return value;
  if ('number' in value) return SPECIAL[value.number];
  if ('integer' in value) return attrInteger(BigInt(value.integer));
  if (depth === 0) return refuse(path, `lists nest deeper than ${MAX_ATTR_DEPTH}`);
  return value.map((v) => attrValueOf(v, path, depth - 1));
}
