/** Calls, infix operators and other expressions that are alternative spellings of calls. */
import type { TextSpan } from '@baton/base';
import { isLeft } from '@baton/base';
import { type Attrs, call, constant, type Expr, type Shape, type TypeArg, tuple } from '@baton/ir';
import { checkedSize, type DType, dtypeInfo, isDType, isFloat, splat } from '@baton/tensor';
import {
  attributesWithoutKey,
  badDimension,
  constantDType,
  emptyTensorLiteral,
  numberOutOfRange,
} from '../diagnostics.ts';
import { integerFits } from '../tokens/number.ts';
import type { TokenKind } from '../tokens/tokens.ts';
import {
  ATTRS_TYPE_KEY,
  attrRecord,
  operatorAttrs,
  readNumber,
  type WrittenAttr,
} from './attrs.ts';
import { readDType, readShape } from './dims.ts';
import { impliedOp, isPlaceholder, placeholder } from './names.ts';
import type { Parser } from './parser.ts';

/** An infix operator: its callee and its precedence. All of them are left-associative. */
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

export const INFIX_SIGNS: ReadonlyArray<string> = Object.keys(INFIX);

export const infixOf = (kind: TokenKind): Infix | undefined => INFIX[kind];

export interface WrittenCall {
  readonly callee: Expr;
  readonly args: ReadonlyArray<Expr>;
  readonly typeArgs: ReadonlyArray<TypeArg>;
  readonly attrs: ReadonlyArray<WrittenAttr>;
  readonly span: TextSpan;
}

/** The node of a call; an operator's attributes are completed and checked. */
export function makeCall(s: Parser, written: WrittenCall): Expr {
  const made = callOf(s, written);
  const { callee } = written;
  if (callee._tag === 'Op' || callee._tag === 'GlobalVar') s.notes?.calls.set(callee, made);
  return made;
}

function callOf(s: Parser, written: WrittenCall): Expr {
  const { callee, args, typeArgs, attrs, span } = written;
  if (s.dialect.isOpen && !isPlaceholder(callee)) {
    return call(callee, args, { attrs: attrRecord(attrs), typeArgs, span });
  }
  const op = callee._tag === 'Op' ? s.ops.get(callee.name) : undefined;
  if (op !== undefined) {
    const complete = operatorAttrs(s, op, attrs, () => span);
    return call(callee, args, { attrs: complete, typeArgs, span });
  }
  if (attrs.length === 0 || isPlaceholder(callee)) return call(callee, args, { typeArgs, span });
  const key = attrs.find((attr) => attr.name === ATTRS_TYPE_KEY);
  if (key === undefined || typeof key.value !== 'string') {
    s.report(attributesWithoutKey(attrs[0]?.nameSpan ?? span));
    return call(callee, args, { typeArgs, span });
  }
  const rest = attrRecord(attrs.filter((attr) => attr !== key));
  return call(callee, args, { attrs: rest, attrsTypeKey: key.value, typeArgs, span });
}

/** `[e1, .., en]`: a stack along a new first axis. */
export function makeTensorLiteral(s: Parser, first: number, elements: ReadonlyArray<Expr>): Expr {
  const span = s.spanFrom(first);
  if (elements.length === 0) {
    s.report(emptyTensorLiteral(span));
    return placeholder();
  }
  return impliedCall(s, 'stack', first, [tuple(elements, span)], { axis: 0 }, span);
}

export function impliedCall(
  s: Parser,
  name: string,
  at: number,
  args: ReadonlyArray<Expr>,
  attrs: Attrs,
  span: TextSpan,
): Expr {
  const callee = impliedOp(s, name, at);
  if (callee === undefined) return placeholder();
  return makeCall(s, { callee, args, typeArgs: [], attrs: recordAttrs(attrs, s.spanAt(at)), span });
}

/** The shape and dtype of a filled constant. */
export interface FilledParts {
  readonly shape: Shape;
  readonly shapeSpan: TextSpan;
  readonly dtype: DType;
}

/** `Constant(value, (shape), dtype)`: one value, stored once for any shape. */
export function readFilledConstant(
  s: Parser,
  readParts: (s: Parser) => FilledParts = readShapeAndDType,
): Expr {
  const first = s.at++;
  s.expect('(');
  const valueAt = s.at;
  const value = readFillValue(s);
  s.expect(',');
  const { shape, shapeSpan, dtype } = readParts(s);
  s.expect(')');
  if (!Array.isArray(shape) || !shape.every((dim) => typeof dim === 'number')) {
    s.report(badDimension('the shape of a constant is a list of sizes', shapeSpan));
    return placeholder();
  }
  const size = checkedSize(shape);
  if (isLeft(size)) {
    s.report({ ...size.left[0], span: shapeSpan });
    return placeholder();
  }
  if (value === undefined) return placeholder();
  if (!canHold(dtype, value)) {
    s.report(numberOutOfRange(String(value), dtype, s.spanAt(valueAt)));
    return placeholder();
  }
  return constant(splat(shape, dtype, value), s.spanFrom(first));
}

function readShapeAndDType(s: Parser): FilledParts {
  const shape = readConstantShape(s);
  s.expect(',');
  return { ...shape, dtype: readConstantDType(s) };
}

export function readConstantShape(s: Parser): Omit<FilledParts, 'dtype'> {
  const shapeAt = s.at;
  const shape = readShape(s);
  return { shape, shapeSpan: s.spanFrom(shapeAt) };
}

export function readConstantDType(s: Parser): DType {
  const dtypeAt = s.at;
  const dtype = readDType(s);
  if (typeof dtype === 'string' && isDType(dtype)) return dtype;
  s.report(constantDType(s.spanFrom(dtypeAt)));
  return 'float32';
}

/** The fill value; `undefined` if it is malformed, which is reported. */
function readFillValue(s: Parser): number | bigint | boolean | undefined {
  const kind = s.peek();
  if (kind === 'True' || kind === 'False') {
    s.at++;
    return kind === 'True';
  }
  if (kind !== 'int' && kind !== 'float') return s.unexpected('a number, `True` or `False`');
  return readNumber(s)?.value;
}

/** Whether the value is in the range of a dtype: integers exactly, floats with rounding. */
function canHold(dtype: DType, value: number | bigint | boolean): boolean {
  if (typeof value === 'boolean') return dtype === 'bool';
  if (dtype === 'bool') return false;
  if (!isFloat(dtype)) return Number.isInteger(Number(value)) && integerFits(value, dtype);
  const magnitude = Math.abs(Number(value));
  return !Number.isFinite(magnitude) || magnitude <= Number(dtypeInfo(dtype).max);
}

/** Attributes from a record of the meta table, as if written at `nameSpan`. */
export const recordAttrs = (attrs: Attrs, nameSpan: TextSpan): ReadonlyArray<WrittenAttr> =>
  Object.entries(attrs).map(([name, value]) => ({ name, value, nameSpan }));
