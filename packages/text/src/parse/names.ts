/** What names and literals in an expression stand for. */
import type { TextSpan } from '@baton/base';
import {
  type Attrs,
  constant,
  type Expr,
  globalVar,
  type OpRef,
  opRef,
  tuple,
  variable,
} from '@baton/ir';
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
import { tokenSpan, tokenText } from '../tokens/tokens.ts';
import {
  expect,
  type ParserState,
  peekText,
  report,
  sigilName,
  spanFrom,
  spanHere,
  suggestion,
  unexpected,
} from './state.ts';

/** Stands for an expression that could not be read: the parse has failed, so it goes no further. */
const PLACEHOLDER: Expr = tuple([]);

export const placeholder = (): Expr => PLACEHOLDER;

/** Whether this stands for an expression that could not be read. */
export const isPlaceholder = (expr: Expr): boolean => expr === PLACEHOLDER;

/** The local variable that the next token names. */
export function readLocal(s: ParserState): Expr {
  const name = sigilName(s, s.at);
  const found = localNamed(s, name);
  if (found === undefined) {
    report(s, undeclaredLocal(name, spanHere(s), suggestion(s, name, s.locals.names, '%')));
  }
  s.at++;
  return found ?? variable(name);
}

/** A local in scope, or the value of a legacy graph binding of that name. */
const localNamed = (s: ParserState, name: string): Expr | undefined =>
  s.locals.get(name) ?? s.graph.get(`%${name}`)?.value;

/** Whether one of the tokens from `first` to the next is a legacy local without its sigil. */
export function namesLocal(s: ParserState, first: number): boolean {
  if (!s.isLegacy) return false;
  for (let i = first; i < s.at; i++) {
    const isName = s.tokens.kinds[i] === 'name';
    if (isName && localNamed(s, tokenText(s.tokens, i)) !== undefined) return true;
  }
  return false;
}

/** The value of the graph binding that the next token names: the same node at each use. */
export function readGraphVar(s: ParserState): Expr {
  const name = peekText(s);
  const found = s.graph.get(name);
  if (found === undefined) report(s, undeclaredGraph(name, spanHere(s)));
  s.at++;
  return found?.value ?? placeholder();
}

/** The global that the next token names. Whether it is defined is a question for inference. */
export function readGlobal(s: ParserState): Expr {
  const node = globalVar(sigilName(s, s.at), spanHere(s));
  s.at++;
  return node;
}

/** How many numbers are remembered: the few that recur come early, and a long list has no end. */
const MAX_KNOWN_NUMBERS = 1_000;

/** A number, `True` or `False`. */
export function readLiteral(s: ParserState): Expr {
  const index = s.at++;
  const span = tokenSpan(s.tokens, index);
  const kind = s.tokens.kinds[index];
  if (kind === 'True' || kind === 'False') return constant(scalar(kind === 'True', 'bool'), span);
  const text = tokenText(s.tokens, index);
  const known = s.numbers.get(text);
  if (known !== undefined) return constant(known.data, span, known.literal);
  const token = readNumberToken(text);
  if (typeof token === 'object') {
    const number = numberConstant(token);
    if (s.numbers.size < MAX_KNOWN_NUMBERS) s.numbers.set(text, number);
    return constant(number.data, span, number.literal);
  }
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  report(
    s,
    token === 'malformed'
      ? malformedNumber(shown, span)
      : numberOutOfRange(shown, rangeName(text), span),
  );
  return placeholder();
}

/** How to name the dtype that could not hold a number: by its suffix. */
function rangeName(text: string): string {
  const suffix = /(?:[iu]\d+|i|f\d*)$/.exec(text)?.[0];
  if (suffix === undefined) return 'any dtype';
  const long = suffix === 'f' ? 'f32' : suffix === 'i' ? 'i32' : suffix;
  return long.replace(/^([iuf])/, (c) => (c === 'i' ? 'int' : c === 'u' ? 'uint' : 'float'));
}

