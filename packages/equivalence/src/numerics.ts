/** How exactly operators compute: the fact by which the grid is known to apply. */
import { type Column, defineColumn, type OpTable } from '@baton/ir';

/**
 * - `exact`: results on multiples of a power of two are such multiples, so that nothing rounds
 *   while numbers are small: sums, products, maxima, movements.
 * - `smooth`: results round, and depend continuously on the arguments.
 * - `discontinuous`: a small change of an argument may change the result by much, or its place;
 *   on multiples of a power of two nothing rounds.
 */
export type Numerics = 'exact' | 'smooth' | 'discontinuous';

/** How exactly an operator computes. A table may fill it for operators of its own. */
export const numericsColumn: Column<Numerics> = defineColumn('numerics');

/** How exactly the operator computes; `undefined` for an operator without a class. */
export const numericsOf = (ops: OpTable, name: string): Numerics | undefined =>
  ops.read(numericsColumn, name) ?? STANDARD.get(name);

// biome-ignore format: a list to look over
const EXACT = `
  abs add annotation.stop_fusion arange argwhere bitwise_and bitwise_not bitwise_or bitwise_xor
  broadcast_to broadcast_to_like clip collapse_sum_like collapse_sum_to concatenate
  contrib_reverse_reshape copy
  cumsum einsum expand_dims full full_like gather gather_nd invert_permutation layout_transform
  left_shift logical_and logical_not logical_or logical_xor matrix_set_diag max maximum meshgrid min
  minimum multiply ndarray_size negative nn.adaptive_max_pool1d nn.adaptive_max_pool2d
  nn.adaptive_max_pool3d nn.batch_flatten nn.batch_matmul nn.batch_to_space_nd nn.bias_add nn.conv1d
  nn.conv1d_transpose nn.conv2d nn.conv2d_transpose nn.conv3d nn.conv3d_transpose nn.dense
  nn.depth_to_space nn.dilate nn.dropout nn.global_max_pool2d nn.matmul nn.max_pool1d nn.max_pool2d
  nn.max_pool3d nn.mirror_pad nn.pad nn.prelu nn.relu nn.space_to_batch_nd nn.space_to_depth one_hot
  ones ones_like repeat reshape reshape_like reverse reverse_sequence right_shift
  scatter_elements scatter_nd sequence_mask shape_of slice_like split squeeze stack strided_set
  strided_slice subtract sum take test.effect tile transpose trilu unravel_index zeros zeros_like
`;

// biome-ignore format: a list to look over
const SMOOTH = `
  acos acosh asin asinh atan atanh cos cosh cumprod divide erf exp fast_erf fast_exp fast_tanh
  image.affine_grid image.grid_sample image.resize1d image.resize2d image.resize3d log log10 log2
  mean nn.adaptive_avg_pool1d nn.adaptive_avg_pool2d nn.adaptive_avg_pool3d nn.avg_pool1d
  nn.avg_pool2d nn.avg_pool3d nn.batch_norm nn.cross_entropy nn.cross_entropy_with_logits
  nn.fast_softmax nn.global_avg_pool2d nn.group_norm nn.instance_norm nn.l2_normalize nn.layer_norm
  nn.leaky_relu nn.log_softmax nn.lrn nn.nll_loss nn.softmax nn.upsampling power prod rsqrt sigmoid sin
  sinh sqrt tan tanh variance
`;

// biome-ignore format: a list to look over
const DISCONTINUOUS = `
  all any argmax argmin argsort cast cast_like ceil equal fixed_point_multiply floor floor_divide
  floor_mod greater greater_equal isfinite isinf isnan less less_equal mod not_equal reinterpret
  round searchsorted sign sort topk trunc trunc_divide trunc_mod where
`;

const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/);

const STANDARD: ReadonlyMap<string, Numerics> = new Map<string, Numerics>([
  ...words(EXACT).map((name) => [name, 'exact'] as const),
  ...words(SMOOTH).map((name) => [name, 'smooth'] as const),
  ...words(DISCONTINUOUS).map((name) => [name, 'discontinuous'] as const),
]);
