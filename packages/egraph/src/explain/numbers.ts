/** Terms by number, so that equality is a comparison of numbers. */
import { memoFold, numberIn } from '@baton/base';
import { type Language, payloadKey } from '../language.ts';
import { OperatorTable } from '../store/operators.ts';
import { type Term, termChildren } from '../term.ts';

export interface TermNumbers {
  readonly number: (root: Term) => number;
  /** The number of the term with this operator above children with these numbers. */
  readonly above: (
    operator: Pick<Term, 'name' | 'payload'>,
    children: ReadonlyArray<number>,
  ) => number;
}

export function numberTerms(language: Language): TermNumbers {
  const operators = new OperatorTable(payloadKey(language));
  const numbers = new Map<string, number>();
  const above: TermNumbers['above'] = ({ name, payload }, children) => {
    const { id } = operators.intern(name, children.length, payload);
    return numberIn(numbers, [id, ...children].join(' '));
  };
  return { above, number: memoFold(termChildren, (t, get) => above(t, t.children.map(get))) };
}
