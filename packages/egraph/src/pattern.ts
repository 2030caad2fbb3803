/** Patterns, and their text. */
import { fail, isLeft, ok, type Result, type SourceText } from '@baton/base';
import { badClause, patternTooDeep } from './diagnostics.ts';
import { readSexp, spanOf } from './sexp.ts';
import { printOperator } from './term.ts';

/** The deepest nesting of a pattern, which is a piece of a rule and not data. */
const MAX_PATTERN_DEPTH = 200;

/** The sign between the sides of a clause. */
const EQUALS = /\s=\s/;
const EQUALS_LENGTH = 3;

/** A hole that matches any class. Its name begins with `?`. */
export interface PatternVariable {
  readonly _tag: 'Variable';
  readonly name: string;
}

/** A leaf as written; the language of the e-graph determines its meaning. */
export interface PatternAtom {
  readonly _tag: 'Atom';
  readonly token: string;
}

export interface PatternNode {
  readonly _tag: 'Node';
  readonly name: string;
  /** A payload, or a variable that matches any payload. */
  readonly payload: unknown;
  readonly children: ReadonlyArray<Pattern>;
}

export type Pattern = PatternVariable | PatternAtom | PatternNode;

/** A part of a multi-pattern: `variable` names the class that `pattern` matches. */
export interface Clause {
  readonly variable: string;
  readonly pattern: Pattern;
}

export const variable: (name: `?${string}`) => Pattern = (name) => hole(name);

/** Like {@link variable}, for any text. */
export const hole = (name: string): Pattern => ({ _tag: 'Variable', name });

export const isHole = (payload: unknown): payload is PatternVariable =>
  (payload as Partial<PatternVariable> | null | undefined)?._tag === 'Variable';

export const payloadVariable = (p: Pattern): string | undefined =>
  p._tag === 'Node' && isHole(p.payload) ? p.payload.name : undefined;

/** An operator above patterns; a leaf if there are none. The payload may be a {@link variable}. */
export const node = (
  name: string,
  children: ReadonlyArray<Pattern> = [],
  payload?: unknown,
): Pattern => ({ _tag: 'Node', name, payload, children });

/**
 * Reads a pattern: an s-expression in which atoms that begin with `?` are variables. After an
 * operator and a colon, as in `(scale:?k ?x)` and `num:?n`, a variable matches the payload.
 * `name` names the text in diagnostics.
 *
 * **Errors** `EGRAPH_UNEXPECTED_END`, `EGRAPH_TRAILING_TEXT`, `EGRAPH_MISSING_OPERATOR`,
 * `EGRAPH_PATTERN_TOO_DEEP`.
 */
export const parsePattern = (text: string, name = 'pattern'): Result<Pattern> =>
  readPattern({ name, text });

const readPattern = (source: SourceText, from?: number, to?: number): Result<Pattern> =>
  readSexp<Pattern>(
    source,
    {
      atom: (token) =>
        token.startsWith('?')
          ? hole(token)
          : /:\?/.test(token)
            ? readNode(token, [])
            : { _tag: 'Atom', token },
      list: (operator, children, span, depth) =>
        depth > MAX_PATTERN_DEPTH
          ? patternTooDeep(MAX_PATTERN_DEPTH, span())
          : readNode(operator, children),
    },
    from,
    to,
  );

/** A node whose operator may have a variable after a colon. */
function readNode(operator: string, children: ReadonlyArray<Pattern>): Pattern {
  const [, name = operator, payload] = /(.+):(\?.+)/.exec(operator) ?? [];
  return node(name, children, payload && hole(payload));
}

/**
 * Reads a multi-pattern: clauses `?variable = pattern`, or `?variable = pattern = pattern …`,
 * separated by commas.
 *
 * **Errors** `EGRAPH_BAD_CLAUSE`, and the errors of {@link parsePattern}.
 */
export function parseClauses(text: string, name = 'pattern'): Result<ReadonlyArray<Clause>> {
  const source = { name, text };
  const clauses: Clause[] = [];
  let at = 0;
  for (const part of text.split(',')) {
    const [head = '', ...sides] = part.split(EQUALS);
    const variableName = head.trim();
    if (!/^\?[^\s()]+$/.test(variableName) || sides.length === 0) {
      return fail(badClause(part.trim(), spanOf(source, at, part.length)));
    }
    let from = at + head.length;
    for (const side of sides) {
      from += EQUALS_LENGTH;
      const pattern = readPattern(source, from, from + side.length);
      if (isLeft(pattern)) return pattern;
      clauses.push({ variable: variableName, pattern: pattern.right });
      from += side.length;
    }
    at += part.length + 1;
  }
  return clauses[0]?.pattern._tag === 'Variable'
    ? fail(badClause(text.trim(), spanOf(source, 0, text.length)))
    : ok(clauses);
}

/** The variables of a pattern, also of payloads, each once, from left to right. */
export function patternVariables(...patterns: ReadonlyArray<Pattern>): ReadonlyArray<string> {
  const names = subpatterns(patterns).flatMap((p) =>
    p._tag === 'Variable' ? p.name : (payloadVariable(p) ?? []),
  );
  return [...new Set(names)];
}

export const payloadVariables = (patterns: ReadonlyArray<Pattern>): ReadonlySet<string> =>
  new Set(subpatterns(patterns).flatMap((p) => payloadVariable(p) ?? []));

/** Patterns and their subpatterns, parents first, from left to right. */
export function subpatterns(patterns: ReadonlyArray<Pattern>): ReadonlyArray<Pattern> {
  const found: Pattern[] = [];
  const visit = (p: Pattern): void => {
    found.push(p);
    partsOf(p).forEach(visit);
  };
  patterns.forEach(visit);
  return found;
}

export const partsOf = (p: Pattern): ReadonlyArray<Pattern> =>
  p._tag === 'Node' ? p.children : [];

export type Side = ReadonlyArray<Clause> | Pattern;

/** The name of the matched class, which no variable can have. */
export const MATCHED = '';

/** A side as clauses: a pattern becomes a clause about the matched class. */
export const clausesOf = (side: Side): ReadonlyArray<Clause> =>
  '_tag' in side ? [{ variable: MATCHED, pattern: side }] : side;

export const patternsOf = (side: Side): ReadonlyArray<Pattern> =>
  clausesOf(side).map((clause) => clause.pattern);

export const sideVariables = (side: Side): ReadonlyArray<string> =>
  patternVariables(
    ...('_tag' in side ? [] : side.map((clause) => hole(clause.variable))),
    ...patternsOf(side),
  );

export function printPattern(p: Pattern): string {
  if (p._tag === 'Variable') return p.name;
  if (p._tag === 'Atom') return p.token;
  const operator = printOperator(p.name, payloadVariable(p) ?? p.payload);
  const text = [operator, ...p.children.map(printPattern)].join(' ');
  return p.children.length === 0 ? text : `(${text})`;
}
