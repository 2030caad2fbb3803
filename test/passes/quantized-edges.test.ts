/** Integers that stand for real numbers at the ends of their types: spelled out, and in regions. */
import { passes } from '@baton/passes';
import { describe, expect, it } from 'vitest';
import { expectKept, valuesOf } from '../rewrites/values.ts';

const of = (dtype: string, count: number, body: string): string =>
  `def @main(%x: Tensor[(${count}), ${dtype}]) { ${body} }`;

describe('QnnCanonicalize', () => {
  const INTS = [-1, 1, -(2 ** 31), 2 ** 31 - 1, -(2 ** 24)];

  it.each(
    ['UPWARD', 'TONEAREST'].flatMap((rounding) =>
      [1, 8, 20, 23, 24, 25, 26, 28, 30, 31].map((k) => [rounding, k] as const),
    ),
  )('W8: keeps every bit of a requantize %s by 2^-%i', (rounding, k) => {
    for (const dtype of ['int32', 'int8']) {
      const call = `qnn.requantize(%x, ${2 ** -k}f, 0, 1f, 0, rounding="${rounding}", out_dtype="${dtype}")`;
      expectKept(of('int32', INTS.length, call), INTS, passes.qnnCanonicalize);
    }
  });

  it.each([2, 1.5, 1, 0.3, 0, -2, 1e-12, 1e10])(
    'W14: keeps every bit of a leaky rectifier with the slope %f',
    (alpha) => {
      for (const zero of [0, 5, -7]) {
        const call = `qnn.leaky_relu(%x, 1f, 0, 1f, ${zero}, alpha=${alpha})`;
        const x = [-1500000000, 5, 2000000000, -(2 ** 31)];
        expectKept(of('int32', 4, call), x, passes.qnnCanonicalize);
        expectKept(of('int8', 4, call), [-128, -3, 5, 127], passes.qnnCanonicalize);
      }
    },
  );

  it('W14: a slope above 1 saturates', () => {
    const text = of('int32', 2, 'qnn.leaky_relu(%x, 1f, 0, 1f, 0, alpha=2.0)');
    expect(valuesOf(text, [-1500000000, 5], passes.qnnCanonicalize)).toEqual([-(2 ** 31), 5]);
  });

  it.each(['add', 'subtract'])('W11: the %s of saturated operands does not wrap', (name) => {
    const sum = (y: string): string => `qnn.${name}(%x, ${y}, 1e6f, 0, 1e6f, 3, 0.001f, -100)`;
    for (const y of ['%x', 'negative(%x)']) {
      expectKept(of('int8', 4, sum(y)), [-127, -3, 5, 127], passes.qnnCanonicalize);
    }
    expect(valuesOf(of('int8', 1, 'qnn.add(%x, %x, 1e6f, 0, 1e6f, 0, 0.001f, 0)'), [100])).toEqual([
      127,
    ]);
  });
});

describe('FakeQuantizationToInteger', () => {
  const DATA: Readonly<Record<string, ReadonlyArray<number>>> = {
    uint8: [0, 10, 100, 200],
    int8: [-128, -3, 100, 127],
  };
  const regions = Object.keys(DATA).flatMap((dtype) =>
    [-200, -7, 0, 128, 200, 300].flatMap((zero) =>
      [
        'nn.relu(%r)',
        'clip(%r, a_min=0.0, a_max=6.0)',
        'clip(%r, a_min=3.0, a_max=50.0)',
        'clip(%r, a_min=-60.0, a_max=-5.0)',
      ].map((call) => [dtype, zero, call] as const),
    ),
  );

  it.each(regions)('W10: zero points outside the type: %s, %i, %s', (dtype, zero, call) => {
    const real = `qnn.dequantize(%x, 0.1f, ${zero})`;
    for (const out of ['int32', dtype]) {
      const body = `qnn.quantize(${call.replace('%r', real)}, 0.1f, 0, out_dtype="${out}")`;
      expectKept(of(dtype, 4, body), DATA[dtype] ?? [], passes.fakeQuantizationToInteger);
    }
  });

  it.each([-7, 300])('W10: along an axis: %i', (zero) => {
    const body = `qnn.quantize(nn.relu(qnn.dequantize(reshape(%x, newshape=[2, 2]), Constant(0.1, (2), float32), Constant(${zero}, (2), int32), axis=0)), 0.1f, 0, out_dtype="int32")`;
    expectKept(of('uint8', 4, body), DATA.uint8 ?? [], passes.fakeQuantizationToInteger);
  });

  const functions = ['exp', 'rsqrt', 'log', 'sqrt', 'tanh', 'sigmoid'].flatMap((name) =>
    [-128, 0, 100].map((zero) => [name, zero] as const),
  );

  it.each(functions)('W11: %s on int32 keeps its zero point %i', (name, zero) => {
    const body = `qnn.quantize(${name}(mean(qnn.dequantize(%x, 1f, 0))), 0.1f, ${zero}, out_dtype="int8")`;
    for (const x of [
      [100, 30],
      [127, 127],
      [1, 1],
    ]) {
      expectKept(of('int8', 2, body), x, passes.fakeQuantizationToInteger);
    }
  });

  it.each(['log', 'rsqrt'])('W11: %s of 0 saturates', (name) => {
    for (const zero of [-100, 100]) {
      const body = `qnn.quantize(${name}(mean(qnn.dequantize(%x, 1f, 0))), 0.1f, ${zero}, out_dtype="int8")`;
      expectKept(of('int8', 2, body), [0, 0], passes.fakeQuantizationToInteger);
    }
  });

  it.each(['1e9f', '1e6f', '1f'])('W11: sums of very different scales: %s', (scale) => {
    const body = `qnn.quantize(qnn.dequantize(%x, ${scale}, 0) + qnn.dequantize(%x, 1e5f, 3), 0.001f, -100, out_dtype="int8")`;
    expectKept(of('int8', 2, body), [100, -30], passes.fakeQuantizationToInteger);
  });
});
