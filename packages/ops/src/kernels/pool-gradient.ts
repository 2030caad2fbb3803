/** The gradients of pools: adds the gradient of each window to the elements that it read. */
import {
  allocate,
  cast,
  heap,
  type Memory,
  type NumberData,
  shapeSize,
  sliceView,
  type Tensor,
  tensor,
} from '@baton/tensor';
import {
  type AvgPoolOptions,
  countedCells,
  layOut,
  type PoolOptions,
  slidingWindows,
} from './pool.ts';
import { loadNumbers } from './values.ts';

/**
 * The gradient of a max pool of `x`: the maximum of each window gets it, of equal ones the first.
 *
 * **Shapes** g (N, C, windows…), x and the result (N, C, spatial…).
 */
export function maxPoolGradient(
  g: Tensor,
  x: Tensor,
  options: PoolOptions,
  memory: Memory = heap,
): Tensor {
  const laid = layOut(x, slidingWindows(x.shape, options), Number.NEGATIVE_INFINITY, memory);
  const data = loadNumbers(laid.padded, memory);
  const { cells } = laid;
  return givenBack(g, x, laid, options, memory, (sums, start, share) => {
    let at = start + (cells[0] as number);
    for (const cell of cells) {
      const peak = data[at] as number;
      // NaN wins, as in the pool.
      if (!((data[start + cell] as number) <= peak || Number.isNaN(peak))) at = start + cell;
    }
    sums[at] = (sums[at] as number) + share;
  });
}

/**
 * The gradient of an average pool of `x`: each counted element gets its share.
 *
 * **Shapes** as of {@link maxPoolGradient}.
 */
export function avgPoolGradient(
  g: Tensor,
  x: Tensor,
  options: AvgPoolOptions,
  memory: Memory = heap,
): Tensor {
  const laid = layOut(x, slidingWindows(x.shape, options), 0, memory);
  const { cells } = laid;
  const counts = countedCells(x.shape.slice(2), laid.counts, options, memory);
  return givenBack(g, x, laid, options, memory, (sums, start, share, window) => {
    const part = share / (counts[window] as number);
    for (const cell of cells) sums[start + cell] = (sums[start + cell] as number) + part;
  });
}

/** Adds a share to the elements of the window that starts at an offset of the padded data. */
type Give = (sums: NumberData, start: number, share: number, window: number) => void;

/** The sums of the windows' shares, in double precision, without the padding. */
function givenBack(
  g: Tensor,
  x: Tensor,
  { padded, starts }: Pick<ReturnType<typeof layOut>, 'padded' | 'starts'>,
  { padding }: PoolOptions,
  memory: Memory,
  give: Give,
): Tensor {
  const shares = loadNumbers(g, memory);
  const sums = allocate('float64', shapeSize(padded.shape), memory);
  const planes = shapeSize(x.shape.slice(0, 2));
  const plane = shapeSize(padded.shape.slice(2));
  let from = 0;
  for (let p = 0; p < planes; p++) {
    for (let w = 0; w < starts.length; w++) {
      give(sums, p * plane + (starts[w] as number), shares[from++] as number, w);
    }
  }
  const begin = [0, 0, ...padding.slice(0, x.shape.length - 2)];
  const inner = sliceView(tensor(sums, padded.shape, 'float64'), begin, x.shape);
  return cast(inner, x.dtype, memory);
}
