/** The public names of `@baton/drawing`. */
export { alignRows, type RowAt, type Twins } from './align.ts';
export { alignedDrawings } from './aligned.ts';
export { type CallDiff, diffCalls } from './call-diff.ts';
export * as camera from './camera.ts';
export { cut } from './cut.ts';
export type { CallGroup, Card, Drawing, Edge, Row } from './data.ts';
export { type Graph, graphOf } from './graph.ts';
export { kindOfOperator } from './kind-of.ts';
export { KINDS, type Kind } from './kinds.ts';
export { type DrawingOptions, drawingOf, MAX_DRAWN_CARDS } from './layout.ts';
export { placeTexts } from './places.ts';
export { makeTextTable, type TextTable } from './text-table.ts';
