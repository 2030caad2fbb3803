import { memoFold } from '@baton/base';
import { type Term, termChildren } from '../term.ts';

/** A number for every term: equal terms have equal numbers. `operator` tells operators apart. */
export function numberTerms(operator: (t: Term) => number): (root: Term) => number {
  const numbers = new Map<string, number>();
  return memoFold(termChildren, (t, get) =>
    numberOf(numbers, [operator(t), ...t.children.map(get)].join(' ')),
  );
}

/** The number of a key: those that are new count up from 0. */
export function numberOf<K>(numbers: Map<K, number>, key: K): number {
  const number = numbers.get(key) ?? numbers.size;
  numbers.set(key, number);
  return number;
}
