/** Calls, infix operators and other expressions that the text only spells in another way. */
import type { TextSpan } from '@baton/base';
import { isLeft } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  call,
  constant,
  type Expr,
  type Type,
  type TypeArg,
  tuple,
} from '@baton/ir';
import { checkedSize, type DType, dtypeInfo, isDType, isFloat, splat } from '@baton/tensor';
import {
  attributesWithoutKey,
  badDimension,
  castWithoutDType,
  constantDType,
  emptyTensorLiteral,
  malformedNumber,
  numberOutOfRange,
} from '../diagnostics.ts';
import { integerFits, readNumberToken } from '../tokens/number.ts';
import { type TokenKind, tokenSpan } from '../tokens/tokens.ts';
import { ATTRS_TYPE_KEY, attrRecord, operatorAttrs, type WrittenAttr } from './attrs.ts';
import { readDType, readShape } from './dims.ts';
import { impliedOp, isPlaceholder, meaningOf, placeholder } from './names.ts';
import {
  expect,
  isWord,
  type ParserState,
  peek,
  peekText,
  report,
  spanFrom,
  spanHere,
  unexpected,
} from './state.ts';

/** An infix operator: what it calls, and how tightly it binds. All of them are left-associative. */
export interface Infix {
  readonly op: string;
  readonly precedence: number;
}

const INFIX: { readonly [K in TokenKind]?: Infix } = {
  '*': { op: 'multiply', precedence: 12 },
  '/': { op: 'divide', precedence: 12 },
  '+': { op: 'add', precedence: 10 },
  '-': { op: 'subtract', precedence: 10 },
  '<': { op: 'less', precedence: 8 },
  '<=': { op: 'less_equal', precedence: 8 },
  '>': { op: 'greater', precedence: 8 },
  '>=': { op: 'greater_equal', precedence: 8 },
  '==': { op: 'equal', precedence: 7 },
  '!=': { op: 'not_equal', precedence: 7 },
  '&&': { op: 'logical_and', precedence: 5 },
  '||': { op: 'logical_or', precedence: 4 },
};

/** The infix operator that a token is. */
export const infixOf = (kind: TokenKind): Infix | undefined => INFIX[kind];

/** A call as it was written. */
export interface WrittenCall {
  readonly callee: Expr;
  readonly args: ReadonlyArray<Expr>;
  readonly typeArgs: ReadonlyArray<TypeArg>;
  readonly attrs: ReadonlyArray<WrittenAttr>;
  readonly span: TextSpan;
}

/** The node of a call; an operator's attributes are completed and checked. */
export function makeCall(s: ParserState, written: WrittenCall): Expr {
  const { callee, args, typeArgs, attrs, span } = written;
  const op = callee._tag === 'Op' ? s.ops.get(callee.name) : undefined;
  if (op !== undefined) {
    const complete = operatorAttrs(s, op, attrs, () => span);
    return call(callee, args, { attrs: complete, typeArgs, span });
  }
  if (attrs.length === 0 || isPlaceholder(callee)) return call(callee, args, { typeArgs, span });
  const key = attrs.find((attr) => attr.name === ATTRS_TYPE_KEY);
  if (key === undefined || typeof key.value !== 'string') {
    report(s, attributesWithoutKey(attrs[0]?.nameSpan ?? span));
    return call(callee, args, { typeArgs, span });
  }
  const rest = attrRecord(attrs.filter((attr) => attr !== key));
  return call(callee, args, { attrs: rest, attrsTypeKey: key.value, typeArgs, span });
}

/** `left o right`. */
export function makeInfix(
  s: ParserState,
  infix: Infix,
  signAt: number,
  left: Expr,
  right: Expr,
  span: TextSpan,
): Expr {
  return impliedCall(s, infix.op, signAt, [left, right], {}, span);
}

/** `[e1, .., en]`: a stack along a new first axis. */
export function makeTensorLiteral(
  s: ParserState,
  first: number,
  elements: ReadonlyArray<Expr>,
): Expr {
  const span = spanFrom(s, first);
  if (elements.length === 0) {
    report(s, emptyTensorLiteral(span));
    return placeholder();
  }
  return impliedCall(s, 'stack', first, [tuple(elements, span)], { axis: 0 }, span);
}

/** Whether `Cast(` or `Reverse(` follows, and nothing of that name is declared. */
export function isLegacyForm(s: ParserState): boolean {
  if (!s.isLegacy || !(isWord(s, 'Cast') || isWord(s, 'Reverse'))) return false;
  return meaningOf(s, peekText(s)) === undefined;
}

