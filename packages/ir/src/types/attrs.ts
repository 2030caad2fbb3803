/** Attributes: the compile-time arguments of an operator or a function, as plain data. */
import { hashNumber, hashText, mixHash } from '@baton/base';

/**
 * A value of an attribute. `null` is written `None`. An integer is a number if that is exact, and
 * else a bigint: `9223372036854775807`.
 */
export type AttrValue = number | bigint | boolean | string | null | ReadonlyArray<AttrValue>;

/** Attributes by name. An operator's are complete, in declared order, with all defaults filled in. */
export type Attrs = Readonly<Record<string, AttrValue>>;

export const noAttrs: Attrs = Object.freeze({});

/** The deepest nesting of lists in attributes: the specification needs two. */
export const MAX_ATTR_DEPTH = 16;

/** An integer in the form of attributes: a number if that is exact. */
export function attrInteger(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Whether two attribute values are equal. Depth is bounded by {@link MAX_ATTR_DEPTH}. */
export function attrEqual(a: AttrValue, b: AttrValue): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((x, i) => attrEqual(x, b[i] as AttrValue));
  }
  return Object.is(a, b);
}

/** Whether two records hold equal values under the same names. */
export function attrsEqual(a: Attrs, b: Attrs): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((n) => Object.hasOwn(b, n) && attrEqual(a[n] as AttrValue, b[n] as AttrValue))
  );
}

function hashAttr(value: AttrValue): number {
  if (typeof value === 'number') return hashNumber(value);
  if (typeof value === 'string') return hashText(value);
  if (typeof value === 'bigint') return hashText(String(value));
  if (value === null) return 0x3d4f;
  if (typeof value === 'boolean') return value ? 0x6e15 : 0x71a3;
  return value.reduce<number>((h, v) => mixHash(h, hashAttr(v)), value.length);
}

/** A hash that does not depend on the order of names. */
export function hashAttrs(attrs: Attrs): number {
  let sum = 0;
  for (const name of Object.keys(attrs)) {
    sum = (sum + mixHash(hashText(name), hashAttr(attrs[name] as AttrValue))) | 0;
  }
  return sum;
}
