import { tensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import type { Attribute, TensorParts } from './helpers/encode.ts';
import { imported, refused } from './helpers/import.ts';
import { ints, one } from './helpers/one.ts';
import { run } from './helpers/run.ts';

const FLOAT = 1;
const UINT8 = 2;
const INT8 = 3;
const STRING = 8;
const FLOAT16 = 10;

const scale = (value: number): TensorParts => ({ name: 'scale', dims: [], floats: [value] });
const zero = (value: number, type: number): TensorParts => ({
  name: 'zero',
  dims: [],
  type,
  raw: [value],
});

function result(
  op: string,
  attrs: Readonly<Record<string, Attribute>>,
  constants: ReadonlyArray<TensorParts>,
  values: ReadonlyArray<number>,
): readonly [string | undefined, ReadonlyArray<number>] {
  const x = tensor(values, [values.length], op === 'QuantizeLinear' ? 'float32' : 'int8');
  const type = op === 'QuantizeLinear' ? FLOAT : INT8;
  const graph = one(op, { x: [values.length] }, attrs, constants);
  const inputs = (graph.inputs ?? []).map((input) => ({ ...input, type }));
  const [y] = run(imported({ ...graph, inputs }, { opset: 23 }), [x]);
  return [y?.dtype, y === undefined ? [] : Array.from(toNumbers(y))];
}

describe('QuantizeLinear', () => {
  test.each([
    ['no type is named', {}, [scale(0.5)], 'uint8', [0, 0, 1, 2, 255]],
    ['0 names none', { output_dtype: { i: 0 } }, [scale(0.5)], 'uint8', [0, 0, 1, 2, 255]],
    ['int8 is named', { output_dtype: { i: INT8 } }, [scale(0.5)], 'int8', [-4, 0, 1, 2, 127]],
    ['the zero point has it', {}, [scale(0.5), zero(1, INT8)], 'int8', [-3, 1, 2, 3, 127]],
    [
      'both say the same',
      { output_dtype: { i: UINT8 } },
      [scale(0.5), zero(4, UINT8)],
      'uint8',
      [0, 4, 5, 6, 255],
    ],
  ] as const)('%s', (_, attrs, constants, dtype, values) => {
    expect(result('QuantizeLinear', attrs, constants, [-2, 0, 0.5, 1, 200])).toEqual([
      dtype,
      values,
    ]);
  });

  test('divides in the precision that it is asked for', () => {
    // 2049 / 1 lies between two float16 numbers: 2048 is the even one.
    const attrs = { precision: { i: FLOAT16 }, output_dtype: { i: 4 } };
    expect(result('QuantizeLinear', attrs, [scale(1)], [2049])).toEqual(['uint16', [2048]]);
    const plain = { output_dtype: { i: 4 } };
    expect(result('QuantizeLinear', plain, [scale(1)], [2049])).toEqual(['uint16', [2049]]);
  });

  test.each([
    ['a zero point of another type', { output_dtype: { i: UINT8 } }, [scale(1), zero(0, INT8)]],
    ['a type of no numbers', { output_dtype: { i: STRING } }, [scale(1)]],
    ['a precision of no numbers', { precision: { i: STRING } }, [scale(1)]],
    ['a type that nothing is quantized to', { output_dtype: { i: FLOAT } }, [scale(1)]],
  ])('refuses %s', (_, attrs, constants) => {
    expect(
      refused(one('QuantizeLinear', { x: [2] }, attrs, constants), { opset: 23 }),
    ).toHaveLength(1);
  });
});

describe('DequantizeLinear', () => {
  test.each([
    ['the type of the scale', {}, 'float32'],
    ['the type that is named', { output_dtype: { i: FLOAT16 } }, 'float16'],
  ] as const)('answers %s', (_, attrs, dtype) => {
    const constants = [scale(0.5), zero(1, INT8)];
    expect(result('DequantizeLinear', attrs, constants, [-3, 1, 4])).toEqual([dtype, [-2, 0, 1.5]]);
  });
});

describe('Range', () => {
  test.each([[[]], [[1]]])('takes bounds of shape (%s)', (dims) => {
    const bounds = ['a', 'b', 'c'].map((name, i) => ({ ...ints(name, [[1, 7, 2][i] ?? 0]), dims }));
    const [y] = run(imported(one('Range', {}, {}, bounds)), []);
    expect(y === undefined ? [] : Array.from(toNumbers(y))).toEqual([1, 3, 5]);
  });

  test('refuses bounds of more than one element', () => {
    const bounds = ['a', 'b', 'c'].map((name) => ints(name, [1, 2]));
    expect(refused(one('Range', {}, {}, bounds))).toHaveLength(1);
  });
});
