/**
 * Pools whose padding is as wide as their windows, and transposed convolutions whose results are
 * padded by a stride or more: runtimes refuse such nodes, so files hold others. Each program is
 * written, read again, and run in onnxruntime.
 */
import { mulberry32, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import {
  allClose,
  type DType,
  dense,
  fromNumbers,
  isFloat,
  printShape,
  shapeSize,
  type Tensor,
} from '@baton/tensor';
import { leavesOf } from '@baton/testing';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { loadElsewhere, runElsewhere } from './oracle.ts';

/** A program and its arguments. */
interface Program {
  readonly text: string;
  readonly args: ReadonlyArray<Tensor>;
  /** onnxruntime computes the node's means of this type. */
  readonly isRun: boolean;
}

/** The operators of the program's file, whose results are the program's. */
async function written({ text, args, isRun }: Program): Promise<ReadonlyArray<string>> {
  const m = orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { ops: standardOps }));
  const file = orThrow(exportOnnx(m));
  const [wanted] = leavesOf(orThrow(evaluate(m, args)));
  const again = orThrow(importOnnx(file, { ops: standardOps }));
  const found = [leavesOf(orThrow(evaluate(again, args)))[0]];
  if (isRun) {
    await loadElsewhere(file);
    const inputs = new Map(args.map((arg, i) => [`x${i}`, arg]));
    found.push((await runElsewhere(file, { inputs })).values().next().value);
  }
  const isHalf = wanted?.dtype === 'float16';
  const close = { atol: isHalf ? 4e-3 : 1e-5, rtol: isHalf ? 4e-3 : 1e-4 };
  for (const value of found) {
    expect(described(value), text).toEqual(described(wanted));
    expect(allClose(value as Tensor, wanted as Tensor, close), shown(text, value, wanted)).toBe(
      true,
    );
  }
  return orThrow(decodeModel(file)).graph?.nodes.map(({ opType }) => opType) ?? [];
}

const described = (t: Tensor | undefined) => t && `${t.dtype}${printShape(t.shape)}`;
const shown = (text: string, ...values: ReadonlyArray<Tensor | undefined>): string =>
  `${text}\n${values.map((t) => t && [...dense(t).data].join(' ')).join('\n')}`;

/** Multiples of an eighth from -1 on, or whole numbers. */
function drawn(shape: ReadonlyArray<number>, dtype: DType, random: () => number): Tensor {
  const one = (): number =>
    isFloat(dtype)
      ? Math.round(16 * random() - 8) / 8
      : Math.floor(100 * random()) - (dtype.startsWith('u') ? 0 : 50);
  return fromNumbers(Float64Array.from({ length: shapeSize(shape) }, one), shape, dtype);
}

const below = (count: number, random: () => number): number => Math.floor(count * random());

/** The names of two open axes, and the sizes of the others. */
const sized = (spatial: ReadonlyArray<number>, isOpen: boolean): string =>
  isOpen ? ['n', 2, ...spatial.map((_, i) => `s${i}`)].join(', ') : [1, 2, ...spatial].join(', ');

const declared = (rank: number, isOpen: boolean): string =>
  isOpen
    ? `[n: ShapeVar, ${Array.from({ length: rank }, (_, i) => `s${i}: ShapeVar`).join(', ')}]`
    : '';

/** A pool with padding as wide as its window on at least one side. */
function pool(kind: 'max' | 'avg', dtype: DType, rank: number, random: () => number): Program {
  const spatial = Array.from({ length: rank }, () => 4 + below(3, random));
  const sizes = spatial.map(() => 1 + below(3, random));
  const dilation = spatial.map(() => (random() < 0.25 ? 2 : 1));
  const strides = spatial.map(() => 1 + below(3, random));
  const padding = [...sizes, ...sizes].map((size) =>
    random() < 0.5 ? size + below(2, random) : below(size, random),
  );
  const wide = below(2 * rank, random);
  padding[wide] = (sizes[wide % rank] ?? 1) + below(3, random);
  const isOpen = random() < 0.4;
  const attrs = [
    `pool_size=[${sizes}], strides=[${strides}], dilation=[${dilation}], padding=[${padding}]`,
    `ceil_mode=${random() < 0.3 ? 'True' : 'False'}`,
    ...(kind === 'avg' ? [`count_include_pad=${random() < 0.5 ? 'True' : 'False'}`] : []),
  ];
  const type = `Tensor[(${sized(spatial, isOpen)}), ${dtype}]`;
  return {
    text: `def @main${declared(rank, isOpen)}(%x0: ${type}) { nn.${kind}_pool${rank}d(%x0, ${attrs.join(', ')}) }`,
    args: [drawn([1, 2, ...spatial], dtype, random)],
    isRun: kind === 'max' || dtype !== 'float64',
  };
}