/** A bare name: a constructor, else an operator. Legacy names have more meanings. */
export function readName(s: ParserState): Expr | undefined {
  const name = peekText(s);
  const span = spanHere(s);
  const found = meaningOf(s, name, span);
  if (found === undefined) {
    const hint =
      s.locals.get(name) === undefined
        ? suggestion(s, name, () => [...s.constructors.keys(), ...s.ops.names, 'True', 'False'])
        : `a local variable is written \`%${name}\``;
    report(s, operatorNotFound(name, span, hint));
  }
  s.at++;
  return found;
}

/** Operators that had other names. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['sub', 'subtract'],
  ['mul', 'multiply'],
  ['div', 'divide'],
  ['flatten', 'nn.batch_flatten'],
]);

/**
 * What a bare name stands for: in the legacy dialect in the order of
 * [language §13.1](https://batonjs.github.io/baton/spec/language#13.1).
 */
export function meaningOf(s: ParserState, name: string, span?: TextSpan): Expr | undefined {
  const local = s.isLegacy ? localNamed(s, name) : undefined;
  if (local !== undefined) return local;
  const ctor = s.constructors.get(name)?.ctor;
  if (ctor !== undefined) return ctor;
  const isOp = (op: string | undefined): op is string =>
    op !== undefined && s.ops.get(op) !== undefined;
  if (isOp(name)) return opRef(name, span);
  if (!s.isLegacy) return undefined;
  const op = [ALIASES.get(name), `nn.${name}`].find(isOp);
  if (op !== undefined) return opRef(op, span);
  return s.definedNames.has(name) ? globalVar(name, span) : undefined;
}

/** An operator that a sign or a literal stands for. */
export function impliedOp(s: ParserState, name: string, at: number): OpRef | undefined {
  const span = tokenSpan(s.tokens, at);
  if (s.ops.get(name) !== undefined) return opRef(name, span);
  report(s, operatorNotFound(name, span));
  return undefined;
}

/** A constant of the meta table: the same node at each reference. */
export function readMetaConstant(s: ParserState): Expr {
  const first = s.at;
  const { key, index, entry } = readMetaEntry(s);
  if (entry === undefined) return placeholder();
  if (entry._tag !== 'MetaTensor') {
    report(s, wrongMeta(key, `an entry of \`${CONSTANT_KEY}\``, spanFrom(s, first)));
    return placeholder();
  }
  const known = s.metaConstants.get(index);
  if (known !== undefined) return known;
  const node = constant(entry.value, spanFrom(s, first));
  s.metaConstants.set(index, node);
  return node;
}

/** A record of attributes of the meta table. */
export function readMetaAttrs(s: ParserState): Attrs | undefined {
  const first = s.at;
  const { key, entry } = readMetaEntry(s);
  if (entry === undefined || entry._tag === 'MetaAttrs') return entry?.value;
  report(s, wrongMeta(key, 'a record of attributes', spanFrom(s, first)));
  return undefined;
}

interface MetaReference {
  readonly key: string;
  readonly index: number;
  /** Absent if the table has none; that is reported. */
  readonly entry: MetaEntry | undefined;
}

/** `meta[key][index]`. */
function readMetaEntry(s: ParserState): MetaReference {
  const first = s.at++;
  expect(s, '[');
  const key = tokenText(s.tokens, expect(s, 'name', 'a key of the meta table'));
  expect(s, ']');
  expect(s, '[');
  const digits = tokenText(s.tokens, expect(s, 'int', 'an index'));
  if (!/^\d{1,9}$/.test(digits)) {
    s.at--;
    return unexpected(s, 'an index');
  }
  expect(s, ']');
  const index = Number(digits);
  const entries = s.meta.get(key) ?? [];
  const entry = entries[index];
  if (entry === undefined && !s.isMetaBroken) {
    report(s, unknownMeta(key, index, entries.length, spanFrom(s, first)));
  }
  return { key, index, entry };
}
