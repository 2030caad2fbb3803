/** Layouts: the order of axes, one letter each. ONNX uses the first of each list. */
import type { OnnxGraph } from './onnx-graph.ts';

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

/** A value in another layout. */
export const relaid = (g: OnnxGraph, value: string, from: string, to: string): string =>
  from === to
    ? value
    : g.node('Transpose', [value], { perm: [...to].map((axis) => from.indexOf(axis)) });
