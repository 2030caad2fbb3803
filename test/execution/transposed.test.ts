/** Transposed convolutions whose windows lie side by side are computed as convolutions of one element. */
import { loweredText, makeWasm } from '@baton/wasm';
import { interpreter, orThrow, parseModule, type Tensor } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { seededInputs } from '../../bench/src/subjects/inputs.ts';

const program = (data: string, weight: string, call: string) =>
  orThrow(
    parseModule(
      `#[version = "0.0.5"]\ndef @main(%x: Tensor[(${data}), float32], %w: Tensor[(${weight}), float32]) { ${call} }`,
    ),
  );

describe.each([
  ['one axis', '2, 3, 5', '3, 4, 3', 'nn.conv1d_transpose(%x, %w, strides=[3])'],
  ['two axes', '2, 3, 4, 5', '3, 6, 2, 3', 'nn.conv2d_transpose(%x, %w, strides=[2, 3])'],
  [
    'three axes',
    '1, 2, 3, 2, 2',
    '2, 3, 2, 1, 2',
    'nn.conv3d_transpose(%x, %w, strides=[2, 1, 2])',
  ],
])('of %s', (_, data, weight, call) => {
  const m = program(data, weight, call);

  it('have every bit of the reference', () => {
    const inputs = orThrow(seededInputs(m, call));
    const wanted = orThrow(orThrow(interpreter.prepare(m)).run(inputs)) as Tensor;
    const wasm = makeWasm({ isExact: true, leastElements: 0 });
    const found = orThrow(orThrow(wasm.prepare(m)).run(inputs)) as Tensor;
    expect(found.shape).toEqual(wanted.shape);
    expect([...found.data]).toEqual([...wanted.data]);
  });

  it('run no reference kernel of a transposed convolution', () => {
    expect(orThrow(loweredText(m, { level: 'simd' }))).not.toContain('_transpose');
  });
});

it.each([
  ['windows that overlap', 'strides=[1, 2]'],
  ['windows with room between them', 'strides=[3, 2]'],
  ['padding', 'strides=[2, 2], padding=[1, 0, 0, 0]'],
  ['padding of the result', 'strides=[2, 2], output_padding=[1, 0]'],
  ['dilation', 'strides=[2, 2], dilation=[2, 1]'],
])('others are what they were: %s', (_, attrs) => {
  const m = program('1, 4, 5, 5', '4, 3, 2, 2', `nn.conv2d_transpose(%x, %w, ${attrs})`);
  expect(orThrow(loweredText(m, { level: 'simd' }))).toContain('nn.conv2d_transpose');
});

it('those of groups, too', () => {
  const call = 'nn.conv2d_transpose(%x, %w, strides=[2, 2], groups=2)';
  const m = program('1, 4, 5, 5', '4, 3, 2, 2', call);
  expect(orThrow(loweredText(m, { level: 'simd' }))).toContain('nn.conv2d_transpose');
});
