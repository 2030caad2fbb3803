/**
 * Movements without a form: where each element of the result comes from is found out before the first
 * run, by the call on places in the data's stead. The elements are taken from there.
 */
import { isRight, mulberry32 } from '@baton/base';
import { type OpTable, type Type, tensorType } from '@baton/ir';
import { kindColumn, numericsColumn, prepareTyped, runCall } from '@baton/ops';
import { cast, isTensor, shapeSize, splat, type Tensor, tensor, toNumbers } from '@baton/tensor';
import {
  constantOf,
  constantWindow,
  dtypeAt,
  isConstant,
  isMovable,
  type Lowering,
  newResult,
  rowMajor,
  shapeAt,
  type Value,
} from './lowering.ts';
import type { RegionStep } from './region.ts';
import type { Window } from './window.ts';

/** Results of more elements are not worth their places. */
const MOST_PLACES = 2 ** 20;

/** What an operator writes that is no element of its data lies below the first place. */
const FIRST = 2 ** 20;

/** The elements of the first argument where the result has them; `undefined` if they are not from there. */
export function takenFromPlaces(
  step: RegionStep,
  ops: OpTable,
  state: Lowering,
): ReadonlyArray<Value> | undefined {
  const { call, args, results } = step;
  const [result, ...others] = results;
  const [data] = args;
  if (typeof data !== 'number' || result === undefined || others.length > 0) return undefined;
  const isMovement = ops.read(kindColumn, call.name) === 'movement';
  if (!isMovement || ops.read(numericsColumn, call.name) !== 'exact') return undefined;
  const [shape, count] = [shapeAt(data, state), shapeSize(shapeAt(result, state))];
  const size = shapeSize(shape);
  const dtype = dtypeAt(data, state);
  const isAlike = dtype === dtypeAt(result, state) && isMovable(dtype, state);
  if (!isAlike || count === 0 || Math.max(count, size) > MOST_PLACES) return undefined;
  const places = placesOf(step, ops, state, (at) => at);
  if (places === undefined || places.some((place) => place < 0 || place >= size)) return undefined;
  // What is computed of elements, as a mean of neighbours is, changes with their order.
  const shuffled = shuffledPlaces(size);
  const again = placesOf(step, ops, state, (at) => shuffled[at] as number);
  if (again?.every((place, i) => place === shuffled[places[i] as number]) !== true)
    return undefined;
  const rest = rowOf(places, shapeAt(result, state), size);
  const starts = Int32Array.from(
    { length: count / rest },
    (_, i) => (places[i * rest] ?? 0) / rest,
  );
  const out = newResult(result, state);
  state.kernels.push({
    _tag: 'Take',
    data: rowMajor(data, state),
    indices: constantWindow(tensor(starts, [starts.length], 'int32'), state),
    isWrapped: false,
    sizes: { batch: 1, lead: 1, dim: size / rest, places: starts.length, rest },
    out,
  });
  return [out];
}

/** The places in another order. */
function shuffledPlaces(size: number): ReadonlyArray<number> {
  const places = Array.from({ length: size }, (_, at) => at);
  const random = mulberry32(size);
  for (let at = size - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [places[at], places[other]] = [places[other] as number, places[at] as number];
  }
  return places;
}

/** What the call gives for the data `label(0)`, `label(1)`, …; other numbers are no elements of it. */
function placesOf(
  { call, args }: RegionStep,
  ops: OpTable,
  state: Lowering,
  label: (at: number) => number,
): ReadonlyArray<number> | undefined {
  const op = ops.get(call.name);
  const data = dtypeAt(args[0] as number, state);
  const values = args.map((arg, i): Tensor | undefined => {
    if (typeof arg !== 'number') return undefined;
    const shape = shapeAt(arg, state);
    const length = shapeSize(shape);
    if (i === 0)
      return tensor(
        Int32Array.from({ length }, (_, at) => FIRST + label(at)),
        shape,
        'int32',
      );
    const dtype = dtypeAt(arg, state);
    const value = state.values[arg];
    if (!isConstant(value, state)) return dtype === data ? splat(shape, 'int32', -1) : undefined;
    const constant = constantOf(value as Window, state);
    return dtype === data ? cast(constant, 'int32') : constant;
  });
  if (op === undefined || !values.every((value) => value !== undefined)) return undefined;
  const types = values.map(({ shape, dtype }): Type => tensorType(shape, dtype));
  const { attrs, span } = call;
  const prepared = prepareTyped(ops, { op, attrs, types, constant: (i) => values[i], span });
  if (!isRight(prepared)) return undefined;
  const moved = runCall(prepared.right, values, 4 * MOST_PLACES);
  if (!isRight(moved) || !isTensor(moved.right)) return undefined;
  return Array.from(toNumbers(moved.right), (at) => at - FIRST);
}

/** The longest rows of the result that are rows of the data. */
function rowOf(places: ReadonlyArray<number>, shape: ReadonlyArray<number>, size: number): number {
  let rest = 1;
  for (const dim of [...shape].reverse()) {
    const more = rest * dim;
    const isRow = places.every((place, at) => {
      const within = at % more;
      return within === 0 ? place % more === 0 : place === (places[at - within] ?? 0) + within;
    });
    if (size % more !== 0 || !isRow) return rest;
    rest = more;
  }
  return rest;
}
