/**
 * An expression outside an e-graph. A DAG: a shared object is one subterm.
 *
 * A leaf written in text has its token as `name`; the language of the e-graph that receives it may
 * read it as an operator with a payload (`LeafKind`).
 */
export interface Term {
  readonly name: string;
  /** Opaque data of the operator: two nodes are equal only if their payloads are. */
  readonly payload: unknown;
  readonly children: ReadonlyArray<Term>;
}

export const term = (
  name: string,
  children: ReadonlyArray<Term> = [],
  payload?: unknown,
): Term => ({ name, payload, children });

export const termChildren = (t: Term): ReadonlyArray<Term> => t.children;

/** The text of a term's operator. */
export type PrintOperator = (name: string, payload: unknown) => string;

/** The default text: the name, with the payload after a colon if there is one. */
export const printOperator: PrintOperator = (name, payload) =>
  payload === undefined ? name : `${name}:${String(payload)}`;

/** A term as an s-expression, with sharing written out. */
export function printTerm(root: Term, print: PrintOperator = printOperator): string {
  let text = '';
  const pending: (Term | string)[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') {
      text += next;
      continue;
    }
    const operator = print(next.name, next.payload);
    text += next.children.length === 0 ? operator : `(${operator}`;
    if (next.children.length > 0) pending.push(')');
    for (const child of next.children.toReversed()) pending.push(child, ' ');
  }
  return text;
}
