/**
 * Attributes in text: [language §3](https://batonjs.github.io/baton/spec/language#3). Recursion is
 * bounded by `MAX_ATTR_DEPTH`.
 */
import type { Diagnostic, TextSpan } from '@baton/base';
import { isLeft } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  attrInteger,
  MAX_ATTR_DEPTH,
  noAttrs,
  type OpInfo,
} from '@baton/ir';
import {
  badAttribute,
  malformedNumber,
  numberOutOfRange,
  repeatedAttribute,
  unknownAttribute,
  unknownEscape,
  wrongMeta,
} from '../diagnostics.ts';
import { relayTextColumn } from '../relay-text.ts';
import { integerFits, readNumberToken } from '../tokens/number.ts';
import {
  KEYWORDS,
  LEGACY_KEYWORDS,
  type TokenKind,
  tokenSpan,
  tokenText,
} from '../tokens/tokens.ts';
import {
  abandon,
  accept,
  expect,
  isWord,
  type ParserState,
  peek,
  peekText,
  report,
  spanFrom,
  spanHere,
  suggestion,
  unexpected,
} from './state.ts';

/** One attribute as it was written. */
export interface WrittenAttr {
  readonly name: string;
  readonly value: AttrValue;
  readonly nameSpan: TextSpan;
}

const NAME_KINDS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'name',
  ...KEYWORDS,
  ...LEGACY_KEYWORDS,
]);

/** Whether `name =` follows. Keywords are names here: operators may call an attribute as they like. */
export const isAttrAhead = (s: ParserState): boolean =>
  NAME_KINDS.has(peek(s)) && peek(s, 1) === '=';

/** `a=1, b=[2]`, up to the closing bracket, which stays. */
export function readAttrs(s: ParserState): ReadonlyArray<WrittenAttr> {
  const written: WrittenAttr[] = [];
  const seen = new Set<string>();
  while (isAttrAhead(s)) {
    const name = peekText(s);
    const nameSpan = spanHere(s);
    s.at += 2;
    const value = readAttrValue(s);
    if (seen.has(name)) report(s, repeatedAttribute(name, nameSpan));
    else written.push({ name, value, nameSpan });
    seen.add(name);
    if (!accept(s, ',')) break;
  }
  return written;
}

/** Attributes as a record, in the order in which they were written. */
export const attrRecord = (written: ReadonlyArray<WrittenAttr>): Attrs =>
  written.length === 0 ? noAttrs : Object.fromEntries(written.map((a) => [a.name, a.value]));

/**
 * The complete attributes of an operator's call. What is wrong is reported at the attribute where
 * that is known, else at `callSpan()`.
 */
export function operatorAttrs(
  s: ParserState,
  op: OpInfo,
  written: ReadonlyArray<WrittenAttr>,
  callSpan: () => TextSpan,
): Attrs {
  const own = withoutTvmAttrs(s, op, written);
  if (own.length === 0) {
    const known = s.defaultAttrs.get(op.name);
    if (known !== undefined) return known;
  }
  const kept = knownAttrs(s, op, own);
  const decoded = op.attrs.decode(attrRecord(kept));
  if (isLeft(decoded)) {
    for (const d of decoded.left) report(s, located(d, kept, callSpan));
    return noAttrs;
  }
  if (own.length === 0) s.defaultAttrs.set(op.name, decoded.right);
  return decoded.right;
}

/** The attribute that names the record type of a call whose callee does not tell it. */
export const ATTRS_TYPE_KEY = 'attrs_type_key';

/** The attributes without what TVM writes besides: the name of their type, and operands as `None`. */
function withoutTvmAttrs(
  s: ParserState,
  { name: op }: OpInfo,
  written: ReadonlyArray<WrittenAttr>,
): ReadonlyArray<WrittenAttr> {
  const relay = s.ops.read(relayTextColumn, op);
  if (relay === undefined) return written;
  const { unset = noAttrs, record } = relay;
  return written.filter(({ name, value }) => {
    const isUnset = Object.hasOwn(unset, name) && unset[name] === value;
    return !isUnset && !(name === ATTRS_TYPE_KEY && value === record);
  });
}

/** The attributes that the operator has, as it declares them; others are reported. */
function knownAttrs(
  s: ParserState,
  op: OpInfo,
  written: ReadonlyArray<WrittenAttr>,
): ReadonlyArray<WrittenAttr> {
  const { fields } = op.attrs;
  const isKnown = (attr: WrittenAttr): boolean => fields.some((f) => f.name === attr.name);
  const isLong = (attr: WrittenAttr): boolean =>
    holdsBigInt(attr.value) && fields.some((f) => f.name === attr.name && f.isFloat);
  if (written.some(isLong)) {
    const asFloats = written.map((a) => (isLong(a) ? { ...a, value: floatsIn(a.value) } : a));
    return knownAttrs(s, op, asFloats);
  }
  if (written.every(isKnown)) return written;
  const names = fields.map((f) => f.name);
  for (const attr of written.filter((a) => !isKnown(a))) {
    const hint = names.length === 0 ? 'it has none' : suggestion(s, attr.name, () => names);
    report(s, unknownAttribute(`\`${op.name}\``, attr.name, attr.nameSpan, hint));
  }
  return written.filter(isKnown);
}

