import { type Diagnostic, isLeft, orThrow } from '@baton/base';
import { fromData, type HostValue, toData } from '@baton/executor';
import { irModule, scalarType, type Type, tensorType, tupleType, typeCall } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { type DType, tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const m = irModule({ ops });

const made = (type: Type, given: HostValue): unknown => toData(orThrow(fromData(m, type, given)));

function refusal(type: Type, given: HostValue): Diagnostic {
  const result = fromData(m, type, given);
  if (isLeft(result)) return result.left[0];
  throw new Error('the data is accepted');
}

/** The type of a parameter, by its text. */
function typeOf(text: string): Type {
  const parsed = orThrow(
    parseModule(`#[version = "0.0.5"]\ndef @main(%x: ${text}) { () }`, { ops }),
  );
  const type = parsed.functions.get('main')?.params[0]?.typeAnnotation;
  if (type === undefined) throw new Error('the parameter has a type');
  return type;
}

describe('a number of the host', () => {
  it.each<[DType, number | bigint | boolean, number | bigint | boolean]>([
    ['int8', -128, -128],
    ['int8', 127n, 127],
    ['uint8', 255, 255],
    ['int32', -0, 0],
    ['int32', true, 1],
    ['int64', 2 ** 53, 2n ** 53n],
    ['uint64', 2n ** 64n - 1n, 2n ** 64n - 1n],
    ['bool', 1, true],
    ['bool', 0n, false],
    ['float16', 0.1, 0.0999755859375],
    ['float16', 65519, 65504],
    ['float32', 3.4028235e38, 3.4028234663852886e38],
    ['float32', Number.NaN, Number.NaN],
    ['float16', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ['float64', 2n ** 60n, 2 ** 60],
  ])('fits %s: %s', (dtype, given, expected) => {
    expect(made(scalarType(dtype), given)).toEqual(expected);
  });

  it.each<[DType, number | bigint]>([
    ['int32', 2.5],
    ['int64', 0.5],
    ['int8', 128],
    ['int8', -129n],
    ['uint8', -1],
    ['int32', 2 ** 31],
    ['int64', 2 ** 63],
    ['int64', 2n ** 63n],
    ['uint64', -1n],
    ['int32', Number.NaN],
    ['int64', Number.POSITIVE_INFINITY],
    ['bool', 2],
    ['bool', 0.5],
    ['float16', 65520],
    ['float32', 1e39],
    ['float32', 10n ** 400n],
  ])('is refused where %s would change it: %s', (dtype, given) => {
    const problem = refusal(scalarType(dtype), given);
    expect(problem.code).toBe('EXEC_ARGUMENT_RANGE');
    expect(problem.message).toContain(`expects ${dtype}, which cannot be ${given}`);
    expect(problem.hint).toContain(dtype);
  });

  it('is named by its place in nested arrays', () => {
    const given = [
      [1, 2, 3],
      [4, 300, 6],
    ];
    const problem = refusal(tensorType([2, 3], 'uint8'), given);
    expect(problem.message).toBe('parameter %data[1][1] expects uint8, which cannot be 300');
    expect(problem.hint).toBe(
      'uint8 holds whole numbers from 0 to 255; round or clip the data to what is meant',
    );
  });
});

describe('a typed array of the host', () => {
  it.each<[string, string, HostValue, unknown]>([
    [
      'its type',
      'Tensor[(2, 2), float32]',
      Float32Array.of(1, 2, 3, 4),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['rank 0', 'int64', BigInt64Array.of(7n), 7n],
    ['bool', 'Tensor[(2), bool]', Uint8Array.of(1, 0), [true, false]],
    ['float16', 'Tensor[(1), float16]', Uint16Array.of(0x3c00), [1]],
    [
      'an open dimension',
      'Tensor[(?, 2), int32]',
      Int32Array.of(1, 2, 3, 4),
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['a named dimension', 'Tensor[(n, 3), int8]', Int8Array.of(1, 2, 3), [[1, 2, 3]]],
    ['no elements', 'Tensor[(0, ?), int32]', new Int32Array(0), []],
    [
      'rows',
      'Tensor[(2, 2), float64]',
      [Float64Array.of(1, 2), Float64Array.of(3, 4)],
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['a field', '(float32, Tensor[(1), int32])', [1, Int32Array.of(2)], [1, [2]]],
  ])('gets its shape from %s', (_, type, given, expected) => {
    expect(made(typeOf(type), given)).toEqual(expected);
  });

  it('is not copied', () => {
    const data = Float32Array.of(1, 2);
    const value = orThrow(fromData(m, tensorType([2], 'float32'), data));
    expect(value._tag === 'Tensor' && value.data).toBe(data);
  });

  it.each<[string, string, HostValue, string]>([
    [
      'of another type',
      'Tensor[(1), float32]',
      Float64Array.of(1),
      'float32 is stored in a Float32Array',
    ],
    [
      'of bits for what are numbers',
      'Tensor[(1), int16]',
      Uint16Array.of(1),
      'int16 is stored in an Int16Array',
    ],
    [
      'with a row of another type',
      'Tensor[(1, 1), int8]',
      [Uint8Array.of(1)],
      'int8 is stored in an Int8Array',
    ],
    ['that is too short', 'Tensor[(2, 2), int8]', Int8Array.of(1), 'the shape has 4 elements'],
    ['of no whole number of rows', 'Tensor[(?, 2), int8]', Int8Array.of(1), 'a multiple of 2'],
    [
      'for two open dimensions',
      'Tensor[(?, ?), int8]',
      Int8Array.of(1),
      'give a tensor, or nested arrays',
    ],
    [
      'for a sum',
      'Tensor[(n, 2 * n), int8]',
      Int8Array.of(1, 2),
      'give a tensor, or nested arrays',
    ],
  ])('is refused if it is one %s', (_, type, given, hint) => {
    const problem = refusal(typeOf(type), given);
    expect(problem.code).toBe('EXEC_ARGUMENT_TYPE');
    expect(problem.hint).toContain(hint);
  });

  it('that stores bools holds only 0 and 1', () => {
    expect(refusal(tensorType([1], 'bool'), Uint8Array.of(2)).code).toBe('TENSOR_STORAGE');
  });

  it.each<[string, Type, HostValue]>([
    ['a tuple', tupleType([scalarType('int32')]), Int32Array.of(1)],
    ['rows of different lengths', tensorType([2, 1], 'int8'), [Int8Array.of(1), Int8Array.of()]],
    ['rows beside numbers', tensorType([2, 1], 'int8'), [Int8Array.of(1), [1]]],
  ])('is no data for %s', (_, type, given) => {
    expect(refusal(type, given).code).toBe('EXEC_ARGUMENT_TYPE');
  });
});

describe('data without elements', () => {
  it('takes the dimensions that it does not show from the type', () => {
    const type = tensorType([0, 3], 'float32');
    expect(orThrow(fromData(m, type, []))).toMatchObject({ shape: [0, 3] });
    expect(
      orThrow(fromData(m, type, toData(tensor([], [0, 3], 'float32')) as HostValue)),
    ).toMatchObject({ shape: [0, 3] });
    expect(refusal(tensorType([1, 3], 'float32'), []).code).toBe('EXEC_DIMENSION');
  });
});

describe('a tensor inside a data type', () => {
  const vectors = orThrow(
    parseModule(
      '#[version = "0.0.5"]\ntype Vec[n: ShapeVar, d: BaseType] { Vec(Tensor[(n), d]) }',
      { ops },
    ),
  );
  const definition = vectors.typeDefinitions.get('Vec');
  if (definition === undefined) throw new Error('the type is there');
  const type = typeCall(definition.header, [
    { _tag: 'TypeArg', kind: 'ShapeVar', value: 2 },
    { _tag: 'TypeArg', kind: 'BaseType', value: 'int8' },
  ]);
  const given = (data: HostValue): HostValue => ({ constructor: 'Vec', fields: [data] });

  it('has the sizes and the elements of the arguments of the type', () => {
    expect(toData(orThrow(fromData(vectors, type, given(Int8Array.of(1, 2)))))).toEqual({
      constructor: 'Vec',
      fields: [[1, 2]],
    });
    for (const [data, code] of [
      [[1, 2, 3], 'EXEC_DIMENSION'],
      [Int8Array.of(1), 'EXEC_ARGUMENT_TYPE'],
      [[1, 128], 'EXEC_ARGUMENT_RANGE'],
    ] as const) {
      const result = fromData(vectors, type, given(data));
      expect(isLeft(result) && result.left[0].code).toBe(code);
    }
  });
});
