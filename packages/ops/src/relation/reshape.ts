/** The codes of `reshape`: [operators §4](https://batonjs.github.io/baton/spec/operators#4). */
import {
  type Dim,
  describeDim,
  describeShape,
  dimsEqual,
  divideDims,
  isAnyDim,
  type RelationContext,
} from '@baton/ir';
import { badAttr, elementCountMismatch } from '../diagnostics.ts';
import { productOfDims } from './dims.ts';
import { report } from './known.ts';

/** Replaces an inferred dimension until it is known. */
const INFERRED = Symbol('inferred');

/**
 * The shape that `newshape` yields for `dims`; `undefined` after reporting. A cursor walks the
 * input: `> 0` is that size, `0` copies the dimension at the cursor (with `allowZero` it is the
 * size 0), `-1` is inferred, `-2` copies the rest, `-3` merges two, `-4` splits one into the two
 * entries that follow.
 */
export function reshapeDims(
  dims: ReadonlyArray<Dim>,
  newshape: ReadonlyArray<number>,
  allowZero: boolean,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const bad = (message: string): undefined => report(context, badAttr('newshape', message));
  const shape: (Dim | typeof INFERRED)[] = [];
  const taken = new Set<number>();
  let literals = 1;
  let cursor = 0;
  const take = (): Dim | undefined => {
    const dim = dims[cursor];
    if (dim === undefined)
      return bad(`entry ${shape.length} goes beyond shape ${describeShape(dims)}`);
    taken.add(cursor++);
    return dim;
  };
  for (let i = 0; i < newshape.length; i++) {
    const code = newshape[i] as number;
    if (code > 0 || (code === 0 && allowZero)) {
      shape.push(code);
      literals *= code;
      cursor++;
    } else if (code === -1) {
      if (shape.includes(INFERRED)) return bad('only one dimension can be inferred');
      shape.push(INFERRED);
      cursor++;
    } else if (code === 0) {
      const dim = take();
      if (dim === undefined) return undefined;
      shape.push(dim);
    } else if (code === -2) {
      while (cursor < dims.length) {
        taken.add(cursor);
        shape.push(dims[cursor++] as Dim);
      }
    } else if (code === -3) {
      const first = take();
      const second = first === undefined ? undefined : take();
      if (first === undefined || second === undefined) return undefined;
      shape.push(productOfDims([first, second]));
    } else if (code === -4) {
      const dim = take();
      if (dim === undefined) return undefined;
      const parts = splitDim(dim, newshape[i + 1], newshape[i + 2]);
      if (parts === undefined) {
        return bad(`-4 cannot split ${describeDim(dim)} into the two entries that follow it`);
      }
      shape.push(...parts);
      i += 2;
    } else return bad(`${code} is no code of a reshape`);
  }
  return complete(dims, shape, taken, literals, context);
}

function complete(
  dims: ReadonlyArray<Dim>,
  shape: ReadonlyArray<Dim | typeof INFERRED>,
  taken: ReadonlySet<number>,
  literals: number,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const free = dims.filter((_, axis) => !taken.has(axis));
  const inferred = shape.includes(INFERRED) ? divideDims(productOfDims(free), literals) : 1;
  const full = shape.map((dim) => (dim === INFERRED ? (inferred ?? 0) : dim));
  const wrongCount = () =>
    report(context, elementCountMismatch(describeShape(dims), describeShape(full)));
  if (inferred === undefined) return wrongCount();
  if (shape.includes(INFERRED) && typeof inferred !== 'number') return full;
  const before = productOfDims(dims);
  const after = productOfDims(full);
  if (isAnyDim(before) || isAnyDim(after) || dimsEqual(before, after)) return full;
  return wrongCount();
}

function splitDim(
  dim: Dim,
  first: number | undefined,
  second: number | undefined,
): readonly [Dim, Dim] | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (first === -1 && second > 0) return pair(divideDims(dim, second), second);
  if (second === -1 && first > 0) return pair(first, divideDims(dim, first));
  if (first < 0 || second < 0) return undefined;
  const product = first * second;
  return isAnyDim(dim) || dimsEqual(dim, product) ? [first, second] : undefined;
}

const pair = (a: Dim | undefined, b: Dim | undefined): readonly [Dim, Dim] | undefined =>
  a === undefined || b === undefined ? undefined : [a, b];
