/** Products in integers of 8 bits: what is rounded, to which scales, and what stays. */
import { orThrow } from '@baton/base';
import { type IRModule, inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import {
  boundsOver,
  operandsIn,
  type QuantizedProductsOptions,
  withQuantizedProducts,
} from '@baton/passes';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

interface Weight {
  readonly shape: ReadonlyArray<number>;
  readonly data: ReadonlyArray<number>;
}

/** A program of `@main`, whose text calls its weights `W0`, `W1`. */
function programOf(text: string, weights: ReadonlyArray<Weight>): IRModule {
  const body = text.replaceAll(/\bW(\d)/g, 'meta[relay.Constant][$1]');
  const constants = weights.map((one) => JSON.stringify({ dtype: 'float32', ...one }));
  const section = `#[metadata]\n{"relay.Constant": [${constants.join(',\n')}]}`;
  const whole = `#[version = "0.0.5"]\n${body}\n${section}`;
  return orThrow(inferTypes(orThrow(parseModule(whole, { ops: standardOps }))));
}

/** The lines of the body of `@main` in integers, and after them the constants that are no scalars. */
function quantized(m: IRModule, options: Partial<QuantizedProductsOptions>): ReadonlyArray<string> {
  const made = orThrow(withQuantizedProducts(m, { perChannel: false, ...options }));
  const text = printModule(made, { header: false, meta: 'section', showTypes: false });
  const [program = '', section = ''] = text.split('#[metadata]\n');
  const data = [...section.matchAll(/"shape":(\[.*?\]),"data":(\[.*?\])/g)].map(
    ([, shape, numbers]) => `${shape} ${numbers}`,
  );
  const lines = program.split('\n').map((line) => line.trim());
  return [...lines.filter((line) => line !== '' && line !== '}').slice(1), ...data];
}

const X = 'def @main(%x: Tensor[(4, 3), float32])';

describe('a weight becomes integers', () => {
  const weight = { shape: [2, 3], data: [1, 2, 3, -254, 5, 6] };
  const dense = programOf(`${X} { nn.dense(%x, W0) + W1 }`, [weight, { shape: [2], data: [1, 2] }]);

  test('with a scale for each output, and what is no weight stays', () => {
    expect(quantized(dense, { perChannel: true })).toEqual([
      '%0 = qnn.dequantize(meta[relay.Constant][0], meta[relay.Constant][1], 0, axis=0);',
      '%1 = nn.dense(%x, %0);',
      'add(%1, meta[relay.Constant][2])',
      '[2,3] [42,85,127,-127,3,3]',
      '[2] [0.023622047,2]',
      '[2] [1,2]',
    ]);
  });

  test('with one scale for all', () => {
    expect(quantized(dense, {})).toEqual([
      '%0 = qnn.dequantize(meta[relay.Constant][0], 2f, 0);',
      '%1 = nn.dense(%x, %0);',
      'add(%1, meta[relay.Constant][1])',
      '[2,3] [1,1,2,-127,3,3]',
      '[2] [1,2]',
    ]);
  });

  test('once for all products with it', () => {
    const both = programOf(`${X} { nn.dense(%x, W0) + nn.dense(exp(%x), W0) }`, [weight]);
    expect(quantized(both, {})).toEqual([
      '%0 = qnn.dequantize(meta[relay.Constant][0], 2f, 0);',
      '%1 = nn.dense(%x, %0);',
      '%2 = exp(%x);',
      '%3 = nn.dense(%2, %0);',
      'add(%1, %3)',
      '[2,3] [1,1,2,-127,3,3]',
    ]);
  });

  test('unless its product is one to skip', () => {
    expect(quantized(dense, { skips: new Set(['nn.dense']) })[0]).toBe(
      '%0 = nn.dense(%x, meta[relay.Constant][0]);',
    );
  });

  test.each([
    ['columns', [3, 2], 'nn.matmul(%x, W0)', ', axis=1'],
    ['rows of a transposed matrix', [2, 3], 'nn.matmul(%x, W0, transpose_b=True)', ', axis=0'],
    ['filters', [2, 3, 1, 1], 'nn.conv2d(reshape(%x, newshape=[1, 3, 2, 2]), W0)', ', axis=0'],
    [
      'filters that lie along the last axis',
      [1, 1, 3, 2],
      'nn.conv2d(reshape(%x, newshape=[1, 2, 2, 3]), W0, data_layout="NHWC", kernel_layout="HWIO")',
      ', axis=3',
    ],
    [
      'no axis of a batch of matrices',
      [1, 2, 3],
      'nn.batch_matmul(reshape(%x, newshape=[1, 4, 3]), W0, transpose_b=True)',
      '',
    ],
  ])('with scales along %s', (_, shape, call, axis) => {
    const m = programOf(`${X} { ${call} }`, [{ shape, data: [1, 2, 3, 4, 5, 6] }]);
    const scale = axis === '' ? '0.047244094f' : 'meta[relay.Constant][1]';
    expect(quantized(m, { perChannel: true }).join('\n')).toContain(
      `= qnn.dequantize(meta[relay.Constant][0], ${scale}, 0${axis});`,
    );
  });
});

describe('an operand', () => {
  const bytes = (rows: number): Weight => ({
    shape: [rows, 1],
    data: new Array<number>(rows).fill(127),
  });
  const column = 'def @main(%x: Tensor[(2, 1), float32])';
  const m = programOf(`${column} { nn.dense(%x, W0) }`, [bytes(16)]);

  test.each([
    ['on both sides of 0', [-1, 1.55], '0.01f, -28'],
    ['above 0', [1, 2.55], '0.01f, -128'],
    ['below 0', [-2.55, -1], '0.01f, 127'],
    ['at 0', [0, 0], '1f, -128'],
  ])('with bounds %s becomes integers that span these and 0', (_, bounds, parameters) => {
    const lines = quantized(m, { bounds: boundsOver(operandsIn(m), [bounds]) });
    expect(lines.slice(0, 2)).toEqual([
      `%0 = qnn.quantize(%x, ${parameters}, rounding="TIESTOEVEN");`,
      `%1 = qnn.dequantize(%0, ${parameters});`,
    ]);
  });

  test('has the bounds of all runs', () => {
    const runs = [
      [-1, 2],
      [-3, 1],
    ];
    expect([...boundsOver(operandsIn(m), runs).values()]).toEqual([{ least: -3, most: 2 }]);
  });

  test('of two products is rounded once', () => {
    const both = programOf(`${column} { nn.dense(%x, W0) + nn.dense(%x, W0) }`, [bytes(16)]);
    const operands = operandsIn(both);
    expect(operands).toHaveLength(1);
    expect(quantized(both, { bounds: boundsOver(operands, [[0, 2.55]]) }).slice(0, -1)).toEqual([
      '%0 = qnn.quantize(%x, 0.01f, -128, rounding="TIESTOEVEN");',
      '%1 = qnn.dequantize(%0, 0.01f, -128);',
      '%2 = qnn.dequantize(meta[relay.Constant][0], 1f, 0);',
      '%3 = nn.dense(%1, %2);',
      '%4 = nn.dense(%1, %2);',
      'add(%3, %4)',
    ]);
  });

  test('stays if its product has fewer than 16 multiplications for each of its elements', () => {
    expect(operandsIn(programOf(`${column} { nn.dense(%x, W0) }`, [bytes(15)]))).toEqual([]);
  });
});
