import { isLeft } from '@baton/base';
import { type DTypeTerm, incompleteType, inferTypes, typeOf } from '@baton/ir';
import { meetDTypes, standardOps } from '@baton/ops';
import { parseModule, printType } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { right } from './support.ts';

/** The type of the result of a function's body, or the codes of the errors. */
function typed(text: string): string {
  const parsed = parseModule(`#[version = "0.0.5"]\ndef @main${text}`, { ops: standardOps });
  const inferred = inferTypes(right(parsed));
  if (isLeft(inferred)) return inferred.left.map((d) => d.code).join(' ');
  const m = inferred.right;
  const main = m.functions.get('main');
  const type = main === undefined ? undefined : typeOf(m, main.body);
  return type === undefined ? 'none' : printType(type);
}

describe('unknown dimensions', () => {
  test.each([
    ['(%x: Tensor[(?, 4), float32]) { add(%x, %x) }', 'Tensor[(?, 4), float32]'],
    [
      '(%x: Tensor[(?, 4), float32], %y: Tensor[(3, 4), float32]) { add(%x, %y) }',
      'Tensor[(3, 4), float32]',
    ],
    [
      '(%x: Tensor[(?, 4), float32], %y: Tensor[(1, 4), float32]) { add(%x, %y) }',
      'Tensor[(?, 4), float32]',
    ],
    ['(%x: Tensor[(?, 4), float32]) { concatenate((%x, %x), axis=0) }', 'Tensor[(?, 4), float32]'],
    [
      '(%x: Tensor[(?, 4), float32], %y: Tensor[(3, ?), float32]) { concatenate((%x, %y), axis=0) }',
      'Tensor[(?, 4), float32]',
    ],
    [
      '(%x: Tensor[(?, 4), float32]) { reshape(%x, newshape=[0, 2, 2]) }',
      'Tensor[(?, 2, 2), float32]',
    ],
    ['(%x: Tensor[(?, 4), float32]) { reshape(%x, newshape=[-1]) }', 'Tensor[(?), float32]'],
    // L.13: the codes are read from the right.
    [
      '(%x: Tensor[(n, 5, 4), float32]) { contrib_reverse_reshape(%x, newshape=[-1, 0]) }',
      'Tensor[(5 * n, 4), float32]',
    ],
    // O.1: the type of a pool of any size rounds as its kernel does.
    [
      '(%x: Tensor[(1, 1, 2*n + 1, 2*n), float32]) { nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2], ceil_mode=True) }',
      'Tensor[(1, 1, n + 1, n), float32]',
    ],
    [
      '(%x: Tensor[(1, 1, 2*n + 1, 2*n), float32]) { nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2]) }',
      'Tensor[(1, 1, n, n), float32]',
    ],
    [
      '(%x: Tensor[(?, 3, 7, ?), float32], %w: Tensor[(5, 3, 3, 3), float32]) { nn.conv2d(%x, %w) }',
      'Tensor[(?, 5, 5, ?), float32]',
    ],
    [
      '(%x: Tensor[(?, 3), float32], %w: Tensor[(5, 3), float32]) { nn.dense(%x, %w) }',
      'Tensor[(?, 5), float32]',
    ],
    ['(%x: Tensor[(2, ?, 3), float32]) { nn.batch_flatten(%x) }', 'Tensor[(2, ?), float32]'],
    [
      '(%x: Tensor[(?, 3), float32]) { nn.pad(%x, 0f, pad_width=[[1, 1], [0, 2]]) }',
      'Tensor[(?, 5), float32]',
    ],
    [
      '(%x: Tensor[(?, 3), float32]) { strided_slice(%x, begin=[0, 1], end=[2, 3]) }',
      'Tensor[(?, 2), float32]',
    ],
    [
      '(%x: Tensor[(?, 3), float32]) { strided_slice(%x, begin=[1], end=[2], slice_mode="size") }',
      'Tensor[(2, 3), float32]',
    ],
    ['(%x: Tensor[(?, 1), float32]) { squeeze(%x, axis=[0]) }', 'Tensor[(1), float32]'],
    [
      '(%x: Tensor[(?, 6), float32]) { split(%x, indices_or_sections=2, axis=0).0 }',
      'Tensor[(?, 6), float32]',
    ],
    ['(%x: float32, %y: float32) { arange(%x, %y, 1f) }', 'Tensor[(?), float32]'],
    ['() { arange(0f, 3f, 1f) }', 'Tensor[(3), float32]'],
  ])('%s', (text, expected) => {
    expect(typed(text)).toBe(expected);
  });
});

