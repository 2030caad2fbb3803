/**
 * The meanings of attributes, one for all operators with an attribute of that name. Shown by
 * editors, builders and the pages of the API.
 */
import type { AttrField } from '@baton/ir';

/** One meaning, or one for each description of the codec (`an int or None`). */
type Meaning = string | Readonly<Record<string, string>>;

const LAYOUT = 'The axes of the data: N batch, C channel, D, H, W; `4c` a block of 4.';

const OUT_DTYPE = 'The dtype of the result; empty or `None` for that of the data.';

const REDUCED_AXES = 'The axes to reduce over; `None` for all. Negative ones count from the last.';

const MEANINGS: Readonly<Record<string, Meaning>> = {
  a_max: 'The upper bound.',
  a_min: 'The lower bound.',
  algorithm: 'How the convolution is computed; empty for the choice of the executor.',
  align_corners: 'Whether the corners of both images have the same coordinates.',
  allowzero:
    'A 0 in the new shape copies the dimension of the data (0), or is an empty dimension (1).',
  alpha: 'The factor: in a leaky relu, of the values below 0; in `nn.lrn`, of the sum of squares.',
  axes: {
    'a list of ints or None':
      'The axes, or their new order; `None` for all, which `transpose` reverses.',
  },
  axis: {
    'an int': 'The axis to work along; a negative one counts from the last.',
    'an int or None': 'The axis to work along; `None` flattens the data.',
    'an int or a list of ints or None': REDUCED_AXES,
    'an int or a list of ints': 'The axes to work along; negative ones count from the last.',
    'a list of ints': 'The axes to sum over. Negative ones count from the last.',
    'a list of ints or None': 'The axes of size 1 to drop; `None` for all of them.',
  },
  batch_axis: 'The axis of the batches, each with its own length.',
  batch_dims: 'The number of leading axes that data and indices share.',
  begin: 'The first index along each axis. A negative one counts from the end.',
  beta: 'The power of the sum.',
  bias: 'The number added to the sum.',
  bit_axis: 'The index of the new axis of bits.',
  bits: 'The number of low bits to pack.',
  block_shape: 'The size of the blocks along each spatial axis.',
  block_size: 'The height and the width of the blocks.',
  ceil_mode: 'Whether a last window that extends past the padded data counts.',
  center: 'Whether `beta` is added.',
  channels: 'The number of channels of the result; `None` takes it from the weight.',
  compiler: 'The name of the compiler that the region is for.',
  constrain_body: 'Whether the value is computed on the device.',
  constrain_result: 'Whether the result is needed on the device.',
  coord_start: 'The column of the first of the four coordinates.',
  coordinate_transformation_mode: 'How coordinates map to those of the data, as in ONNX Resize.',
  count_include_pad: 'Whether the padding counts in the mean of a window.',
  crop_size: 'The height and the width of each result.',
  crops: 'The elements cropped from each spatial axis: pairs of before and after.',
  cubic_alpha: 'The coefficient of cubic interpolation.',
  cubic_exclude: 'With 1, elements outside of the data have no weight (cubic).',
  data_layout: LAYOUT,
  debug_func: 'The name of the observer that is called.',
  deformable_groups: 'The number of groups of channels with separate offsets.',
  depth: 'The size of the new axis.',
  dilation: 'The step between the elements of a window.',
  dilation_value: 'The value between the elements.',
  dilations: 'The step between the elements of a window.',
  dst_layout: 'The layout of the result, as letters.',
  dst_virtual_device: 'The device that the value is copied to.',
  dtype: {
    'a dtype': 'The dtype of the result, or of its indices.',
    'a dtype or None': 'The dtype of the result; `None` for the dtype of the data.',
  },
  end: 'The index after the last one along each axis, or the size of the slice if `slice_mode` is `size`. A negative index counts from the end.',
  eps: 'The least sum of squares.',
  epsilon: 'Added to the variance, so that it is not 0.',
  equation: 'The axes of each argument and of the result, as letters: `ij,jk->ik`.',
  exclude: 'Whether to reduce over all axes but those of `axis`.',
  exclusive: 'Whether each result excludes its own element.',
  extrapolation_value: 'The value outside of the data.',
  force_suppress: 'Whether boxes also suppress those of other classes.',
  groups: 'The number of channel groups; one per channel for depthwise.',
  hop_length: 'The step from frame to frame.',
  id_index: 'The column of the class; -1 for none.',
  ignore_index: 'The target that is ignored.',
  index_rank: 'The number of indices in a tuple, if it is not known.',
  indexing:
    'The order of the axes of the result: that of the arguments (`ij`), or with the first two swapped (`xy`).',
  indices_or_sections: 'The number of equal parts, or the positions of the cuts.',
  invalid_to_bottom: 'Whether the kept rows come first.',
  inverse: 'Whether the transform is the inverse one.',
  is_ascend: 'Whether the smallest elements come first.',
  is_multiply: 'Whether windows are compared by products, not by distances.',
  k: 'The number of elements.',
  k1: 'The lowest diagonal: 0 is the main one, negative ones are below it.',
  k2: 'The highest diagonal.',
  keepdims: 'Whether reduced axes stay, with size 1.',
  kernel_layout: 'The axes of the weight: O output, I input, D depth, H height, W width.',
  kernel_size: {
    'an int above 0': 'The height and the width of the windows.',
    'a list of 2 ints above 0': 'The size of the windows along each spatial axis.',
    '': 'The size of the windows; `None` takes it from the weight.',
  },
  kind: 'The quantized value: 0 nothing, 1 an input, 2 a weight, 3 a sum of products.',
  layout: LAYOUT,
  lhs_begin: 'The first axis of `data` that is replaced.',
  lhs_end: 'The axis of `data` after the last one that is replaced; `None` for the end.',
  mask_value: 'The value after the valid length.',
  max_displacement: 'The largest shift between compared pixels.',
  method: 'The interpolation: the nearest element, linear or cubic.',
  mode: {
    '"higher_order" or "first_order"':
      'Whether the result may be differentiated again, or the program has no functions and branches.',
    '"DCR" or "CRD"':
      'Whether the block (`DCR`) or the channel (`CRD`) comes first among the channels.',
    '"SYMMETRIC" or "REFLECT"': 'Whether the edge is repeated (`SYMMETRIC`) or not (`REFLECT`).',
    '"update" or "add" or "mul" or "min" or "max"':
      'How an update is combined with the existing element.',
    '"clip" or "wrap" or "fast"':
      'An index out of range is clamped (`clip`) or taken modulo the size (`wrap`); with `fast` there must be none.',
    '"avg" or "max"': 'How the samples of a cell are combined.',
  },
  multiplier: 'The factor, in fixed point of 31 bits.',
  n_fft: 'The number of elements of a frame.',
  name: 'A name for the result.',
  newshape:
    'The new dimensions, or codes: 0 copies one, -1 is inferred, -2 copies the rest, -3 merges two, -4 splits one into the next two.',
  normalized: 'Whether results are divided by the root of `n_fft`.',
  num_groups: 'The number of groups of channels, each with its own mean and variance.',
  num_newaxis: 'The number of new axes.',
  num_samples: 'The number of samples.',
  onesided: 'Whether only frequencies up to half are kept; for real data, the rest mirrors them.',
  out_dtype: {
    '"int32"': 'The dtype of the sums.',
    '"float32" or "float64"': 'The dtype of the numbers.',
    '"int8" or "uint8" or "int16" or "uint16" or "int32"': 'The dtype of the quantized result.',
    '': OUT_DTYPE,
  },
  out_layout: 'The layout of the result; empty for the layout of the data.',
  out_shape: 'The shape of the result.',
  output_format: 'Whether the results are those of ONNX or of TensorFlow.',
  output_padding: 'The elements added to the end of each spatial axis of the result.',
  output_shape: 'The shape of the result.',
  output_size: 'The size of the result along each spatial axis, or one for all; `None` keeps it.',
  pack_axis: 'The axis whose elements are packed.',
  pack_type: 'The dtype of the words.',
  pad_mode: 'The padding: a constant, the edge repeated, or the data mirrored at the edge.',
  pad_value: 'The value of the padding.',
  pad_width: 'Pairs of before and after, for each axis.',
  padding:
    'The padding of the spatial axes: one for all, one for each, or all befores and then all afters.',
  padding_mode:
    'The value outside of the images: 0, that of the nearest pixel, or that of the mirrored one.',
  paddings: 'Pairs of before and after, for each spatial axis.',
  pool_size: 'The size of the windows along each spatial axis.',
  pooled_size: 'The height and the width of each result.',
  rate: 'The probability with which an element becomes 0 in training.',
  reduction: {
    '"mean" or "sum" or "none"':
      'Whether the results of all elements are averaged, summed or kept.',
    '': 'How an update is combined with the existing element.',
  },
  repeats: 'The number of copies of each element.',
  reps: 'The number of copies along each axis.',
  ret_type: 'Whether to return the values, their indices, or both as a tuple.',
  return_counts: 'Whether to return the count of each element.',
  return_indices: 'Whether to return the indices of the kept boxes instead of the rows.',
  rhs_begin: 'The first axis of `shape_like` that is used.',
  rhs_end: 'The axis of `shape_like` after the last one that is used; `None` for the end.',
  right: 'Whether to insert after equal elements.',
  roi: 'The part of the data that is resized: its start along each axis, then its end, from 0 to 1.',
  rounding: 'How halves are rounded.',
  rounding_method: 'How the nearest element is found.',
  sample_ratio: 'The number of samples along each side of a cell; -1 for the size of the cell.',
  scale: 'Whether the result is multiplied by `gamma`.',
  scale_d: 'The factor of the depth.',
  scale_h: 'The factor of the height.',
  scale_w: 'The factor of the width.',
  score_index: 'The column of the score.',
  select_last_index: 'Whether the last of equal elements wins, not the first.',
  seq_axis: 'The axis of the sequence.',
  shape: 'The shape of the result.',
  shift: 'The exponent of the factor 2.',
  size: {
    'an int above 0': 'The number of neighbouring channels that are summed.',
    '': 'The size of the result along each spatial axis, or one for all.',
  },
  slice_mode: 'Whether `end` has positions (`end`) or sizes (`size`).',
  sorted: 'Whether elements are sorted; otherwise they are in the order of appearance.',
  sparse_lhs: 'Whether the sparse matrix is the left one of the product.',
  spatial_scale: 'The pixels per unit of the coordinates of regions.',
  src_layout: 'The layout of the data, as letters.',
  src_virtual_device: 'The device that the value is copied from.',
  stride: 'The size of the blocks.',
  stride1: 'The step between the pixels of the first image.',
  stride2: 'The step between the shifts.',
  strides: {
    'a list of ints': 'The step along each axis; a negative one reverses it.',
    'a list of ints above 0': 'The step between elements, or between windows, along each axis.',
    '': 'The step between windows along each axis.',
  },
  sub_diag_right_align: 'Whether diagonals below the main one are right-aligned in their rows.',
  super_diag_right_align: 'Whether diagonals above the main one are right-aligned in their rows.',
  target_shape: 'The height and the width of the image.',
  top_k: 'The most boxes that are considered; -1 for all.',
  transpose_a: 'Whether the last two axes of the first argument are swapped first.',
  transpose_b: 'Whether the last two axes of the second argument are swapped first.',
  unbiased: 'Whether the sum is divided by one less than the number of elements.',
  units: 'The number of features of the result; `None` takes it from the weight.',
  upper: 'Whether the upper triangle is kept, not the lower one.',
  virtual_device: 'The name of the device.',
  win_length: 'The length of the window, which is centred in a frame.',
  window_shape: 'The size of the windows along each of these axes.',
};

/** The attribute's own text, or else the meaning of its name and codec. */
export function attributeDoc({ name, doc, expects = '' }: AttrField): string | undefined {
  const meaning = Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  if (doc !== undefined || meaning === undefined || typeof meaning === 'string') {
    return doc ?? (meaning as string | undefined);
  }
  return meaning[expects] ?? meaning[''];
}