/** `Cast(e, T)`: a cast to the dtype of `T`. */
export function makeCast(
  s: ParserState,
  first: number,
  operand: Expr,
  type: Type,
  typeSpan: TextSpan,
): Expr {
  const dtype = type._tag === 'TensorType' ? type.dtype : undefined;
  if (typeof dtype === 'string') {
    return impliedCall(s, 'cast', first, [operand], { dtype }, spanFrom(s, first));
  }
  report(s, castWithoutDType(typeSpan));
  return placeholder();
}

/** A call of an operator that the text does not name. */
export function impliedCall(
  s: ParserState,
  name: string,
  at: number,
  args: ReadonlyArray<Expr>,
  attrs: Attrs,
  span: TextSpan,
): Expr {
  const callee = impliedOp(s, name, at);
  const op = s.ops.get(name);
  if (callee === undefined || op === undefined) return placeholder();
  const nameSpan = tokenSpan(s.tokens, at);
  const written = Object.entries(attrs).map(
    ([key, value]: [string, AttrValue]): WrittenAttr => ({ name: key, value, nameSpan }),
  );
  return call(callee, args, { attrs: operatorAttrs(s, op, written, () => span), span });
}

/** `Constant(value, (shape), dtype)`: one value, stored once however large the shape. */
export function readFilledConstant(s: ParserState): Expr {
  const first = s.at++;
  expect(s, '(');
  const valueAt = s.at;
  const value = readFillValue(s);
  expect(s, ',');
  // Legacy texts have the dtype before the shape as well.
  const isDTypeFirst = s.isLegacy && peek(s) === 'name';
  let dtype = isDTypeFirst ? readConstantDType(s) : undefined;
  if (isDTypeFirst) expect(s, ',');
  const shapeAt = s.at;
  const shape = readShape(s);
  const shapeSpan = spanFrom(s, shapeAt);
  if (dtype === undefined) {
    expect(s, ',');
    dtype = readConstantDType(s);
  }
  expect(s, ')');
  const span = spanFrom(s, first);
  if (!Array.isArray(shape) || !shape.every((dim) => typeof dim === 'number')) {
    report(s, badDimension('the shape of a constant is a list of sizes', shapeSpan));
    return placeholder();
  }
  const size = checkedSize(shape);
  if (isLeft(size)) {
    report(s, { ...size.left[0], span: shapeSpan });
    return placeholder();
  }
  if (value === undefined) return placeholder();
  if (!canHold(dtype, value)) {
    report(s, numberOutOfRange(String(value), dtype, tokenSpan(s.tokens, valueAt)));
    return placeholder();
  }
  return constant(splat(shape, dtype, value), span);
}

function readConstantDType(s: ParserState): DType {
  const dtypeAt = s.at;
  const dtype = readDType(s);
  if (typeof dtype === 'string' && isDType(dtype)) return dtype;
  report(s, constantDType(spanFrom(s, dtypeAt)));
  return 'float32';
}

/** The value to fill with; `undefined` if it is malformed, which is reported. */
function readFillValue(s: ParserState): number | bigint | boolean | undefined {
  const kind = peek(s);
  if (kind === 'True' || kind === 'False') {
    s.at++;
    return kind === 'True';
  }
  if (kind !== 'int' && kind !== 'float') return unexpected(s, 'a number, `True` or `False`');
  const text = peekText(s);
  const token = readNumberToken(text);
  const shown = text.slice(0, 40);
  if (token === 'malformed') report(s, malformedNumber(shown, spanHere(s)));
  else if (token === 'out of range') report(s, numberOutOfRange(shown, 'its dtype', spanHere(s)));
  s.at++;
  return typeof token === 'object' ? token.value : undefined;
}

/** Whether a dtype can hold the value: integers exactly, floats with rounding. */
function canHold(dtype: DType, value: number | bigint | boolean): boolean {
  if (typeof value === 'boolean') return dtype === 'bool';
  if (dtype === 'bool') return false;
  if (!isFloat(dtype)) return Number.isInteger(Number(value)) && integerFits(value, dtype);
  const magnitude = Math.abs(Number(value));
  return !Number.isFinite(magnitude) || magnitude <= Number(dtypeInfo(dtype).max);
}

/** Attributes from a record of the meta table, as if they had been written at `nameSpan`. */
export const recordAttrs = (attrs: Attrs, nameSpan: TextSpan): ReadonlyArray<WrittenAttr> =>
  Object.entries(attrs).map(([name, value]) => ({ name, value, nameSpan }));