const holdsBigInt = (value: AttrValue): boolean =>
  typeof value === 'bigint' || (Array.isArray(value) && value.some(holdsBigInt));

/** The value of an attribute of floats, which may be written as integers. */
const floatsIn = (value: AttrValue): AttrValue => {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) ? value.map(floatsIn) : value;
};

/**
 * The attributes of a relation in a `where` list: those of an operator with their defaults, as in
 * a call of it. `undefined` if there are none.
 */
export function relationAttrs(
  s: ParserState,
  name: string,
  nameAt: number,
  written: ReadonlyArray<WrittenAttr>,
): Attrs | undefined {
  const op = s.ops.get(name);
  if (op !== undefined && (op.attrs.fields.length > 0 || written.length > 0)) {
    return operatorAttrs(s, op, written, () => spanFrom(s, nameAt));
  }
  return written.length === 0 ? undefined : attrRecord(written);
}

/** A codec's diagnostic, at the only attribute that it can mean, else at the call. */
function located(
  d: Diagnostic,
  written: ReadonlyArray<WrittenAttr>,
  callSpan: () => TextSpan,
): Diagnostic {
  if (d.span !== undefined) return d;
  const meant = written.filter((attr) => d.message.includes(attr.name));
  const only = d.code === 'ATTR_MISSING' || meant.length !== 1 ? undefined : meant[0];
  return { ...d, span: only?.nameSpan ?? callSpan() };
}

/** The value of an attribute. */
export function readAttrValue(s: ParserState, depth: number = MAX_ATTR_DEPTH): AttrValue {
  const kind = peek(s);
  switch (kind) {
    case 'int':
    case 'float':
      return readAttrNumber(s);
    case 'True':
    case 'False':
      s.at++;
      return kind === 'True';
    case 'string':
      return readString(s);
    case '[':
    case '(':
      return readAttrList(s, kind, depth);
    case 'name':
      if (isWord(s, 'None') || isWord(s, 'nullptr')) {
        s.at++;
        return null;
      }
      if (s.isLegacy && (isWord(s, 'true') || isWord(s, 'false'))) {
        return tokenText(s.tokens, s.at++) === 'true';
      }
      if (isWord(s, 'meta')) {
        report(s, wrongMeta('meta', 'an attribute value', spanHere(s)));
        return abandon();
      }
      return unexpected(
        s,
        'an attribute value',
        `write a string: \`"${peekText(s).slice(0, 40)}"\``,
      );
    default:
      return unexpected(s, 'an attribute value');
  }
}

function readAttrList(s: ParserState, opener: '[' | '(', depth: number): AttrValue {
  if (depth === 0) {
    report(s, badAttribute(`lists in attributes nest deeper than ${MAX_ATTR_DEPTH}`, spanHere(s)));
    return abandon();
  }
  s.at++;
  if (opener === '(') {
    const inner = readAttrValue(s, depth - 1);
    expect(s, ')');
    return inner;
  }
  const values: AttrValue[] = [];
  while (peek(s) !== ']') {
    values.push(readAttrValue(s, depth - 1));
    if (!accept(s, ',')) break;
  }
  expect(s, ']');
  return values;
}

/** Integers of up to 64 bits are exact. A suffix says only that a number is a float, a double. */
function readAttrNumber(s: ParserState): number | bigint {
  const text = peekText(s);
  const token = readNumberToken(text);
  const shown = text.slice(0, 40);
  if (token === 'malformed') report(s, malformedNumber(shown, spanHere(s)));
  else if (token === 'out of range') report(s, numberOutOfRange(shown, 'its dtype', spanHere(s)));
  s.at++;
  if (typeof token !== 'object') return 0;
  const { value } = token;
  if (typeof value === 'number') return value;
  const hasRoom = integerFits(value, 'int64') || integerFits(value, 'uint64');
  return hasRoom ? attrInteger(value) : Number(value);
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);

/** The text that a string token means. */
function readString(s: ParserState): string {
  const index = s.at++;
  const inner = tokenText(s.tokens, index).slice(1, -1);
  return inner.replace(/\\(x[0-9A-Fa-f]{2}|[\s\S])/g, (whole, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    const meant = ESCAPES.get(code);
    if (meant !== undefined) return meant;
    report(s, unknownEscape(whole, tokenSpan(s.tokens, index)));
    return whole;
  });
}
