/** Layouts: the order of axes, one letter each. ONNX uses the first of each list. */

/** Layouts of images by the number of spatial axes, less 1. */
export const IMAGE_LAYOUTS: ReadonlyArray<ReadonlyArray<string>> = [
  ['NCW', 'NWC'],
  ['NCHW', 'NHWC', 'HWNC'],
  ['NCDHW', 'NDHWC'],
];

/** Layouts of weights. */
export const WEIGHT_LAYOUTS: ReadonlyArray<ReadonlyArray<string>> = [
  ['OIW', 'WIO'],
  ['OIHW', 'HWIO', 'OHWI'],
  ['OIDHW', 'DHWIO'],
];

/** Sizes in one layout, reordered to another. */
export const inLayout = (
  sizes: ReadonlyArray<number>,
  from: string,
  to: string,
): ReadonlyArray<number> => [...to].map((axis) => sizes[from.indexOf(axis)] ?? 1);
