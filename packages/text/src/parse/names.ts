/** The meaning of names and literals in an expression. */
import type { TextSpan } from '@baton/base';
import { type Attrs, constant, type Expr, globalVar, type OpRef, opRef, variable } from '@baton/ir';
import { scalar } from '@baton/tensor';
import {
  malformedNumber,
  numberOutOfRange,
  operatorNotFound,
  undeclaredGraph,
  undeclaredLocal,
  unknownMeta,
  wrongMeta,
} from '../diagnostics.ts';
import { CONSTANT_KEY, type MetaEntry } from '../meta/meta.ts';
import { numberConstant, readNumberToken } from '../tokens/number.ts';
import type { Parser } from './parser.ts';

/** The name of an unreadable expression: the parse has failed, so the result never leaves it. */
const PLACEHOLDER = '?';

/** A new variable that nothing binds, of any type: no name of a text begins with `?`. */
export const placeholder = (): Expr => variable(PLACEHOLDER);

/** Whether this represents an unreadable expression. */
export const isPlaceholder = (expr: Expr): boolean =>
  expr._tag === 'Var' && expr.nameHint === PLACEHOLDER;

/** Whether the next token is a hole of a pattern, which matches anything. */
export const isHoleAhead = (s: Parser): boolean =>
  s.peek() === 'local' && s.peekText().startsWith('?');

/** The local variable named by the next token; a new one for a hole of a pattern. */
export function readLocal(s: Parser): Expr {
  const name = s.sigilName(s.at);
  const found = localNamed(s, name);
  if (found === undefined && !isHoleAhead(s)) {
    s.report(undeclaredLocal(name, s.spanHere(), s.suggestion(name, s.locals.names, '%')));
  }
  if (found?._tag === 'Var') s.note(s.at, { _tag: 'Local', node: found });
  s.at++;
  return found ?? variable(name);
}

/** A local in scope, or the value of a graph binding of that name. */
export const localNamed = (s: Parser, name: string): Expr | undefined =>
  s.locals.get(name) ?? s.graph.get(`%${name}`)?.value;

/** The value of the graph binding named by the next token: the same node at each use. */
export function readGraphVar(s: Parser): Expr {
  const name = s.peekText();
  const found = s.graph.get(name);
  if (found === undefined) s.report(undeclaredGraph(name, s.spanHere()));
  else s.note(s.at, { _tag: 'Graph', name, node: found.value, span: found.span });
  s.at++;
  return found?.value ?? placeholder();
}

/** The global named by the next token. Inference checks that it is defined. */
export function readGlobal(s: Parser): Expr {
  const node = globalVar(s.sigilName(s.at), s.spanHere());
  s.note(s.at, { _tag: 'Global', node });
  s.at++;
  return node;
}

/** The most remembered numbers: the few that recur come early, and lists may be long. */
const MAX_KNOWN_NUMBERS = 1_000;

/** A number, `True` or `False`. */
export function readLiteral(s: Parser): Expr {
  const index = s.at;
  const node = literalOf(s);
  if (!isPlaceholder(node)) s.note(index, { _tag: 'Literal', node });
  return node;
}

function literalOf(s: Parser): Expr {
  const index = s.at++;
  const span = s.spanAt(index);
  const kind = s.tokens.kinds[index];
  if (kind === 'True' || kind === 'False') return constant(scalar(kind === 'True', 'bool'), span);
  const text = s.textAt(index);
  const known = s.numbers.get(text);
  if (known !== undefined) return constant(known.data, span, known.literal);
  const token = readNumberToken(text);
  if (typeof token === 'object') {
    const number = numberConstant(token);
    if (s.numbers.size < MAX_KNOWN_NUMBERS) s.numbers.set(text, number);
    return constant(number.data, span, number.literal);
  }
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  s.report(
    token === 'malformed'
      ? malformedNumber(shown, span)
      : numberOutOfRange(shown, rangeName(text), span),
  );
  return placeholder();
}

