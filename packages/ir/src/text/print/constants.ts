/**
 * Constants and attribute values as text:
 * [language §8](https://batonjs.github.io/baton/spec/language#8).
 */
import { type DType, isFloat, isInteger, readBigInt, readNumber, type Tensor } from '@baton/tensor';
import type { Attrs, AttrValue } from '../../expr/attrs.ts';
import { attrEqual } from '../../expr/attrs.ts';
import type { Constant } from '../../expr/expr.ts';
import type { AttrsSchema } from '../../ops/op-table.ts';
import { dtypeOfNumber, floatText, literalValue, readNumberToken, suffixOf } from '../number.ts';

/** The dtypes whose literals TVM reads. */
const TVM_LITERALS: ReadonlySet<DType> = new Set(['bool', 'int32', 'int64', 'float32', 'float64']);

/** As {@link literalText}, where TVM reads it: other dtypes have no suffix there. */
export const tvmLiteralText = (node: Constant, isTyped: boolean): string | undefined =>
  TVM_LITERALS.has(node.data.dtype) ? literalText(node, isTyped) : undefined;

/**
 * A constant of rank 0 as a literal; `undefined` if it has none and goes to the meta table. An
 * int32 whose type is known needs no suffix: what is around it says the same.
 */
export function literalText(node: Constant, isTyped: boolean): string | undefined {
  const { data } = node;
  if (data.shape.length > 0) return undefined;
  if (data.dtype === 'bool') return readNumber(data, 0) === 0 ? 'False' : 'True';
  const bare = node.literal === undefined ? undefined : bareText(node);
  if (bare !== undefined) return bare;
  const suffix = suffixOf(data.dtype);
  if (suffix === undefined) return undefined;
  if (isInteger(data.dtype)) {
    const digits = String(readBigInt(data, 0));
    if (data.dtype !== 'int32') return digits + suffix;
    return isTyped ? digits : `${digits}i32`;
  }
  return isFloat(data.dtype) ? suffixedFloat(readNumber(data, 0), data.dtype, suffix) : undefined;
}

/** A number without suffix, if reading it gives the same constant again. */
function bareText(node: Constant): string | undefined {
  if (node.literal === 'int' && node.data.dtype === 'int32')
    return String(readNumber(node.data, 0));
  const value = literalValue(node);
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  const text = node.literal === 'float' ? bareFloat(Number(value)) : bareInteger(value);
  if (text === undefined) return undefined;
  const token = readNumberToken(text);
  if (typeof token === 'string') return undefined;
  return dtypeOfNumber(token) === node.data.dtype ? text : undefined;
}

const bareInteger = (value: number | bigint): string | undefined =>
  typeof value === 'number' && !Number.isInteger(value) ? undefined : String(BigInt(value));

/** With point or exponent, so that it is not an integer. */
function bareFloat(value: number): string {
  const text = floatText(value, 'float64', '+');
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function suffixedFloat(value: number, dtype: DType, suffix: string): string {
  if (Number.isFinite(value)) return floatText(value, dtype) + suffix;
  if (Number.isNaN(value)) return `nan${suffix}`;
  return value > 0 ? `inf${suffix}` : `-inf${suffix}`;
}

/** The largest float32: beyond it a float attribute is written with the suffix of float64. */
const FLOAT32_MAX = 3.4028234663852886e38;

/** An attribute's value. Recursion is bounded by `MAX_ATTR_DEPTH`. */
export function attrText(value: AttrValue, asFloat: boolean): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return stringText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return `[${value.map((v) => attrText(v, asFloat)).join(', ')}]`;
  // An integer that a number cannot tell from its neighbours would be read back as a bigint.
  if (!asFloat && Number.isSafeInteger(value)) return Object.is(value, -0) ? '-0' : String(value);
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

/** A string in quotes, every character that could end the line or the string escaped. */
export function stringText(text: string): string {
  const inner = Array.from(text, (c) => {
    const code = c.charCodeAt(0);
    const isControl = code < 32 || code === 127;
    return ESCAPES.get(c) ?? (isControl ? `\\x${code.toString(16).padStart(2, '0')}` : c);
  });
  return `"${inner.join('')}"`;
}

/** `name=value` for each attribute, without those that have their default but are not in `kept`. */
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

/** A tensor's type, as a comment that stands for data that is left out. */
export const tensorComment = (t: Tensor): string =>
  ` /* Tensor[(${t.shape.join(', ')}), ${t.dtype}] */`;
