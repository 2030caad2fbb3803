/**
 * Attribute values in words:
 * [language §8](https://batonjs.github.io/baton/spec/language#8).
 */

import { FLOAT32_MAX } from '@baton/tensor';
import type { AttrsSchema } from '../ops/op-table.ts';
import { type Attrs, type AttrValue, attrEqual } from '../types/attrs.ts';
import { suffixedFloat } from './numbers.ts';

/** An attribute's value. Recursion is bounded by `MAX_ATTR_DEPTH`. */
export function attrText(value: AttrValue, asFloat: boolean): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return `[${value.map((v) => attrText(v, asFloat)).join(', ')}]`;
  // An integer beyond the exact range of numbers would be read back as a bigint.
  if (!asFloat && Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0' : String(value);
  // Beyond the largest float32 an attribute has the suffix of float64.
  const isWide = Number.isFinite(value) && Math.abs(value) > FLOAT32_MAX;
  return suffixedFloat(value, 'float64', isWide ? 'f64' : 'f');
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
]);

/** A string in quotes, with every character escaped that could end the line or the string. */
export function stringText(text: string): string {
  const inner = Array.from(text, (c) => {
    const code = c.charCodeAt(0);
    const isControl = code < 32 || code === 127;
    return ESCAPES.get(c) ?? (isControl ? `\\x${code.toString(16).padStart(2, '0')}` : c);
  });
  return `"${inner.join('')}"`;
}

/** `name=value` for each attribute, except default values whose names are not in `kept`. */
export function attrTexts(
  attrs: Attrs,
  schema: AttrsSchema | undefined,
  kept: ReadonlyArray<string> = noneKept,
): ReadonlyArray<string> {
  const texts: string[] = [];
  for (const name of Object.keys(attrs)) {
    const value = attrs[name] as AttrValue;
    const field = schema?.fields.find((f) => f.name === name);
    const isDefault = field?.defaultValue !== undefined && attrEqual(field.defaultValue, value);
    if (!isDefault || kept.includes(name))
      texts.push(`${name}=${attrText(value, field?.isFloat ?? false)}`);
  }
  return texts;
}

const noneKept: ReadonlyArray<string> = [];
