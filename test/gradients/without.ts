/** The operators of floats that have no gradient. */
export const WITHOUT_GRADIENT: ReadonlyArray<string> = [
  'ceil',
  'floor',
  'floor_divide',
  'image.affine_grid',
  'image.grid_sample',
  'image.resize1d',
  'image.resize2d',
  'image.resize3d',
  'matrix_set_diag',
  'nn.adaptive_max_pool1d',
  'nn.adaptive_max_pool2d',
  'nn.adaptive_max_pool3d',
  'nn.upsampling',
  'round',
  'trunc',
  'trunc_divide',
];
