/** The mappings of every operator with an equivalent in ONNX. */
import { elementwise } from './mapped/elementwise.ts';
import { images } from './mapped/images.ts';
import { indexing } from './mapped/indexing.ts';
import { linear } from './mapped/linear.ts';
import { normalization } from './mapped/normalization.ts';
import { pooling } from './mapped/pooling.ts';
import { reductions } from './mapped/reductions.ts';
import { shapes } from './mapped/shapes.ts';
import type { Mappings } from './mapping.ts';

/** Every operator with an equivalent in ONNX: a node, or a few. */
export const mappings: Mappings = {
  ...elementwise,
  ...reductions,
  ...linear,
  ...pooling,
  ...shapes,
  ...indexing,
  ...normalization,
  ...images,
};

/** The operators without an equivalent in ONNX, with the reason. */
export const UNMAPPED: Readonly<Record<string, string>> = {
  contrib_reverse_reshape: 'ONNX reads the sizes of a shape from its first axis on',
  fixed_point_multiply: 'ONNX has no product of fixed-point numbers with its rounding',
  matrix_set_diag: 'ONNX writes no diagonals',
  reinterpret: 'BitCast came with operator set 26, which onnxruntime does not run yet',
  'test.effect': 'no operator of ONNX has effects; this one is for tests',
};