describe('named dimensions', () => {
  test.each([
    [
      '(%x: Tensor[(n, 4), float32], %y: Tensor[(m, 4), float32]) { concatenate((%x, %y), axis=0) }',
      'Tensor[(n + m, 4), float32]',
    ],
    ['(%x: Tensor[(n, 4), float32]) { reshape(%x, newshape=[-1]) }', 'Tensor[(4 * n), float32]'],
    [
      '(%x: Tensor[(n, 4), float32]) { repeat(%x, repeats=3, axis=0) }',
      'Tensor[(3 * n, 4), float32]',
    ],
    [
      '(%x: Tensor[(1, 2, n), float32], %w: Tensor[(3, 2, 3), float32]) { nn.conv1d(%x, %w, padding=[1, 1]) }',
      'Tensor[(1, 3, n), float32]',
    ],
    [
      '(%x: Tensor[(1, 2, n), float32], %w: Tensor[(3, 2, 3), float32]) { nn.conv1d(%x, %w, strides=[2]) }',
      'Tensor[(1, 3, ?), float32]',
    ],
    [
      '(%x: Tensor[(1, 2, 2 * n), float32]) { nn.max_pool1d(%x, pool_size=[2], strides=[2]) }',
      'Tensor[(1, 2, n), float32]',
    ],
    ['(%x: Tensor[(n), float32], %y: Tensor[(m), float32]) { add(%x, %y) }', 'OP_BROADCAST'],
  ])('%s', (text, expected) => {
    expect(typed(text)).toBe(expected);
  });
});

describe('reshapes that split', () => {
  test.each([
    ['6', '[-4, 2, 3]', 'Tensor[(2, 3), float32]'],
    ['6', '[-4, -1, 3]', 'Tensor[(2, 3), float32]'],
    ['6', '[-4, 2, -1]', 'Tensor[(2, 3), float32]'],
    ['?', '[-4, 2, 3]', 'Tensor[(2, 3), float32]'],
    ['0', '[-4, 0, 3]', 'Tensor[(0, 3), float32]'],
    ['6', '[-4, 2, 4]', 'OP_ATTR'],
    ['6', '[-4, -1, 4]', 'OP_ATTR'],
    ['6', '[-4, 4, -1]', 'OP_ATTR'],
    ['0', '[-4, -1, 0]', 'OP_ATTR'],
    ['0', '[-4, 0, -1]', 'OP_ATTR'],
    ['?', '[-4, -1, 0]', 'OP_ATTR'],
    ['?', '[-4, 0, -1]', 'OP_ATTR'],
    ['6', '[-4, -1, -1]', 'OP_ATTR'],
    ['6', '[-4, -2, -3]', 'OP_ATTR'],
    ['6', '[-4, 6]', 'OP_ATTR'],
    ['6', '[-4]', 'OP_ATTR'],
    ['2, 3', '[-3]', 'Tensor[(6), float32]'],
    ['6', '[-3]', 'OP_ATTR'],
    ['2, 3', '[-1, -1]', 'OP_ATTR'],
    ['2, 3', '[0, 0, 0]', 'OP_ATTR'],
    ['2, 3', '[0, -2]', 'Tensor[(2, 3), float32]'],
    ['2, 3', '[-2, 1]', 'Tensor[(2, 3, 1), float32]'],
    ['2, 3', '[-5]', 'OP_ATTR'],
    ['2, 3', '[4, -1]', 'OP_SHAPE_MISMATCH'],
    ['2, 3', '[7]', 'OP_SHAPE_MISMATCH'],
    ['?, 3', '[4, -1]', 'Tensor[(4, ?), float32]'],
    ['?, 3', '[0, -1]', 'Tensor[(?, 3), float32]'],
  ])('(%s) to %s', (dims, newshape, expected) => {
    expect(typed(`(%x: Tensor[(${dims}), float32]) { reshape(%x, newshape=${newshape}) }`)).toBe(
      expected,
    );
  });
});

