/** Views: calls that only change the index map of an argument become windows. */
import { type CallForm, type Move, viewed } from '@baton/ops';
import { type Shape, sameShape } from '@baton/tensor';
import { type Element, load, mapLeaves, mapWindows, type Product, productIn } from './element.ts';
import {
  contiguous,
  isMovable,
  type Lowering,
  type Pending,
  stored,
  type Value,
} from './lowering.ts';
import { referenced } from './reference.ts';
import { leavesOf, type RegionStep } from './region.ts';
import type { Window } from './window.ts';

/**
 * The results of a view: windows on what is looked at. An element that waits is looked at in each
 * window that it reads: `transpose(x < y)` reads the transposes of `x` and `y`.
 */
export function looked(
  step: RegionStep,
  { views }: Extract<CallForm, { readonly _tag: 'View' }>,
  state: Lowering,
): ReadonlyArray<Value> {
  const { args, results } = step;
  const made: Value[] = [];
  for (const [i, { argument, field, moves }] of views.entries()) {
    const at = leavesOf(args[argument] ?? [])[field] as number;
    const value = state.values[at] as Value;
    const shape = state.region.tensors[results[i] as number]?.shape ?? [];
    const isAlone = views.length === 1 && value._tag === 'Pending';
    const element = isAlone
      ? (movedElement(value.element, moves) ?? reshapedProduct(value, moves, shape, state))
      : undefined;
    if (element !== undefined) {
      made.push({ _tag: 'Pending', shape, element });
      continue;
    }
    const window = movedWindow(stored(at, state), moves, state);
    if (window === undefined) return referenced(step, state);
    made.push(window);
  }
  return made;
}

/** An element, each window of which is looked at; `undefined` if one cannot be. */
const movedElement = (element: Element, moves: ReadonlyArray<Move>): Element | undefined =>
  productIn(element) === undefined
    ? mapWindows(element, (window) => moves.reduce<Window | undefined>(viewedIn, window))
    : undefined;

/**
 * A product in another shape, and what is done with its sums; `undefined` if a move is no reshape, or if the
 * channels of the product would not be the same axis.
 */
function reshapedProduct(
  { element, shape: from }: Pending,
  moves: ReadonlyArray<Move>,
  to: Shape,
  { products }: Lowering,
): Element | undefined {
  const product = productIn(element);
  const form = product && products.get(product);
  if (product === undefined || form === undefined) return undefined;
  if (!moves.every(({ _tag }) => _tag === 'Reshape')) return undefined;
  const { channelAxis: axis } = form;
  const keptIn = (shape: Shape): Shape => (axis < 0 ? shape.slice(axis) : shape.slice(0, axis + 1));
  if (!sameShape(keptIn(from), keptIn(to))) return undefined;
  const other: Product = { ...product, shape: to };
  products.set(other, form);
  return mapLeaves(element, (leaf) => {
    if (leaf._tag === 'Product') return other;
    if (leaf._tag === 'Literal') return leaf;
    const window = moves.reduce<Window | undefined>(viewedIn, leaf.window);
    return window && load(window);
  });
}

const viewedIn = (window: Window | undefined, move: Move): Window | undefined =>
  window && viewed(window, move);

/** A window looked at: a copy where a reshape needs one; `undefined` if no code makes it. */
export function movedWindow(
  window: Window,
  moves: ReadonlyArray<Move>,
  state: Lowering,
): Window | undefined {
  return moves.reduce<Window | undefined>((now, move) => {
    if (now === undefined) return undefined;
    const seen = viewed(now, move);
    if (seen !== undefined || !isMovable(now.dtype, state)) return seen;
    return viewed(contiguous(now, state), move);
  }, window);
}
