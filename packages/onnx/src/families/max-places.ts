/** The places of the maxima that `MaxPool` finds. */
import type { Expr } from '@baton/ir';
import { tensor } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';
import type { Windows } from './spatial.ts';

/** The most cells of an image's windows that are written into the module. */
const MAX_CELLS: number = 2 ** 20;

/**
 * The place in all of `x` of each maximum of `pooled`, counted in row-major order; with
 * `columnMajor` the spatial axes count the other way round.
 */
export function maxPlaces(
  context: NodeContext,
  x: Expr,
  pooled: Expr,
  w: Windows,
  columnMajor: boolean,
): Expr | undefined {
  const [shape, outShape] = [context.shapeOf(x), context.shapeOf(pooled)];
  if (shape === undefined || outShape === undefined) {
    return context.unknown('expected data of known size');
  }
  const sizes = shape.slice(2);
  const image = product(sizes);
  const images = product(shape.slice(0, 2));
  const [places, cells] = [product(outShape.slice(2)), product(w.kernel)];
  if (places * cells > MAX_CELLS || images > MAX_CELLS) {
    return context.fail('ONNX_LIMIT', 'the places of so many maxima take too many constants');
  }
  const table = windowTable(sizes, outShape.slice(2), w, columnMajor);
  const constant = (values: ReadonlyArray<number>, dims: ReadonlyArray<number>): Expr =>
    context.constant(tensor(values, dims, 'int64'));
  const dims = [places, cells];
  const flat = context.call('reshape', [x], { newshape: [images, image] });
  const indices = constant(table.cells, dims);
  const taken = context.call('take', [flat, indices], { axis: 1 });
  const which = context.call('argmax', [taken], { axis: -1, keepdims: true });
  const names = context.call('broadcast_to', [constant(table.names, dims)], {
    shape: [images, places, cells],
  });
  const found = context.call('gather', [names, which], { axis: 2 });
  const starts = Array.from({ length: images }, (_, i) => i * image);
  const total = context.call('add', [found, constant(starts, [images, 1, 1])]);
  return context.call('reshape', [total], { newshape: [...outShape] });
}

/** The cells of each window; a cell outside the image repeats the first one inside. */
interface WindowTable {
  /** The place of each cell in the image. */
  readonly cells: ReadonlyArray<number>;
  /** The number of that place in the result. */
  readonly names: ReadonlyArray<number>;
}

function windowTable(
  sizes: ReadonlyArray<number>,
  outSizes: ReadonlyArray<number>,
  w: Windows,
  columnMajor: boolean,
): WindowTable {
  const steps = Array.from({ length: product(w.kernel) }, (_, i) => unravelled(i, w.kernel));
  const windows = Array.from({ length: product(outSizes) }, (_, i) => {
    const at = unravelled(i, outSizes);
    const cells = steps.map((step) =>
      step.map((k, axis) => {
        const first = (at[axis] ?? 0) * (w.strides[axis] ?? 1) - (w.pads[axis] ?? 0);
        return first + k * (w.dilations[axis] ?? 1);
      }),
    );
    const isInside = (cell: ReadonlyArray<number>): boolean =>
      cell.every((place, axis) => place >= 0 && place < (sizes[axis] ?? 0));
    const first = cells.find(isInside) ?? sizes.map(() => 0);
    return cells.map((cell) => (isInside(cell) ? cell : first));
  });
  const all = windows.flat();
  const backwards = [...sizes].reverse();
  const place = (cell: ReadonlyArray<number>): number => ravelled(cell, sizes);
  const turned = (cell: ReadonlyArray<number>): number => ravelled([...cell].reverse(), backwards);
  return { cells: all.map(place), names: all.map(columnMajor ? turned : place) };
}

const product = (sizes: ReadonlyArray<number>): number => sizes.reduce((a, b) => a * b, 1);

const ravelled = (index: ReadonlyArray<number>, sizes: ReadonlyArray<number>): number =>
  index.reduce((place, i, axis) => place * (sizes[axis] ?? 1) + i, 0);

function unravelled(place: number, sizes: ReadonlyArray<number>): ReadonlyArray<number> {
  const index = sizes.map(() => 0);
  let rest = place;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const size = sizes[axis] ?? 1;
    index[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return index;
}
