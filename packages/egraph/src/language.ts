/** Languages: operators, leaves and payloads, and their text. */
import type { Diagnostic, Result } from '@baton/base';
import { arityMismatch, unknownOperator, variableInTerm } from './diagnostics.ts';
import type { PatternAtom, PatternNode } from './pattern.ts';
import { readSexp } from './sexp.ts';
import { printOperator, printTerm, type Term, term } from './term.ts';

/** Leaves that carry a payload: how a token is read, and how a payload is written. */
export interface LeafKind<P> {
  /** The payload of a token, or `undefined` if the token is not of this kind. */
  readonly parse: (token: string) => P | undefined;
  readonly print: (payload: P) => string;
  readonly key?: (payload: P) => unknown;
}

/** A kind of leaf of unknown payload type. */
export interface SomeLeafKind {
  readonly parse: (token: string) => unknown;
  readonly print: (payload: never) => string;
  readonly key?: (payload: never) => unknown;
}

export type Arity = number | ReadonlyArray<number> | 'any';

export interface LanguageDefinition {
  /** Operators by name. Absent: every operator is allowed. */
  readonly operators?: Readonly<Record<string, Arity>>;
  /** Kinds of leaves, tried in this order on each atom of a text. */
  readonly leaves?: Readonly<Record<string, SomeLeafKind>>;
  /** Operators that carry a payload, written after a colon, as in `(scale:2 x)`. */
  readonly payloads?: Readonly<Record<string, SomeLeafKind>>;
  /** The identity of an operator's payloads; the payload itself by default. */
  readonly payloadKey?: (name: string, payload: unknown) => unknown;
}

type Children<A> = A extends number
  ? Repeat<A>
  : A extends ReadonlyArray<infer N extends number>
    ? Repeat<N>
    : ReadonlyArray<Term>;
type Repeat<N extends number, T extends ReadonlyArray<Term> = []> = number extends N
  ? ReadonlyArray<Term>
  : N extends N
    ? T['length'] extends N
      ? T
      : Repeat<N, [...T, Term]>
    : never;

export interface Language<L extends LanguageDefinition = LanguageDefinition> {
  readonly definition: L;
  /** A term whose operator and number of children the compiler checks. */
  readonly node: <K extends keyof L['operators'] & string>(
    name: K,
    ...children: Children<NonNullable<L['operators']>[K]>
  ) => Term;
  /** A leaf whose payload the compiler checks. */
  readonly leaf: <K extends keyof L['leaves'] & string>(
    kind: K,
    payload: NonNullable<L['leaves']>[K] extends LeafKind<infer P> ? P : never,
  ) => Term;
}

/**
 * A language. Without operators it accepts every operator; without leaves an atom is an operator
 * with no children.
 */
export function defineLanguage<const L extends LanguageDefinition>(definition: L): Language<L> {
  return {
    definition,
    node: (name, ...children) => term(name, children as ReadonlyArray<Term>),
    leaf: (kind, payload) => term(kind, [], payload),
  };
}

/** The language without a schema: every operator, with any number of children. */
export const anyLanguage: Language = defineLanguage({} as LanguageDefinition);

export const numberLeaf: LeafKind<number> = {
  parse: (token) =>
    /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(token) ? Number(token) : undefined,
  print: String,
};

export const booleanLeaf: LeafKind<boolean> = {
  parse: (token) => (token === 'true' ? true : token === 'false' ? false : undefined),
  print: String,
};

/** Leaves that are any other name. Put it last. */
export const symbolLeaf: LeafKind<string> = { parse: (token) => token, print: (name) => name };

/** The operator of a node without its number of children. */
export type Head = Pick<Term, 'name' | 'payload'>;

/** The operator and payload of an atom. */
export function readLeaf(language: Language, token: string): Head {
  for (const [name, kind] of Object.entries(language.definition.leaves ?? {})) {
    const payload: unknown = kind.parse(token);
    if (payload !== undefined) return { name, payload };
  }
  return { name: token, payload: undefined };
}

/** The operator at the head of a list, which may have a payload after a colon. */
export function readHead(language: Language, token: string): Head {
  const at = token.indexOf(':');
  const name = token.slice(0, at);
  const payload: unknown = language.definition.payloads?.[name]?.parse(token.slice(at + 1));
  return payload === undefined ? { name: token, payload } : { name, payload };
}

export const readOperator = (language: Language, p: PatternAtom | PatternNode): Head =>
  p._tag === 'Atom'
    ? readLeaf(language, p.token)
    : p.payload === undefined
      ? readHead(language, p.name)
      : p;

/** The text of a node's operator in this language. */
export function printIn({ definition }: Language, name: string, payload: unknown): string {
  if (payload === undefined) return name;
  const { leaves, payloads } = definition;
  return (
    leaves?.[name]?.print(payload as never) ??
    printOperator(name, payloads?.[name]?.print(payload as never) ?? payload)
  );
}

export const printTermIn = (language: Language, t: Term): string =>
  printTerm(t, (name, payload) => printIn(language, name, payload));

/** The fault of this operator with this number of children, if there is one. */
export function checkOperator(
  { definition }: Language,
  { name, payload }: Head,
  arity: number,
): Diagnostic | undefined {
  const { operators, leaves = {} } = definition;
  const isLeaf = payload !== undefined && arity === 0 && Object.hasOwn(leaves, name);
  if (isLeaf || !operators) return undefined;
  const allowed = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (allowed === undefined) return unknownOperator(name, Object.keys({ ...operators, ...leaves }));
  if (allowed === 'any') return undefined;
  const arities = [allowed].flat();
  return arities.includes(arity) ? undefined : arityMismatch(name, arities, arity);
}

/**
 * Reads a term of a language from an s-expression.
 *
 * **Errors** `EGRAPH_UNEXPECTED_END`, `EGRAPH_TRAILING_TEXT`, `EGRAPH_MISSING_OPERATOR`,
 * `EGRAPH_VARIABLE_IN_TERM`, `EGRAPH_UNKNOWN_OPERATOR`, `EGRAPH_ARITY_MISMATCH`.
 */
export function parseTerm(text: string, language: Language = anyLanguage): Result<Term> {
  const checked = (head: Head, children: ReadonlyArray<Term>): Term | Diagnostic =>
    checkOperator(language, head, children.length) ?? term(head.name, children, head.payload);
  return readSexp<Term>(
    { name: 'term', text },
    {
      atom: (token, span) =>
        token.startsWith('?')
          ? variableInTerm(token, span())
          : checked(readLeaf(language, token), []),
      list: (operator, children) => checked(readHead(language, operator), children),
    },
  );
}

export function payloadKey(language: Language): (name: string, payload: unknown) => unknown {
  const { leaves, payloads, payloadKey: general } = language.definition;
  return (name, payload) => {
    const key = (leaves?.[name] ?? payloads?.[name])?.key;
    if (key) return key(payload as never);
    return general ? general(name, payload) : payload;
  };
}