describe('a pool with padding as wide as its window is written after a Pad:', () => {
  const SEED = 33003157;
  const kinds = [
    ...(['float16', 'float32', 'float64', 'int8', 'uint8', 'int16', 'int32'] as const).map(
      (d) => ['max', d] as const,
    ),
    ...(['float16', 'float32', 'float64'] as const).map((d) => ['avg', d] as const),
  ];
  const cases = kinds.flatMap(([kind, dtype]) =>
    [1, 2, 3].map((rank) => [kind, dtype, rank] as const),
  );
  test.each(cases)('nn.%s_pool of %s over %i axes', async (kind, dtype, rank) => {
    const random = mulberry32(
      SEED + rank + 10 * kinds.findIndex((k) => k[0] === kind && k[1] === dtype),
    );
    for (let i = 0; i < 12; i++) {
      expect(await written(pool(kind, dtype, rank, random))).toContain('Pad');
    }
  });

  test('and one with less is not', async () => {
    const of = (attrs: string) =>
      written({
        text: `def @main(%x0: Tensor[(1, 1, 5, 4), float32]) { nn.avg_pool2d(%x0, ${attrs}) }`,
        args: [drawn([1, 1, 5, 4], 'float32', mulberry32(SEED))],
        isRun: true,
      });
    expect(await of('pool_size=[3, 2], padding=[2, 1, 2, 1]')).toEqual(['AveragePool']);
    expect(await of('pool_size=[3, 2], padding=[2, 1, 2, 1], count_include_pad=True')).toEqual([
      'AveragePool',
    ]);
  });

  test.each([
    ['[2, 2]', '[2, 0, 0, 0]', '[1, 1]', '[1, 1]'],
    ['[2, 2]', '[0, 3, 0, 2]', '[2, 2]', '[1, 1]'],
    ['[1, 2]', '[1, 1, 2, 1]', '[1, 1]', '[1, 1]'],
    ['[2, 2]', '[2, 2, 2, 2]', '[1, 1]', '[2, 3]'],
    ['[2, 1]', '[4, 4, 4, 4]', '[3, 2]', '[1, 1]'],
  ])('nor is the gradient of a maximum: %s, %s', async (size, padding, strides, dilation) => {
    const attrs = `pool_size=${size}, padding=${padding}, strides=${strides}, dilation=${dilation}`;
    const random = mulberry32(SEED);
    const x = drawn([2, 2, 5, 4], 'float32', random);
    const forward = `nn.max_pool2d(%x0, ${attrs})`;
    const m = orThrow(
      parseModule(
        `#[version = "0.0.5"]\ndef @main(%x0: Tensor[(2, 2, 5, 4), float32]) { ${forward} }`,
        { ops: standardOps },
      ),
    );
    const [{ shape } = x] = leavesOf(orThrow(evaluate(m, [x])));
    const types = await written({
      text: `def @main(%x0: Tensor[(2, 2, 5, 4), float32], %x1: Tensor[(${shape.join(', ')}), float32]) {
        nn.max_pool2d_grad(%x1, %x0, ${attrs})
      }`,
      args: [x, drawn(shape, 'float32', random)],
      isRun: true,
    });
    expect(types).toContain('Pad');
  });
});

describe('a transposed convolution whose result is padded by a stride or more:', () => {
  test.each([
    // The rank, the strides, the padding, the output's padding, the dilation.
    [1, '[1]', '[0, 0]', '[1]', '[1]', true],
    [1, '[2]', '[1, 1]', '[2]', '[1]', true],
    [1, '[2]', '[0, 3]', '[2]', '[1]', false],
    [1, '[2]', '[1, 1]', '[1]', '[1]', false],
    [2, '[1, 1]', '[0, 0, 0, 0]', '[1, 1]', '[1, 1]', true],
    [2, '[2, 1]', '[1, 0, 0, 2]', '[1, 2]', '[1, 1]', false],
    [2, '[2, 2]', '[1, 1, 1, 1]', '[3, 2]', '[1, 1]', true],
    [2, '[2, 2]', '[0, 0, 0, 0]', '[2, 2]', '[3, 3]', true],
    [2, '[2, 2]', '[1, 1, 1, 1]', '[1, 1]', '[1, 1]', false],
    [3, '[1, 2, 1]', '[0, 0, 0, 0, 0, 0]', '[0, 2, 0]', '[1, 1, 1]', true],
    [3, '[2, 2, 2]', '[1, 1, 1, 1, 1, 1]', '[2, 1, 0]', '[1, 1, 1]', true],
  ])('%i: strides %s, padding %s, output padding %s, dilation %s', async (...way) => {
    const [rank, strides, padding, extra, dilation, isPadded] = way;
    const random = mulberry32(33 + rank);
    const spatial = [4, 3, 3].slice(0, rank);
    for (const isOpen of [false, true]) {
      const kernel = [2, 3, ...spatial.map(() => 2)];
      const types = await written({
        text: `def @main${declared(rank, isOpen)}(
            %x0: Tensor[(${sized(spatial, isOpen)}), float32], %x1: Tensor[(${kernel.join(', ')}), float32]) {
          nn.conv${rank}d_transpose(%x0, %x1, channels=3, kernel_size=[${kernel.slice(2).join(', ')}],
            strides=${strides}, padding=${padding}, output_padding=${extra}, dilation=${dilation})
        }`,
        args: [drawn([1, 2, ...spatial], 'float32', random), drawn(kernel, 'float32', random)],
        isRun: true,
      });
      expect(types).toEqual(isPadded ? ['ConvTranspose', 'Pad'] : ['ConvTranspose']);
    }
  });
});
