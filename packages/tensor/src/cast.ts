/** Conversion between element types. */
import { toNumbers } from './access.ts';
import { type DType, isFloat } from './dtype.ts';
import { bigsToStorage, heap, isBigData, type Memory, numbersToStorage } from './storage.ts';
import { dense } from './strided.ts';
import { isSplat, type Tensor, tensor, view } from './tensor.ts';

/**
 * The values of `t` in another element type. Returns `t` itself for its own type.
 *
 * - Float to integer: NaN and the infinities become 0; others are truncated, then wrapped modulo
 *   2^bits.
 * - Integer to integer: wrapped modulo 2^bits.
 * - To bool: 1 unless the value is 0; so NaN gives 1.
 * - To a float type: rounded once, to nearest with ties to even; overflow gives an infinity.
 *
 * 64-bit integers are not converted through double. A tensor with one stored value keeps that form.
 *
 * **Source** decision [D16](https://batonjs.github.io/baton/spec/decisions#D16);
 * [language §4](https://batonjs.github.io/baton/spec/language#4), Cast.
 */
export function cast(t: Tensor, dtype: DType, memory: Memory = heap): Tensor {
  if (t.dtype === dtype) return t;
  if (t.shape.length > 0 && t.data.length > 0 && isSplat(t) && !t.shape.includes(0)) {
    const one = view(t.data, t.dtype, [], [], t.offset);
    return view(
      cast(one, dtype, memory).data,
      dtype,
      t.shape,
      t.shape.map(() => 0),
      0,
    );
  }
  const source = dense(t, memory);
  const data = isBigData(source.data)
    ? bigsToStorage(source.data, dtype, memory)
    : numbersToStorage(toNumbers(source, memory), dtype, memory);
  return tensor(data, t.shape, dtype);
}

/** The conversion of one number to `dtype`, as a number; 64-bit integers may lose low bits. */
export function castNumber(value: number, dtype: DType): number {
  if (dtype === 'float32') return Math.fround(value);
  if (dtype === 'float64') return value;
  const one = tensor(numbersToStorage([value], dtype), [], dtype);
  return isFloat(dtype) ? (toNumbers(one)[0] as number) : Number(one.data[0]);
}
