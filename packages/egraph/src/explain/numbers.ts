import { memoFold } from '@baton/base';
import { type Term, termChildren } from '../term.ts';

/** A number for every term: equal terms have equal numbers. `operator` tells operators apart. */
export function numberTerms(operator: (t: Term) => number): (root: Term) => number {
  const numbers = new Map<string, number>();
  return memoFold(termChildren, (t, get) => {
    const key = [operator(t), ...t.children.map(get)].join(' ');
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}
