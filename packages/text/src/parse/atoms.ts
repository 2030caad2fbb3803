/** Expressions of one token, and the flat calls of them that most of a program is made of. */
import { call, type Expr, type TypeArg, tupleGetItem, variable } from '@baton/ir';
import { tokenSpan, tokenText } from '../tokens/tokens.ts';
import { isAttrAhead, readAttrs, type WrittenAttr } from './attrs.ts';
import type { OpenLet } from './bindings.ts';
import { makeCall } from './calls.ts';
import {
  readGlobal,
  readGraphVar,
  readLiteral,
  readLocal,
  readMetaConstant,
  readName,
} from './names.ts';
import {
  accept,
  isSyntaxError,
  isWord,
  type ParserState,
  peek,
  peekText,
  sigilName,
  spanFrom,
  unexpected,
} from './state.ts';
import { simpleType } from './types.ts';

/** What the next token alone stands for, if it is one that always stands for an expression. */
export function readToken(s: ParserState): Expr | undefined {
  switch (peek(s)) {
    case 'local':
      return readLocal(s);
    case 'graph':
      return readGraphVar(s);
    case 'global':
      return readGlobal(s);
    case 'int':
    case 'float':
    case 'True':
    case 'False':
      return readLiteral(s);
    default:
      return undefined;
  }
}

/** An atom that nothing is applied to, if the next tokens are one: the common case. */
export function readAtom(s: ParserState): Expr | undefined {
  const next = peek(s, 1);
  if (next === '(' || next === '[' || next === '.') return undefined;
  if (next === '<' && mayStartTypeArgs(s, 2)) return undefined;
  return readToken(s);
}

/** Whether what follows a `<` can be a type argument at all: locals and most literals cannot. */
export function mayStartTypeArgs(s: ParserState, ahead: number): boolean {
  const kind = peek(s, ahead);
  return (
    kind === 'name' ||
    kind === '(' ||
    kind === 'fn' ||
    kind === 'ref' ||
    kind === '_' ||
    kind === '?' ||
    kind === 'int'
  );
}

/** An argument or field that is one token long. */
export function readSingle(s: ParserState): Expr | undefined {
  const next = peek(s, 1);
  return next === ',' || next === ')' ? readAtom(s) : undefined;
}

/**
 * Calls and projections of an atom whose operands are atoms or projections of them, if that is what
 * follows: most of any program, read without a step. Where something else follows, or a
 * mistake, nothing is read, and the full grammar takes over.
 */
export function readFlat(s: ParserState): Expr | undefined {
  // Legacy expressions may end at the end of a line.
  if (s.isLegacy) return undefined;
  const { at, failedAt } = s;
  const errorCount = s.diagnostics.length;
  try {
    const expr = readChain(s);
    if (expr !== undefined && s.diagnostics.length === errorCount) return expr;
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
  }
  s.at = at;
  s.failedAt = failedAt;
  s.diagnostics.length = errorCount;
  return undefined;
}

/** `%1 = op(%0, 2f, key=[3]);` and the like; nothing is read if another binding follows. */
export function readFlatBinding(s: ParserState): boolean {
  if (s.isLegacy || peek(s) !== 'graph' || peek(s, 1) !== '=') return false;
  const nameAt = s.at;
  const name = tokenText(s.tokens, nameAt);
  if (s.graph.has(name)) return false;
  s.at += 2;
  const value = readFlat(s);
  if (value !== undefined && accept(s, ';')) {
    s.graph.set(name, { value, span: tokenSpan(s.tokens, nameAt) });
    return true;
  }
  s.at = nameAt;
  return false;
}

/** `let %x: T = f(%y);` and the like; nothing is read if another binding follows. */
export function readFlatLet(s: ParserState): OpenLet | undefined {
  const { at: first, failedAt } = s;
  if (s.isLegacy || peek(s) !== 'let' || peek(s, 1) !== 'local') return undefined;
  const errorCount = s.diagnostics.length;
  s.at += 2;
  try {
    const isAnnotated = accept(s, ':');
    const annotation = isAnnotated ? simpleType(s) : undefined;
    const isValueNext = isAnnotated === (annotation !== undefined) && accept(s, '=');
    const value = isValueNext ? (readAtom(s) ?? readFlat(s)) : undefined;
    if (value !== undefined && s.diagnostics.length === errorCount && accept(s, ';')) {
      const name = sigilName(s, first + 1);
      const binder = variable(name, annotation, tokenSpan(s.tokens, first + 1));
      s.locals.declare(name, binder);
      return { binder, value, first };
    }
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
  }
  s.at = first;
  s.failedAt = failedAt;
  s.diagnostics.length = errorCount;
  return undefined;
}

/** An atom, and calls and projections of it; `undefined` where more than that follows. */
function readChain(s: ParserState): Expr | undefined {
  const first = s.at;
  let expr = readHead(s);
  while (expr !== undefined) {
    const kind = peek(s);
    if (kind === '.') expr = readProjection(s, expr, first);
    else if (kind === '(') expr = readFlatCall(s, expr, first);
    else if (kind === '[' || (kind === '<' && mayStartTypeArgs(s, 1))) return undefined;
    else return nullaryCall(s, expr, first);
  }
  return undefined;
}

/** A token, the name of an operator or of a constructor, or a constant of the meta table. */
function readHead(s: ParserState): Expr | undefined {
  const token = readToken(s);
  if (token !== undefined || peek(s) !== 'name') return token;
  if (peek(s, 1) === '[') return isWord(s, 'meta') ? readMetaConstant(s) : undefined;
  const name = peekText(s);
  const isKnown = s.ops.get(name) !== undefined || s.constructors.has(name);
  return isKnown && name !== 'Constant' ? readName(s) : undefined;
}

/** A call with operands that are flat; `undefined` if one is not. */
function readFlatCall(s: ParserState, callee: Expr, first: number): Expr | undefined {
  s.at++;
  const args: Expr[] = [];
  let attrs: ReadonlyArray<WrittenAttr> = noneWritten;
  while (peek(s) !== ')') {
    if (isAttrAhead(s)) {
      attrs = readAttrs(s);
      break;
    }
    const arg = readOperand(s);
    if (arg === undefined) return undefined;
    args.push(arg);
    if (!accept(s, ',')) break;
  }
  if (!accept(s, ')')) return undefined;
  return makeCall(s, { callee, args, typeArgs: noTypeArgs, attrs, span: spanFrom(s, first) });
}

const noneWritten: ReadonlyArray<WrittenAttr> = [];
const noTypeArgs: ReadonlyArray<TypeArg> = [];

/** An atom and projections of it, if the argument is no more than that. */
function readOperand(s: ParserState): Expr | undefined {
  const first = s.at;
  let expr = readHead(s);
  while (expr !== undefined && peek(s) === '.') expr = readProjection(s, expr, first);
  const end = peek(s);
  if (expr === undefined || (end !== ',' && end !== ')')) return undefined;
  return nullaryCall(s, expr, first);
}

/** `.index` after an expression that starts at token `first`. */
export function readProjection(s: ParserState, expr: Expr, first: number): Expr {
  s.at++;
  const text = peekText(s);
  if (peek(s) !== 'int' || !/^\d{1,9}$/.test(text)) return unexpected(s, 'the index of a field');
  s.at++;
  return tupleGetItem(expr, Number(text), spanFrom(s, first));
}

/** A constructor without inputs is a call of it, with or without `()`. */
export function nullaryCall(s: ParserState, expr: Expr, first: number): Expr {
  if (expr._tag !== 'Constructor' || expr.inputs.length > 0) return expr;
  return call(expr, [], { span: spanFrom(s, first) });
}
