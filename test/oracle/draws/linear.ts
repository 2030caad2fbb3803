/** Products of matrices, convolutions, and additions to them. */
import type { DType } from '@baton/tensor';
import type { Case, CaseDraw, CaseDraws } from '../case.ts';
import type { Draw } from '../draw.ts';
import { IMAGE_LAYOUTS, inLayout, WEIGHT_LAYOUTS } from '../layouts.ts';

const DTYPES: ReadonlyArray<DType> = ['float32', 'float64', 'int32', 'int64'];

const swapped = (shape: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...shape.slice(0, -2),
  ...shape.slice(-2).reverse(),
];

/** A product of numbers so few and short that every sum is exact. */
function product(d: Draw, left: ReadonlyArray<number>, right: ReadonlyArray<number>): Case {
  const dtype = d.pick(DTYPES);
  const [transposeA, transposeB] = [d.chance(0.5), d.chance(0.5)];
  const a = d.tensor(transposeA ? swapped(left) : left, dtype);
  const b = d.tensor(transposeB ? swapped(right) : right, dtype);
  return { args: [a, b], attrs: { transpose_a: transposeA, transpose_b: transposeB } };
}

/** A convolution over `spatial` axes, in any layout. */
const convolution =
  (spatial: number): CaseDraw =>
  (d) => {
    const each = <A>(make: () => A): ReadonlyArray<A> => Array.from({ length: spatial }, make);
    const groups = d.pick([1, 1, 2, 3]);
    const [perGroup, out] = [d.int(1, 3), groups * d.int(1, 2)];
    const kernel = each(() => d.int(1, 3));
    const dilation = each(() => d.int(1, 2));
    const strides = each(() => d.int(1, 3));
    const before = each(() => d.int(0, 2));
    const padding = [...before, ...(d.chance(0.4) ? before : each(() => d.int(0, 2)))];
    const image = kernel.map((k, i) => (k - 1) * (dilation[i] ?? 1) + d.int(1, 4));
    const [images = [], weights = []] = [IMAGE_LAYOUTS[spatial - 1], WEIGHT_LAYOUTS[spatial - 1]];
    const [plain = '', plainWeight = ''] = [images[0], weights[0]];
    const [layout, weightLayout, outLayout] = [d.pick(images), d.pick(weights), d.pick(images)];
    const shape = [d.int(1, 2), groups * perGroup, ...image];
    const x = d.tensor(inLayout(shape, plain, layout), 'float32');
    const w = d.tensor(inLayout([out, perGroup, ...kernel], plainWeight, weightLayout), 'float32');
    const attrs = {
      strides,
      padding: writtenPadding(d, padding),
      dilation,
      groups,
      channels: out,
      kernel_size: kernel,
      data_layout: layout,
      kernel_layout: weightLayout,
      out_layout: outLayout,
    };
    return { args: [x, w], attrs };
  };

/** One number for all sides, or one for each axis, if that is enough. */
function writtenPadding(d: Draw, padding: ReadonlyArray<number>): ReadonlyArray<number> {
  const half = padding.slice(0, padding.length / 2);
  if (!half.every((side, i) => side === padding[i + half.length]) || d.chance(0.3)) return padding;
  return half.length > 0 && half.every((side) => side === half[0]) && d.chance(0.5)
    ? half.slice(0, 1)
    : half;
}

const transposedConvolution =
  (spatial: number): CaseDraw =>
  (d) => {
    const each = <A>(make: () => A): ReadonlyArray<A> => Array.from({ length: spatial }, make);
    const groups = d.pick([1, 1, 2]);
    const [channels, perGroup] = [groups * d.int(1, 2), d.int(1, 3)];
    const kernel = each(() => d.int(2, 3));
    const strides = each(() => d.int(1, 3));
    const dilation = each(() => d.int(1, 2));
    const outputPadding = strides.map((stride) => d.int(0, stride - 1));
    const padding = [...each(() => d.int(0, 1)), ...each(() => d.int(0, 1))];
    const x = d.tensor([d.int(1, 2), channels, ...each(() => d.int(2, 4))], 'float32');
    const w = d.tensor([channels, perGroup, ...kernel], 'float32');
    const attrs = {
      strides,
      padding,
      dilation,
      groups,
      channels: groups * perGroup,
      kernel_size: kernel,
      output_padding: outputPadding,
    };
    return { args: [x, w], attrs };
  };

/** Products of matrices, convolutions, and additions to them. */
export const linear: CaseDraws = {
  'nn.dense': (d) => {
    const dtype = d.pick(DTYPES);
    const [rows, inner, units] = [d.shape(1, 3), d.dim(), d.dim()];
    return { args: [d.tensor([...rows, inner], dtype), d.tensor([units, inner], dtype)] };
  },
  'nn.matmul': (d) => {
    const [m, k, n] = [d.dim(), d.dim(), d.dim()];
    return product(d, [m, k], [k, n]);
  },
  'nn.batch_matmul': (d) => {
    const [batch, m, k, n] = [d.dim(), d.dim(), d.dim(), d.dim()];
    return product(d, [d.chance(0.2) ? 1 : batch, m, k], [d.chance(0.2) ? 1 : batch, k, n]);
  },
  'nn.bias_add': (d) => {
    const x = d.tensor(d.shape(1, 4), d.pick(DTYPES));
    const axis = d.int(0, x.shape.length - 1);
    const bias = d.tensor([x.shape[axis] ?? 1], x.dtype);
    const written = d.chance(0.5) ? axis : axis - x.shape.length;
    return { args: [x, bias], attrs: { axis: written } };
  },
  'nn.conv1d': convolution(1),
  'nn.conv2d': convolution(2),
  'nn.conv3d': convolution(3),
  'nn.conv1d_transpose': transposedConvolution(1),
  'nn.conv2d_transpose': transposedConvolution(2),
  'nn.conv3d_transpose': transposedConvolution(3),
  einsum: (d) => {
    const size = new Map(['i', 'j', 'k', 'b'].map((letter) => [letter, d.dim()]));
    const equation = d.pick([
      'ij,jk->ik',
      'bij,bjk->bik',
      'ij->ji',
      'ij,ij->',
      'ii->i',
      'ij->i',
      'i,j->ij',
      'bij,bik->bjk',
      'ij,jk',
    ]);
    const [operands = ''] = equation.split('->');
    const dtype = d.pick<DType>(['float32', 'float64', 'int32', 'int64']);
    const args = operands.split(',').map((letters) =>
      d.tensor(
        [...letters].map((letter) => size.get(letter) ?? 1),
        dtype,
      ),
    );
    return { args: [args], attrs: { equation } };
  },
};