describe('windows over sizes that are not numbers', () => {
  test.each([
    ['?', 'pool_size=[2]', '?'],
    ['?', 'pool_size=[2], strides=[2]', '?'],
    ['n', 'pool_size=[2]', 'n - 1'],
    ['n', 'pool_size=[2], strides=[2]', '?'],
    ['2 * n', 'pool_size=[3], strides=[2]', 'n - 1'],
    ['2 * n', 'pool_size=[3], strides=[2], ceil_mode=True', 'n'],
    ['2 * n', 'pool_size=[3], strides=[2], padding=[1, 1]', 'n'],
    ['3 * n', 'pool_size=[2], strides=[2]', '?'],
    ['4 * n', 'pool_size=[2], strides=[2], dilation=[3]', '2 * n - 1'],
    ['7', 'pool_size=[2], strides=[2]', '3'],
    ['7', 'pool_size=[2], strides=[2], ceil_mode=True', '4'],
    ['2', 'pool_size=[2]', '1'],
  ])('%s with %s', (size, attrs, expected) => {
    expect(typed(`(%x: Tensor[(1, 1, ${size}), float32]) { nn.max_pool1d(%x, ${attrs}) }`)).toBe(
      `Tensor[(1, 1, ${expected}), float32]`,
    );
  });

  test('a window that is larger than the data', () => {
    expect(typed('(%x: Tensor[(1, 1, 2), float32]) { nn.max_pool1d(%x, pool_size=[3]) }')).toBe(
      'OP_EXTENT',
    );
  });
});

describe('weights that attributes do not determine', () => {
  test.each([
    ['nn.conv2d(%x, %w, channels=4)', 't1'],
    ['nn.conv2d_transpose(%x, %w, channels=4)', 't1'],
    [
      'nn.conv2d_transpose(%x, %w, channels=4, kernel_size=[3, 3])',
      'Tensor[(1, 4, 10, 10), float32]',
    ],
    ['nn.conv2d_transpose(%x, %w, channels=4, kernel_size=[3, 3], kernel_layout="IOHW3o")', 't1'],
  ])('%s', (call, expected) => {
    expect(typed(`(%x: Tensor[(1, 2, 8, 8), float32], %w) { ${call} }`)).toBe(expected);
  });
});

