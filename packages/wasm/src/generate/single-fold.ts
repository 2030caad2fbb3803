/**
 * Folds of one element at a time, for types other than float32 and where every bit stays: the elements
 * of a result are taken in their order. Several results are made side by side, so that no step waits
 * for the one before.
 */
import type { Window } from '@baton/lower';
import { type Cursor, placeOf } from './cursor.ts';
import { type FoldNest, moveResults, overElements, type ResultRow } from './fold-loops.ts';
import {
  computedAs,
  kept,
  loadCell,
  quotientOf,
  singleCode,
  singleState,
  storeCell,
} from './single.ts';

/** Results that are made side by side. */
const RESULTS = 4;

/** The results along the innermost loop. */
export function rowOfSingles(nest: FoldNest): ResultRow {
  const count = nest.dims.at(-1) as number;
  const perTurn = Math.min(RESULTS, count);
  return {
    perTurn,
    turn: () => makeResults(nest, perTurn),
    rest: () => {
      if (count % perTurn > 0) makeResults(nest, count % perTurn);
    },
  };
}

/** Makes `count` results, and moves the pointers past them. */
function makeResults(nest: FoldNest, count: number): void {
  const { f, kernel, inputs, out } = nest;
  const { element, fold, of, divisor } = kernel;
  const states = Array.from({ length: count }, () => singleState(fold, of, f));
  overElements(nest, (shifts) => {
    states.forEach(({ take }, result) => {
      const read = (window: Window) => {
        const i = inputs.findIndex((cursor) => cursor.window === window);
        const cursor = { ...(inputs[i] as Cursor), shift: shifts[i] as number };
        return kept(loadCell(window.dtype, ...placeOf(cursor, result), f), f);
      };
      take(singleCode(element, ({ window }) => read(window), f));
    });
  });
  states.forEach(({ cell }, result) => {
    const last = divisor === undefined ? cell : quotientOf(cell, divisor);
    const [address, offset] = placeOf(out, result);
    f.do(storeCell(out.window.dtype, address, computedAs(out.window.dtype, last, f), offset, f));
  });
  moveResults(nest, count);
}
