/** The draws of every operator that the exporter writes, and the reasons why the others are not compared. */
import { standardOps } from '@baton/ops';
import type { CaseDraws } from './case.ts';
import { elementwise } from './draws/elementwise.ts';
import { images } from './draws/images.ts';
import { indexing } from './draws/indexing.ts';
import { linear } from './draws/linear.ts';
import { normalization } from './draws/normalization.ts';
import { pooling } from './draws/pooling.ts';
import { reductions } from './draws/reductions.ts';
import { regions } from './draws/regions.ts';
import { shapes } from './draws/shapes.ts';

/** The operators that the exporter writes: a node, or a few. */
export const draws: CaseDraws = {
  ...elementwise,
  ...reductions,
  ...linear,
  ...pooling,
  ...shapes,
  ...indexing,
  ...normalization,
  ...images,
  ...regions,
};

const KNOWN = 'ONNX has no such operator; the results of TVM are known';
const IDENTITY = 'it gives its argument';
const SPARSE = 'ONNX reads sparse tensors only from constants; the results of TVM are known';
const RANDOM = 'ONNX states no numbers of its random operators; the bits of TVM are known';
const TVM = 'ONNX rounds quantized numbers to even; the results of TVM are known';

/** The operators that are not compared, with the reason. */
export const UNCOMPARED: Readonly<Record<string, string>> = {
  adv_index: 'ONNX has no index that several tensors make together; NumPy’s results are known',
  dft: 'DFT has complex numbers in a last axis; transforms are compared with their sums',
  'image.crop_and_resize': KNOWN,
  'image.dilation2d': KNOWN,
  'nn.avg_pool2d_grad': KNOWN,
  'nn.conv2d_backward_weight': KNOWN,
  'nn.max_pool2d_grad': KNOWN,
  gradient: 'gradients are compared with central differences',
  'nn.upsampling3d': 'Resize differs at borders; each axis is compared as one of upsampling',
  ...Object.fromEntries(
    standardOps.names.filter((name) => name.startsWith('qnn.')).map((name) => [name, TVM]),
  ),
  'relay.op.annotation.simulated_quantize':
    'ONNX rounds halves to even; results are compared with the integers of TVM',
  sliding_window: 'ONNX has no windows of tensors',
  sparse_to_dense: 'ONNX reads sparse tensors only from constants',
  stft: 'STFT has complex numbers in a last axis; frames are compared with transforms of their parts',
  unique: 'Unique gives as many elements as there are; NumPy’s results are known',
  'annotation.bitpack_end': IDENTITY,
  'annotation.bitpack_start': IDENTITY,
  'annotation.cast_hint': IDENTITY,
  'annotation.checkpoint': IDENTITY,
  'annotation.compiler_begin': IDENTITY,
  'annotation.compiler_end': IDENTITY,
  debug: 'no operator of ONNX has effects',
  device_copy: IDENTITY,
  on_device: IDENTITY,
  'nn.bitpack': KNOWN,
  'nn.correlation': KNOWN,
  'nn.dense_nbits': 'nodes of MatMulNBits are compared where they are imported',
  'nn.deformable_conv2d': 'DeformConv samples beyond borders; the results of TVM are known',
  'nn.fifo_buffer': KNOWN,
  'nn.sparse_add': SPARSE,
  'nn.sparse_conv2d': SPARSE,
  'nn.sparse_dense': SPARSE,
  'nn.sparse_transpose': SPARSE,
  sparse_fill_empty_rows: SPARSE,
  sparse_reshape: SPARSE,
  'random.multinomial': RANDOM,
  'random.normal': RANDOM,
  'random.threefry_generate': RANDOM,
  'random.threefry_split': RANDOM,
  'random.uniform': RANDOM,
  'vision.all_class_non_max_suppression': KNOWN,
  'vision.get_valid_counts': KNOWN,
  'vision.non_max_suppression': KNOWN,
  'vision.yolo_reorg': KNOWN,
  contrib_reverse_reshape: 'ONNX reads the sizes of a shape from its first axis on',
  fixed_point_multiply: 'ONNX has no product of fixed-point numbers with its rounding',
  matrix_set_diag: 'ONNX writes no diagonals',
  reinterpret: 'BitCast came with operator set 26, which onnxruntime does not run yet',
  'test.effect': 'no operator of ONNX has effects; this one is for tests',
};
