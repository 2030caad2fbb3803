/** Files of NumPy, whose header is a Python dictionary. */
import { isLeft, orThrow } from '@baton/base';
import { tensor, tensorsEqual, toNumbers } from '@baton/tensor';
import { readNpy, writeNpy } from '@baton/tensor/npy';
import { describe, expect, test } from 'vitest';

/** A file of version 1 with a header as given, and bytes of data after it. */
function file(header: string, data: ReadonlyArray<number>): Uint8Array {
  const text = `${header}\n`;
  return Uint8Array.of(
    ...[0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length & 0xff, text.length >> 8],
    ...Array.from(text, (c) => c.charCodeAt(0)),
    ...data,
  );
}

/** The message for a file that is no tensor. */
function refusal(bytes: Uint8Array): string {
  const read = readNpy(bytes);
  return isLeft(read) ? read.left.map(({ message }) => message).join() : 'read';
}

const ROWS = "'fortran_order': False";

describe('a file that is read', () => {
  test.each([
    [
      'a matrix by rows',
      `{'descr': '|u1', ${ROWS}, 'shape': (2, 3), }`,
      [2, 3],
      [1, 2, 3, 4, 5, 6],
    ],
    [
      'a matrix by columns',
      "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }",
      [2, 3],
      [1, 3, 5, 2, 4, 6],
    ],
    ['a vector', `{'descr': '<u2', ${ROWS}, 'shape': (3,), }`, [3], [513, 1027, 1541]],
    ['a scalar', `{'descr': '<u4', ${ROWS}, 'shape': (), }`, [], [67305985], 4],
  ])('%s', (_, header, shape, numbers, bytes = 6) => {
    const found = orThrow(readNpy(file(header, [1, 2, 3, 4, 5, 6].slice(0, bytes))));
    expect(found.shape).toEqual(shape);
    expect([...toNumbers(found)]).toEqual(numbers);
  });

  test('is what was written, bfloat16 as float32', () => {
    const written = tensor([1.5, -2, 0.25, 7], [2, 2], 'bfloat16');
    const found = orThrow(readNpy(writeNpy(written)));
    expect(found.dtype).toBe('float32');
    expect(tensorsEqual(found, tensor([1.5, -2, 0.25, 7], [2, 2], 'float32'))).toBe(true);
  });
});

describe('a file that is refused', () => {
  test.each([
    ['no array', Uint8Array.of(1, 2, 3), 'expected an array of NumPy'],
    [
      'a header without a shape',
      file(`{'descr': '|u1', ${ROWS}, }`, [1]),
      `expected numbers or booleans, found {'descr': '|u1', ${ROWS}, }`,
    ],
    [
      'complex numbers',
      file(`{'descr': '<c8', ${ROWS}, 'shape': (1,), }`, [1, 2, 3, 4, 5, 6, 7, 8]),
      "expected numbers or booleans, found {'descr': '<c8', 'fortran_order': False, 'shape': (1,), }",
    ],
    [
      'numbers of another byte order',
      file(`{'descr': '>i4', ${ROWS}, 'shape': (1,), }`, [0, 0, 0, 1]),
      'its numbers have the most significant byte first',
    ],
    [
      'a size that is no number',
      file(`{'descr': '|u1', ${ROWS}, 'shape': (2, x), }`, [1, 2]),
      'expected a shape, found (2, x)',
    ],
    [
      'a size below 0',
      file(`{'descr': '|u1', ${ROWS}, 'shape': (-1,), }`, [1]),
      'expected a shape, found (-1,)',
    ],
  ])('%s', (_, bytes, message) => {
    expect(refusal(bytes)).toBe(message);
  });
});