describe('holes and literals', () => {
  test('weights are filled from attributes and data', () => {
    const parsed = right(
      parseModule(
        `#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w, %g, %b, %m, %v, %c, %d) {
  %0 = nn.conv2d(%x, %w, channels=4, kernel_size=[3, 3]);
  %1 = nn.batch_norm(%0, %g, %b, %m, %v);
  %2 = nn.bias_add(%1.0, %c);
  nn.dense(nn.batch_flatten(%2), %d, units=10)
}`,
        { ops: standardOps },
      ),
    );
    const main = right(inferTypes(parsed)).functions.get('main');
    expect(main?.params.map((p) => p.typeAnnotation && printType(p.typeAnnotation))).toEqual([
      'Tensor[(1, 3, 8, 8), float32]',
      'Tensor[(4, 3, 3, 3), float32]',
      'Tensor[(4), float32]',
      'Tensor[(4), float32]',
      'Tensor[(4), float32]',
      'Tensor[(4), float32]',
      'Tensor[(4), float32]',
      'Tensor[(10, 144), float32]',
    ]);
  });

  test.each([
    ['(%x: Tensor[(2), float16]) { add(%x, 1) }', 'Tensor[(2), float16]'],
    ['(%x: Tensor[(2), float64]) { where(True, %x, 1) }', 'Tensor[(2), float64]'],
    ['() { sigmoid(1) }', 'float32'],
    ['() { full(1, shape=[2], dtype="int8") }', 'Tensor[(2), int8]'],
    ['(%x: Tensor[(2), float64]) { full_like(%x, 1) }', 'Tensor[(2), float64]'],
    ['(%x: Tensor[(2), float64]) { nn.pad(%x, 0, pad_width=[[1, 1]]) }', 'Tensor[(4), float64]'],
    [
      '(%x: Tensor[(2), int32]) { one_hot(%x, 1, 0, depth=3, dtype="float16") }',
      'Tensor[(2, 3), float16]',
    ],
    ['(%x: Tensor[(2), int32]) { exp(%x) }', 'OP_DTYPE_DOMAIN'],
    [
      '(%x: Tensor[(2, 3), float32]) { contrib_reverse_reshape(%x, newshape=[-4, 1, 2, 0]) }',
      'OP_ATTR',
    ],
    ['(%x: Tensor[(2), float32]) { add(%x, 1i32) }', 'OP_DTYPE_MISMATCH'],
    // A literal is never a bool, and one with a point is no integer.
    ['() { logical_and(1, 2) }', 'OP_DTYPE_DOMAIN'],
    ['() { logical_not(0) }', 'OP_DTYPE_DOMAIN'],
    ['() { all(1) }', 'OP_DTYPE_DOMAIN'],
    ['() { bitwise_and(1, 2) }', 'int32'],
    ['() { bitwise_and(1.5, 2.5) }', 'OP_DTYPE_DOMAIN'],
    ['() { left_shift(1.5, 2) }', 'OP_DTYPE_DOMAIN'],
    ['(%x: Tensor[(2), float32]) { take(%x, 1, axis=0) }', 'float32'],
    ['(%x: Tensor[(2), float32]) { take(%x, 1.5, axis=0) }', 'OP_DTYPE_DOMAIN'],
    ['() { full(1.5, shape=[2], dtype="int8") }', 'OP_DTYPE_MISMATCH'],
    ['(%s: Tensor[(2), int64]) { dyn.full(1.5, %s, dtype="int8") }', 'OP_DTYPE_MISMATCH'],
    ['() { full(300, shape=[2], dtype="int8") }', 'TYPE_LITERAL_RANGE'],
    // Any dtype except a literal's is cast.
    [
      '() { fn [d: BaseType](%x: Tensor[(), d]) { full(%x, shape=[2], dtype="int8") } }',
      'fn [d: BaseType](Tensor[(), d]) -> Tensor[(2), int8]',
    ],
    // A scalar with a value of any shape.
    ['[s: Shape](%x: Tensor[s, float32]) { add(1f, %x) }', 'Tensor[s, float32]'],
    ['() { full(1f, shape=[2], dtype="int8") }', 'Tensor[(2), int8]'],
    [
      '(%x: Tensor[(2), int32]) { one_hot(%x, 1.5, 0, depth=3, dtype="int8") }',
      'OP_DTYPE_MISMATCH',
    ],
  ])('%s', (text, expected) => {
    expect(typed(text)).toBe(expected);
  });
});

describe('ranges of axes of reshape_like', () => {
  test.each([
    ['lhs_begin=1, lhs_end=2, rhs_begin=1', 'Tensor[(2, 3), float32]'],
    ['lhs_begin=-1, rhs_begin=-1', 'Tensor[(2, 3), float32]'],
    ['lhs_end=3', 'OP_ATTR'],
    ['rhs_end=3', 'OP_ATTR'],
    ['lhs_begin=2, lhs_end=1', 'OP_ATTR'],
    ['lhs_begin=-3', 'OP_ATTR'],
  ])('%s', (attrs, expected) => {
    const params = '%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]';
    expect(typed(`(${params}) { reshape_like(%x, %y, ${attrs}) }`)).toBe(expected);
  });
});

describe('two dtypes meet', () => {
  const [any, number, float] = [undefined, 'int', 'float'].map((literal) =>
    incompleteType('BaseType', literal as 'int' | 'float' | undefined),
  ) as [DTypeTerm, DTypeTerm, DTypeTerm];
  test.each<[string, DTypeTerm, DTypeTerm, DTypeTerm | undefined]>([
    ['any with one', any, 'int8', 'int8'],
    ['a float with a float', float, 'float16', 'float16'],
    ['a float with an integer', float, 'int8', undefined],
    ['a number with an integer', number, 'int8', 'int8'],
    ['a number with a bool', number, 'bool', undefined],
    ['two that differ', 'int8', 'int16', undefined],
  ])('%s', (_, a, b, expected) => {
    expect([meetDTypes(a, b), meetDTypes(b, a)]).toEqual([expected, expected]);
  });
});
