/** Tensors from raw bytes. */
import { orThrow } from '@baton/base';
import { type DType, fromBytes } from '@baton/tensor';
import { describe, expect, it } from 'vitest';

const DTYPES: ReadonlyArray<DType> = [
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
];

describe('bytes of Node’s Buffer, whose slice copies nothing', () => {
  it.each(DTYPES)('that are not aligned give a tensor of %s', (dtype) => {
    for (let offset = 0; offset < 8; offset++) {
      const whole = Buffer.alloc(24);
      whole[offset] = 1;
      const width = orThrow(fromBytes(new Uint8Array(0), [0], dtype)).data.BYTES_PER_ELEMENT;
      const { data } = orThrow(fromBytes(whole.subarray(offset, offset + width), [1], dtype));
      expect(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)[0]).toBe(1);
    }
  });
});
