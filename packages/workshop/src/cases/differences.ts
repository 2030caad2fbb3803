/** Whether outputs are the right ones. */
import {
  absoluteError,
  type DType,
  isBig,
  isFloat,
  readBigInt,
  rootMeanSquare,
  sameShape,
  type Tensor,
  toNumbers,
} from '@baton/tensor';

export type Cell =
  | { readonly _tag: 'Same' }
  /** Elements that differ; of outputs of another type or shape, all of them. */
  | {
      readonly _tag: 'Different';
      readonly elements: number;
      readonly of: number;
      /** The largest error as a share of the value: infinite where one is not finite, or of another type. */
      readonly most: number;
    }
  | { readonly _tag: 'Refused'; readonly code: string }
  | { readonly _tag: 'Thrown'; readonly message: string }
  /** Passed over: the path does not exist here. */
  | { readonly _tag: 'Absent' };

/** The share of a value, or of its tensor's mean, that rounding may take. */
const ROUNDING: Readonly<Partial<Record<DType, number>>> = {
  float64: 1e-9,
  float16: 2 ** -8,
  bfloat16: 2 ** -6,
};
const OTHER_ROUNDING = 1e-4;

export function cellOf(
  found: ReadonlyArray<Tensor | undefined>,
  wanted: ReadonlyArray<Tensor | undefined>,
): Cell {
  let elements = found.length === wanted.length ? 0 : 1;
  let of = 0;
  let most = 0;
  for (const [i, right] of wanted.entries()) {
    if (right === undefined) continue;
    const count = toNumbers(right).length;
    const value = found[i];
    of += count;
    if (value?.dtype !== right.dtype || !sameShape(value.shape, right.shape)) {
      elements += Math.max(count, 1);
      most = Number.POSITIVE_INFINITY;
      continue;
    }
    for (const error of errorsOf(value, right)) {
      elements++;
      most = Math.max(most, error);
    }
  }
  return elements === 0 ? { _tag: 'Same' } : { _tag: 'Different', elements, of, most };
}

/** The errors that are no rounding, as shares of the values. */
function errorsOf(found: Tensor, right: Tensor): ReadonlyArray<number> {
  const wanted = Array.from(toNumbers(right));
  const values = toNumbers(found);
  const scale = rootMeanSquare(Float64Array.from(wanted.filter(Number.isFinite)));
  const share = isFloat(right.dtype) ? (ROUNDING[right.dtype] ?? OTHER_ROUNDING) : 0;
  return wanted.flatMap((y, i) => {
    const error = absoluteError(values[i] as number, y);
    const isExact = isBig(right.dtype)
      ? readBigInt(found, i) === readBigInt(right, i)
      : error === 0 || error <= share * (Math.abs(y) + scale / 10);
    if (isExact) return [];
    const size = Math.max(Math.abs(y), scale);
    return [Number.isFinite(error) && size > 0 ? error / size : Number.POSITIVE_INFINITY];
  });
}

const RANKS: ReadonlyArray<Cell['_tag']> = ['Absent', 'Same', 'Refused', 'Different', 'Thrown'];

export const worstOf = (cells: ReadonlyArray<Cell>): Cell =>
  cells.reduce<Cell>(
    (worst, cell) => {
      const [a, b] = [RANKS.indexOf(worst._tag), RANKS.indexOf(cell._tag)];
      if (a !== b) return a > b ? worst : cell;
      const isWorse =
        worst._tag === 'Different' && cell._tag === 'Different' && cell.elements > worst.elements;
      return isWorse ? cell : worst;
    },
    { _tag: 'Absent' },
  );

export function shownCell(cell: Cell): string {
  switch (cell._tag) {
    case 'Same':
      return 'ok';
    case 'Different':
      return `${cell.elements} of ${cell.of} differ by ${percent(cell.most)}`;
    case 'Refused':
      return `refused: ${cell.code}`;
    case 'Thrown':
      return `throws: ${cell.message}`;
    case 'Absent':
      return '';
  }
}

const percent = (share: number): string =>
  Number.isFinite(share) ? `${Number((100 * share).toPrecision(2))} %` : 'anything';
