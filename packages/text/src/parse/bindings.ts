/** The ends of bindings, and recovery after a broken one. */
import { incompleteType, variable } from '@baton/ir';
import { placeholder } from './names.ts';
import { attempt, type Parser } from './parser.ts';

export function endsSequence(s: Parser): boolean {
  const kind = s.peek();
  return kind === '}' || kind === ')' || kind === ']' || kind === 'eof' || kind === 'def';
}

/** Whether `%1 =` follows. */
export const isGraphBindingAhead = (s: Parser): boolean =>
  s.dialect.graphNames.has(s.peek()) && s.peek(1) === '=';

export const isBindingAhead = (s: Parser): boolean =>
  s.peek() === 'let' || s.peek() === 'free_var' || isGraphBindingAhead(s);

/** The `;` of a binding. A missing one before the next binding is one error only. */
export function endBinding(s: Parser): void {
  if (s.accept(';') || s.dialect.endsBinding(s)) return;
  const isNext = isBindingAhead(s);
  attempt(() => s.unexpected('`;`'));
  if (!isNext) s.abandon();
}

/** Declares the name of the broken binding at `first`, so that its uses raise no further errors. */
export function recoverBinding(s: Parser, first: number): void {
  const { kinds } = s.tokens;
  const kind = kinds[first];
  if (kind === 'let' || kind === 'free_var') {
    // A name without its sigil is used with it.
    if (kinds[first + 1] !== 'local' && kinds[first + 1] !== 'name') return;
    const name = s.sigilName(first + 1);
    s.locals.declare(name, variable(name, incompleteType(), s.spanAt(first + 1)));
  } else if (kinds[first + 1] === '=' && kind !== undefined && s.dialect.graphNames.has(kind)) {
    const key = graphKey(s.textAt(first));
    if (!s.graph.has(key)) s.bindGraph(key, { value: placeholder(), span: s.spanAt(first) });
  }
}

/** The key of a graph binding in the table: `%1`, `%name`. */
export const graphKey = (text: string): string => (text.startsWith('%') ? text : `%${text}`);
