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
import { integerFits, type NumberToken, readNumberToken } from '../tokens/number.ts';
import { isHoleAhead } from './names.ts';
import type { Parser } from './parser.ts';

export interface WrittenAttr {
  readonly name: string;
  readonly value: AttrValue;
  readonly nameSpan: TextSpan;
}

/** Whether `name =` follows. Keywords are names here, since attributes may have any name. */
export const isAttrAhead = (s: Parser): boolean =>
  s.dialect.attrNames.has(s.peek()) && s.peek(1) === '=';

/** `a=1, b=[2]`, up to the closing bracket, which stays. */
export function readAttrs(s: Parser): ReadonlyArray<WrittenAttr> {
  const written: WrittenAttr[] = [];
  const seen = new Set<string>();
  while (isAttrAhead(s)) {
    const name = s.peekText();
    const nameSpan = s.spanHere();
    s.at += 2;
    const value = readAttrValue(s);
    if (seen.has(name)) s.report(repeatedAttribute(name, nameSpan));
    else written.push({ name, value, nameSpan });
    seen.add(name);
    if (!s.accept(',')) break;
  }
  return written;
}

/** Attributes as a record, in the order in which they were written. */
export const attrRecord = (written: ReadonlyArray<WrittenAttr>): Attrs =>
  written.length === 0 ? noAttrs : Object.fromEntries(written.map((a) => [a.name, a.value]));

/** The complete attributes of an operator's call; mistakes are placed at their attribute. */
export function operatorAttrs(
  s: Parser,
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
    for (const d of decoded.left) s.report(located(d, kept, callSpan));
    return noAttrs;
  }
  if (own.length === 0) s.defaultAttrs.set(op.name, decoded.right);
  return decoded.right;
}

/** The attribute that names the record type of a call whose callee does not. */
export const ATTRS_TYPE_KEY = 'attrs_type_key';

/** The attributes without TVM's additions: the name of their type, and operands as `None`. */
function withoutTvmAttrs(
  s: Parser,
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

/** The operator's own attributes, as it declares them; others are reported. */
function knownAttrs(
  s: Parser,
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
    const hint = names.length === 0 ? 'it has none' : s.suggestion(attr.name, () => names);
    s.report(unknownAttribute(`\`${op.name}\``, attr.name, attr.nameSpan, hint));
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

/** The attributes of a relation in a `where` list, with defaults; `undefined` if there are none. */
export function relationAttrs(
  s: Parser,
  name: string,
  nameAt: number,
  written: ReadonlyArray<WrittenAttr>,
): Attrs | undefined {
  const op = s.ops.get(name);
  if (op !== undefined && (op.attrs.fields.length > 0 || written.length > 0)) {
    return operatorAttrs(s, op, written, () => s.spanFrom(nameAt));
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

export function readAttrValue(s: Parser, depth: number = MAX_ATTR_DEPTH): AttrValue {
  const kind = s.peek();
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
    case 'local':
      if (!isHoleAhead(s)) return s.unexpected('an attribute value');
      return s.textAt(s.at++);
    case '[':
    case '(':
      return readAttrList(s, kind, depth);
    case 'name': {
      const word = s.peekText();
      const value = s.dialect.attrWords.get(word);
      if (value !== undefined) {
        s.at++;
        return value;
      }
      if (word === 'meta') {
        s.report(wrongMeta('meta', 'an attribute value', s.spanHere()));
        return s.abandon();
      }
      return s.unexpected('an attribute value', `write a string: \`"${word.slice(0, 40)}"\``);
    }
    default:
      return s.unexpected('an attribute value');
  }
}

function readAttrList(s: Parser, opener: '[' | '(', depth: number): AttrValue {
  if (depth === 0) {
    s.report(badAttribute(`lists in attributes nest deeper than ${MAX_ATTR_DEPTH}`, s.spanHere()));
    return s.abandon();
  }
  s.at++;
  if (opener === '(') {
    const inner = readAttrValue(s, depth - 1);
    s.expect(')');
    return inner;
  }
  const values: AttrValue[] = [];
  while (s.peek() !== ']') {
    values.push(readAttrValue(s, depth - 1));
    if (!s.accept(',')) break;
  }
  s.expect(']');
  return values;
}

/** The number of the next token; `undefined` if it is malformed, which is reported. */
export function readNumber(s: Parser): NumberToken | undefined {
  const text = s.peekText();
  const token = readNumberToken(text);
  const shown = text.slice(0, 40);
  if (token === 'malformed') s.report(malformedNumber(shown, s.spanHere()));
  else if (token === 'out of range') s.report(numberOutOfRange(shown, 'its dtype', s.spanHere()));
  s.at++;
  return typeof token === 'object' ? token : undefined;
}

/** Integers of up to 64 bits are exact. A suffix only marks a float, which is a double. */
function readAttrNumber(s: Parser): number | bigint {
  const { value = 0 } = readNumber(s) ?? {};
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

function readString(s: Parser): string {
  const index = s.at++;
  const inner = s.textAt(index).slice(1, -1);
  return inner.replace(/\\(x[0-9A-Fa-f]{2}|[\s\S])/g, (whole, code: string) => {
    if (code.length === 3) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    const meant = ESCAPES.get(code);
    if (meant !== undefined) return meant;
    s.report(unknownEscape(whole, s.spanAt(index)));
    return whole;
  });
}
