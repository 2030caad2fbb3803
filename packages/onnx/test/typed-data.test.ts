import { describe, expect, test } from 'vitest';
import { type Bytes, bytes, type TensorParts, varint } from './helpers/encode.ts';
import { imported, refused, summary } from './helpers/import.ts';

const one = (tensor: TensorParts) => ({ nodes: [], initializers: [{ ...tensor, name: 'y' }] });
const varints = (field: number, values: ReadonlyArray<number | bigint>): Bytes =>
  bytes(field, values.flatMap(varint));
const doubles = (values: ReadonlyArray<number>): Bytes =>
  bytes(10, new Uint8Array(new Float64Array(values).buffer));

describe('tensors in typed lists', () => {
  test.each<readonly [string, TensorParts, string]>([
    ['float_data', { dims: [2], floats: [1, -0.5] }, 'float32(2)[1, -0.5]'],
    ['int32_data of int32', { dims: [2], type: 6, extra: varints(5, [7, -7]) }, 'int32(2)[7, -7]'],
    ['int32_data of int8', { dims: [2], type: 3, extra: varints(5, [7, -7]) }, 'int8(2)[7, -7]'],
    ['int32_data of uint8', { dims: [1], type: 2, extra: varints(5, [255]) }, 'uint8(1)[255]'],
    ['int32_data of int16', { dims: [1], type: 5, extra: varints(5, [-2]) }, 'int16(1)[-2]'],
    [
      'int32_data of uint16',
      { dims: [1], type: 4, extra: varints(5, [65535]) },
      'uint16(1)[65535]',
    ],
    ['int32_data of bool', { dims: [2], type: 9, extra: varints(5, [1, 0]) }, 'bool(2)[1, 0]'],
    [
      'int32_data of float16',
      { dims: [1], type: 10, extra: varints(5, [0x3e00]) },
      'float16(1)[1.5]',
    ],
    [
      'int32_data of bfloat16',
      { dims: [1], type: 16, extra: varints(5, [0xbf80]) },
      'bfloat16(1)[-1]',
    ],
    [
      'int32_data of int4, two to a byte',
      { dims: [3], type: 22, extra: varints(5, [0x8f, 7]) },
      'int4(3)[-1, -8, 7]',
    ],
    [
      'int32_data of uint2, four to a byte',
      { dims: [5], type: 25, extra: varints(5, [0b11100100, 1]) },
      'uint2(5)[0, 1, 2, 3, 1]',
    ],
    [
      'raw data of float4, two to a byte',
      { dims: [3], type: 23, extra: bytes(9, [0x3f, 0x01]) },
      'float4_e2m1fn(3)[-6, 1.5, 0.5]',
    ],
    [
      'int32_data of an 8-bit float',
      { dims: [2], type: 17, extra: varints(5, [0x38, 0xc0]) },
      'float8_e4m3fn(2)[1, -2]',
    ],
    ['int64_data', { dims: [2], ints: [2n ** 40n, -1] }, 'int64(2)[1099511627776, -1]'],
    ['double_data', { dims: [2], type: 11, extra: doubles([0.1, -1]) }, 'float64(2)[0.1, -1]'],
    [
      'uint64_data of uint64',
      { dims: [1], type: 13, extra: varints(11, [2n ** 53n]) },
      'uint64(1)[9007199254740992]',
    ],
    [
      'uint64_data of uint32',
      { dims: [1], type: 12, extra: varints(11, [4294967295]) },
      'uint32(1)[4294967295]',
    ],
    [
      'a list in several pieces, one of them not packed',
      { dims: [3], type: 6, extra: [...varints(5, [1]), 5 * 8, 2, ...varints(5, [3])] },
      'int32(3)[1, 2, 3]',
    ],
    ['a scalar', { dims: [], floats: [3] }, 'float32()[3]'],
    ['nothing at all', { dims: [0, 4] }, 'float32(0, 4)[]'],
  ])('%s', (_, tensor, expected) => {
    expect(summary(imported(one(tensor)).body)).toBe(expected);
  });

  test.each<readonly [string, TensorParts, string]>([
    ['fewer elements than its dimensions', { dims: [3], floats: [1, 2] }, 'found 2 elements'],
    ['no elements', { dims: [2 ** 31 - 1], type: 1 }, 'found 0 elements'],
    ['more elements than a tensor may have', { dims: [65536, 65536] }, 'TENSOR_TOO_LARGE'],
    ['a product of sizes beyond 64 bits', { dims: new Array(9).fill(2 ** 31) }, 'TENSOR_TOO_LARGE'],
    ['a negative size', { dims: [-1], floats: [1] }, 'TENSOR_DIMENSION'],
    ['too many dimensions', { dims: new Array(17).fill(1), floats: [1] }, 'TENSOR_RANK'],
    ['raw data of another length', { dims: [2], raw: [1, 2, 3] }, 'TENSOR_BYTES'],
    ['elements in a list of another type', { dims: [1], type: 7, floats: [1] }, 'float_data'],
    ['text', { dims: [1], type: 8, extra: bytes(6, [65]) }, 'found string'],
    ['complex numbers', { dims: [0], type: 14 }, 'found complex64'],
    ['a type that nobody knows', { dims: [0], type: 99 }, 'found number 99'],
    ['bool bytes other than 0 and 1', { dims: [1], type: 9, raw: [2] }, 'TENSOR_STORAGE'],
  ])('a tensor with %s is refused at its name', (_, tensor, expected) => {
    const found = refused(one(tensor));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(expected);
    expect(found[0]).toContain('test: Initializer y');
  });
});
