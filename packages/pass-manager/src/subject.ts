/** The kinds of programs that passes are about, by which tests draw programs for a pass. */

export const PASS_SUBJECTS = [
  'scales',
  'layers',
  'algebra',
  'functions',
  'sizes',
  'quantities',
  'regions',
  'networks',
  'marks',
  'structure',
  'language',
] as const;

/**
 * - `scales`: per-channel scales of inputs and results of convolutions and products.
 * - `layers`: batch normalization, biases, padding.
 * - `algebra`: arithmetic with constants, casts, movement of elements.
 * - `functions`: smooth functions, parallel branches.
 * - `sizes`: sizes of the run, dilated convolutions, concatenations, divisions, sparse weights.
 * - `quantities`: operators on quantized integers.
 * - `regions`: operators between a dequantization and a quantization.
 * - `networks`: convolutions and products to quantize.
 * - `marks`: simulated quantization.
 * - `structure`: shared, dead and nested parts of any dataflow.
 * - `language`: closures, data types, references, recursion, polymorphism.
 */
export type PassSubject = (typeof PASS_SUBJECTS)[number];
