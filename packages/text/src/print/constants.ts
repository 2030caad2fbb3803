/**
 * Constants as text:
 * [language §8](https://batonjs.github.io/baton/spec/language#8).
 */
import { type Constant, floatText, literalValue, suffixedFloat } from '@baton/ir';
import { type DType, isFloat, isInteger, readBigInt, readNumber, type Tensor } from '@baton/tensor';
import { dtypeOfNumber, readNumberToken, suffixOf } from '../tokens/number.ts';

/** The dtypes whose literals TVM reads. */
const TVM_LITERALS: ReadonlySet<DType> = new Set(['bool', 'int32', 'int64', 'float32', 'float64']);

/** Like {@link literalText} for TVM, where other dtypes have no suffix. */
export const tvmLiteralText = (node: Constant, isTyped: boolean): string | undefined =>
  TVM_LITERALS.has(node.data.dtype) ? literalText(node, isTyped) : undefined;

/** A scalar as a literal, without suffix if its context implies the dtype; `undefined` if none. */
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

/** A number without suffix, if it reads back as the same constant. */
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

/** A float with point or exponent, so that it is not read as an integer. */
function bareFloat(value: number): string {
  const text = floatText(value, 'float64', '+');
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A tensor's type, as a comment instead of omitted data. */
export const tensorComment = (t: Tensor): string =>
  ` /* Tensor[(${t.shape.join(', ')}), ${t.dtype}] */`;
