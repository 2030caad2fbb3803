/**
 * An operator with layouts computes the same in all of them: its result for data in one layout,
 * converted to another, is its plain result in that layout. Tries every pair of layouts, blocked
 * ones included, and the type relation on each.
 */
import type { AttrValue } from '@baton/ir';
import { type OpValue, standardOps, typeOfValue } from '@baton/ops';
import { isTensor, type Shape, shapeSize, type Tensor, tensor, tensorsEqual } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { run } from './support.ts';

type Attributes = Readonly<Record<string, AttrValue>>;

/** The first of each list is the plain one. Blocks yield one or two for 4 channels. */
const DATA = {
  1: ['NCW', 'NWC', 'WCN', 'NCW2c'],
  2: ['NCHW', 'NHWC', 'HWNC', 'NCHW4c', 'NHWC2c'],
  3: ['NCDHW', 'NDHWC', 'NCDHW2c'],
} as const;
const WEIGHTS = {
  1: ['OIW', 'WIO', 'OIW2o'],
  2: ['OIHW', 'HWIO', 'OHWI', 'OIHW2i2o'],
  3: ['OIDHW', 'DHWIO'],
} as const;

type Rank = keyof typeof DATA;

/** Distinct integers, so that any swap of two elements is detected. */
const numbered = (shape: Shape): Tensor =>
  tensor(
    Array.from({ length: shapeSize(shape) }, (_, i) => ((i * 7) % 31) - 15 + i / 1024),
    shape,
    'float32',
  );

function laidOut(x: OpValue, from: string, to: string): Tensor {
  const found =
    from === to ? x : run('layout_transform', [x], { src_layout: from, dst_layout: to });
  if (!isTensor(found)) throw new Error('a layout of one tensor');
  return found;
}

/** Sizes by letter, so that no two axes that could be swapped have one size. */
const SIZES: Readonly<Record<string, number>> = { N: 2, C: 4, D: 3, H: 5, W: 6, O: 2, I: 4 };
const shapeOf = (layout: string, sizes = SIZES): number[] => [...layout].map((l) => sizes[l] ?? 1);

const sized = (rank: Rank, values: ReadonlyArray<number>): number[] => values.slice(-rank);

/** Rows: operator, rank, attributes, the name of its layout, whether the result has one. */
const onData: ReadonlyArray<readonly [string, Rank, Attributes, boolean]> = [
  ...([1, 2, 3] as const).flatMap((rank) => {
    const window = {
      pool_size: sized(rank, [2, 3, 2]),
      strides: sized(rank, [1, 1, 2]),
      padding: [...sized(rank, [1, 0, 0]), ...sized(rank, [0, 1, 0])],
    };
    return [
      [`nn.max_pool${rank}d`, rank, window, true],
      [`nn.avg_pool${rank}d`, rank, { ...window, count_include_pad: true }, true],
      [`nn.adaptive_max_pool${rank}d`, rank, { output_size: sized(rank, [2, 3, 4]) }, true],
      [`nn.adaptive_avg_pool${rank}d`, rank, { output_size: sized(rank, [2, 3, 4]) }, true],
      [`image.resize${rank}d`, rank, { size: sized(rank, [2, 3, 4]) }, false],
    ] as const;
  }),
  ['nn.global_max_pool2d', 2, {}, true],
  ['nn.global_avg_pool2d', 2, {}, true],
  ['nn.upsampling', 2, { scale_h: 2, scale_w: 3 }, false],
  ['nn.depth_to_space', 2, { block_size: 2 }, false],
  ['nn.space_to_depth', 2, { block_size: 1 }, false],
];

/** Blocks of more channels than the result has do not exist. */
const isDivided = (layout: string, channels: number): boolean =>
  [...layout.matchAll(/(\d+)c/g)].every(([, block]) => channels % Number(block) === 0);

describe('an operator on data in any layout', () => {
  it.each(onData)('%s', (name, rank, attrs, hasOut) => {
    const [plain] = DATA[rank];
    const x = numbered(shapeOf(plain));
    const wanted = run(name, [x], attrs);
    if (!isTensor(wanted)) throw new Error('one tensor');
    for (const layout of DATA[rank]) {
      for (const out of hasOut ? DATA[rank] : [layout]) {
        if (!isDivided(out, wanted.shape[1] ?? 0)) continue;
        const layouts: Attributes = hasOut ? { layout, out_layout: out } : { layout };
        const data = laidOut(x, plain, layout);
        expectSame(name, [data], { ...attrs, ...layouts }, laidOut(wanted, plain, out));
      }
    }
  });
});

describe('a convolution with data, weight and result in any layouts', () => {
  const rows = ([1, 2, 3] as const).flatMap((rank) => [
    [`nn.conv${rank}d`, rank, 'OI'] as const,
    [`nn.conv${rank}d_transpose`, rank, 'IO'] as const,
  ]);
  it.each(rows)('%s', (name, rank, order) => {
    const [plain] = DATA[rank];
    const isTransposed = order === 'IO';
    const x = numbered(shapeOf(plain));
    const spatial = sized(rank, [2, 3, 2]);
    const w = numbered(isTransposed ? [4, 2, ...spatial] : [2, 4, ...spatial]);
    const letters = plain.slice(2);
    const attrs: Attributes = {
      strides: sized(rank, [1, 1, 2]),
      padding: [...sized(rank, [1, 0, 0]), ...sized(rank, [0, 1, 0])],
      kernel_size: spatial,
      channels: 2,
    };
    const wanted = run(name, [x, w], attrs);
    for (const layout of DATA[rank]) {
      for (const kernel of WEIGHTS[rank]) {
        for (const out of DATA[rank].filter((l) => isDivided(l, 2))) {
          const data = laidOut(x, plain, layout);
          const weight = laidOut(w, `${order}${letters}`, kernel);
          const layouts = { data_layout: layout, kernel_layout: kernel, out_layout: out };
          const expected = laidOut(wanted, plain, out);
          expectSame(name, [data, weight], { ...attrs, ...layouts }, expected);
        }
      }
    }
  });
});

function expectSame(
  name: string,
  args: ReadonlyArray<Tensor>,
  attrs: Attributes,
  wanted: Tensor,
): void {
  const found = run(name, args, attrs);
  const same = isTensor(found) && tensorsEqual(found, wanted);
  expect({ attrs, same }).toEqual({ attrs, same: true });
  const decoded = standardOps.get(name)?.attrs.decode(attrs);
  if (decoded?._tag !== 'Right') throw new Error(`attributes of ${name}`);
  const type = standardOps.get(name)?.relation(args.map(typeOfValue), decoded.right, {
    constant: () => undefined,
    unify: () => true,
    unifyDTypes: (a) => a,
    resolve: (t) => t,
    undecided: () => undefined,
    fail: (code, message) => {
      throw new Error(`${code}: ${message}`);
    },
  });
  expect(type).toMatchObject({ shape: wanted.shape });
}
