/** Fourier transforms against their definition, and windows that move. */
import { orThrow } from '@baton/base';
import { evaluateOp, type OpValue, standardOps } from '@baton/ops';
import { fromNumbers, isTensor, toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { fourier } from '../src/kernels/fourier.ts';

const listsOf = (value: OpValue): ReadonlyArray<ReadonlyArray<number>> =>
  isTensor(value) ? [Array.from(toNumbers(value))] : value.flatMap(listsOf);

function byDefinition(re: Float64Array, im: Float64Array) {
  const { length } = re;
  const term = (k: number, n: number): readonly [number, number] => {
    const angle = (-2 * Math.PI * ((k * n) % length)) / length;
    const [x, y] = [re[n] ?? 0, im[n] ?? 0];
    return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
  };
  return Array.from({ length }, (_, k) =>
    Array.from({ length }, (_, n) => term(k, n)).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]),
  );
}

describe('a transform', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 31])('of %i numbers', (length) => {
    const re = Float64Array.from({ length }, (_, i) => Math.sin(3 * i) + i / 4);
    const im = Float64Array.from({ length }, (_, i) => Math.cos(i * i));
    const found = fourier(length, false)(re, im);
    byDefinition(re, im).forEach(([x, y], k) => {
      expect(found.re[k]).toBeCloseTo(x, 10);
      expect(found.im[k]).toBeCloseTo(y, 10);
    });
    const back = fourier(length, true)(found.re, found.im);
    for (let i = 0; i < length; i++) {
      expect(back.re[i]).toBeCloseTo(re[i] ?? 0, 10);
      expect(back.im[i]).toBeCloseTo(im[i] ?? 0, 10);
    }
  });
});

test('stft of the example of Relay', () => {
  const data = fromNumbers([1, 2, 3, 4, 5, 6], [1, 6], 'float32');
  const window = fromNumbers([4, 3, 2], [3], 'float32');
  const attrs = { n_fft: 3, hop_length: 3, win_length: 3, normalized: false, onesided: true };
  const value = orThrow(evaluateOp(standardOps, 'stft', attrs, [data, window]));
  const [found = []] = listsOf(value);
  [16, 0, 43, 0, -2, 0, 2.5, -2.5981].forEach((x, i) => {
    expect(found[i]).toBeCloseTo(x, 4);
  });
});

test('stft with a short window has it in the middle of its frames', () => {
  const data = fromNumbers([1, 2, 3, 4, 5], [1, 5], 'float32');
  const window = fromNumbers([10], [1], 'float32');
  const attrs = { n_fft: 3, hop_length: 1, win_length: 1, normalized: false, onesided: true };
  const [found = []] = listsOf(orThrow(evaluateOp(standardOps, 'stft', attrs, [data, window])));
  // The first frequency is the sum of each window.
  expect([found[0], found[2], found[4]]).toEqual([20, 30, 40]);
});

test('sliding_window takes the windows of the axes from one on', () => {
  const data = fromNumbers([0, 1, 2, 3, 4, 5], [2, 3], 'float32');
  const attrs = { axis: 0, window_shape: [2, 2], strides: [1, 1] };
  const value = orThrow(evaluateOp(standardOps, 'sliding_window', attrs, [data]));
  expect(listsOf(value)).toEqual([[0, 1, 3, 4, 1, 2, 4, 5]]);
});