/** The name of a dtype by its suffix, for a number out of its range. */
function rangeName(text: string): string {
  const suffix = /(?:[iu]\d+|i|f\d*)$/.exec(text)?.[0];
  if (suffix === undefined) return 'any dtype';
  const long = suffix === 'f' ? 'f32' : suffix === 'i' ? 'i32' : suffix;
  return long.replace(/^([iuf])/, (c) => (c === 'i' ? 'int' : c === 'u' ? 'uint' : 'float'));
}

/** A bare name: a constructor, else an operator. */
export function readName(s: Parser): Expr | undefined {
  const name = s.peekText();
  const span = s.spanHere();
  const found = s.dialect.meaningOf(s, name, span);
  if (found === undefined) {
    const hint =
      s.locals.get(name) === undefined
        ? s.suggestion(name, () => [...s.constructors.keys(), ...s.ops.names, 'True', 'False'])
        : `a local variable is written \`%${name}\``;
    s.report(operatorNotFound(name, span, hint));
  }
  noteName(s, s.at, found);
  s.at++;
  return found;
}

/** Notes an operator or a constructor. */
function noteName(s: Parser, token: number, found: Expr | undefined): void {
  if (found?._tag === 'Op') s.note(token, { _tag: 'Operator', node: found });
  else if (found?._tag === 'Constructor') s.note(token, { _tag: 'Constructor', node: found });
}

export const declaredName = (s: Parser, name: string, span?: TextSpan): Expr | undefined =>
  s.constructors.get(name)?.ctor ?? (s.ops.get(name) === undefined ? undefined : opRef(name, span));

/** The operator of a sign or a literal. */
export function impliedOp(s: Parser, name: string, at: number): OpRef | undefined {
  const span = s.spanAt(at);
  if (s.dialect.isOpen || s.ops.get(name) !== undefined) {
    const node = opRef(name, span);
    noteName(s, at, node);
    return node;
  }
  s.report(operatorNotFound(name, span));
  return undefined;
}

/** A constant of the meta table: the same node at each reference. */
export function readMetaConstant(s: Parser): Expr {
  const first = s.at;
  const { key, index, entry } = readMetaEntry(s);
  if (entry === undefined) return placeholder();
  if (entry._tag !== 'MetaTensor') {
    s.report(wrongMeta(key, `an entry of \`${CONSTANT_KEY}\``, s.spanFrom(first)));
    return placeholder();
  }
  const known = s.metaConstants.get(index);
  if (known !== undefined) return known;
  const node = constant(entry.value, s.spanFrom(first));
  s.metaConstants.set(index, node);
  return node;
}

export function readMetaAttrs(s: Parser): Attrs | undefined {
  const first = s.at;
  const { key, entry } = readMetaEntry(s);
  if (entry === undefined || entry._tag === 'MetaAttrs') return entry?.value;
  s.report(wrongMeta(key, 'a record of attributes', s.spanFrom(first)));
  return undefined;
}

interface MetaReference {
  readonly key: string;
  readonly index: number;
  /** Absent if the table has no such entry, which is reported. */
  readonly entry: MetaEntry | undefined;
}

/** `meta[key][index]`. */
function readMetaEntry(s: Parser): MetaReference {
  const first = s.at++;
  s.expect('[');
  const key = s.textAt(s.expect('name', 'a key of the meta table'));
  s.expect(']');
  s.expect('[');
  const digits = s.textAt(s.expect('int', 'an index'));
  if (!/^\d{1,9}$/.test(digits)) {
    s.at--;
    return s.unexpected('an index');
  }
  s.expect(']');
  const index = Number(digits);
  const entries = s.meta.get(key) ?? [];
  const entry = entries[index];
  if (entry === undefined && !s.isMetaBroken) {
    s.report(unknownMeta(key, index, entries.length, s.spanFrom(first)));
  }
  return { key, index, entry };
}
