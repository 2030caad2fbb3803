/** Expressions of one token, and flat calls of them: most of any program. */
import { call, type Expr, type TypeArg, tupleGetItem, variable } from '@baton/ir';
import { isAttrAhead, readAttrs, type WrittenAttr } from './attrs.ts';
import { makeCall } from './calls.ts';
import {
  readGlobal,
  readGraphVar,
  readLiteral,
  readLocal,
  readMetaConstant,
  readName,
} from './names.ts';
import { attempt, type OpenLet, type Parser } from './parser.ts';
import { simpleType } from './types.ts';

/** The expression of the next token, if it is always a complete one. */
export function readToken(s: Parser): Expr | undefined {
  switch (s.peek()) {
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

/** The next atom if nothing is applied to it: the common case. */
export function readAtom(s: Parser): Expr | undefined {
  const next = s.peek(1);
  if (next === '(' || next === '[' || next === '.') return undefined;
  if (next === '<' && mayStartTypeArgs(s, 2)) return undefined;
  return readToken(s);
}

/** Whether a type argument can follow a `<`: locals and most literals cannot be one. */
export function mayStartTypeArgs(s: Parser, ahead: number): boolean {
  const kind = s.peek(ahead);
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
export function readSingle(s: Parser): Expr | undefined {
  const next = s.peek(1);
  return next === ',' || next === ')' ? readAtom(s) : undefined;
}

/**
 * Calls and projections of an atom whose operands are atoms or projections of them: most of any
 * program, read without a step. If something else or a mistake follows, nothing is read, and the
 * full grammar takes over.
 */
export function readFlat(s: Parser): Expr | undefined {
  if (!s.dialect.readsFlat) return undefined;
  const start = s.now();
  const expr = attempt(() => readChain(s));
  if (expr !== undefined && !s.hasErrorsSince(start)) return expr;
  s.backTo(start);
  return undefined;
}

/** Reads `%1 = op(%0, 2f, key=[3]);` and similar bindings; reads nothing if another one follows. */
export function readFlatBinding(s: Parser): boolean {
  if (s.peek() !== 'graph' || s.peek(1) !== '=') return false;
  const nameAt = s.at;
  const name = s.textAt(nameAt);
  if (s.graph.has(name)) return false;
  s.at += 2;
  const value = readFlat(s);
  if (value !== undefined && s.accept(';')) {
    s.bindGraph(name, { value, span: s.spanAt(nameAt) });
    return true;
  }
  s.at = nameAt;
  return false;
}

/** Reads `let %x: T = f(%y);` and similar bindings; reads nothing if another one follows. */
export function readFlatLet(s: Parser, lets: OpenLet[]): boolean {
  if (s.peek() !== 'let' || s.peek(1) !== 'local') return false;
  const start = s.now();
  const found = attempt(() => readShortLet(s));
  if (found !== undefined && !s.hasErrorsSince(start) && s.accept(';')) {
    s.locals.declare(found.binder.nameHint, found.binder);
    lets.push(found);
    return true;
  }
  s.backTo(start);
  return false;
}

/** A let without its `;`, if it is short. */
function readShortLet(s: Parser): OpenLet | undefined {
  const first = s.at;
  s.at += 2;
  const isAnnotated = s.accept(':');
  const annotation = isAnnotated ? simpleType(s) : undefined;
  if (isAnnotated !== (annotation !== undefined) || !s.accept('=')) return undefined;
  const value = readAtom(s) ?? readFlat(s);
  if (value === undefined) return undefined;
  const binder = variable(s.sigilName(first + 1), annotation, s.spanAt(first + 1));
  return { binder, value, first };
}

/** An atom, and calls and projections of it; `undefined` if more follows. */
function readChain(s: Parser): Expr | undefined {
  const first = s.at;
  let expr = readHead(s);
  while (expr !== undefined) {
    const kind = s.peek();
    if (kind === '.') expr = readProjection(s, expr, first);
    else if (kind === '(') expr = readFlatCall(s, expr, first);
    else if (kind === '[' || (kind === '<' && mayStartTypeArgs(s, 1))) return undefined;
    else return nullaryCall(s, expr, first);
  }
  return undefined;
}

/** A token, the name of an operator or of a constructor, or a constant of the meta table. */
function readHead(s: Parser): Expr | undefined {
  const token = readToken(s);
  if (token !== undefined || s.peek() !== 'name') return token;
  if (s.peek(1) === '[') return s.isWord('meta') ? readMetaConstant(s) : undefined;
  const name = s.peekText();
  const isKnown = s.ops.get(name) !== undefined || s.constructors.has(name);
  return isKnown && name !== 'Constant' ? readName(s) : undefined;
}

/** A call with flat operands; `undefined` if one is not flat. */
function readFlatCall(s: Parser, callee: Expr, first: number): Expr | undefined {
  s.at++;
  const args: Expr[] = [];
  let attrs: ReadonlyArray<WrittenAttr> = noneWritten;
  while (s.peek() !== ')') {
    if (isAttrAhead(s)) {
      attrs = readAttrs(s);
      break;
    }
    const arg = readOperand(s);
    if (arg === undefined) return undefined;
    args.push(arg);
    if (!s.accept(',')) break;
  }
  if (!s.accept(')')) return undefined;
  return makeCall(s, { callee, args, typeArgs: noTypeArgs, attrs, span: s.spanFrom(first) });
}

const noneWritten: ReadonlyArray<WrittenAttr> = [];
const noTypeArgs: ReadonlyArray<TypeArg> = [];

/** An atom and projections of it, if that is the entire argument. */
function readOperand(s: Parser): Expr | undefined {
  const first = s.at;
  let expr = readHead(s);
  while (expr !== undefined && s.peek() === '.') expr = readProjection(s, expr, first);
  const end = s.peek();
  if (expr === undefined || (end !== ',' && end !== ')')) return undefined;
  return nullaryCall(s, expr, first);
}

/** `.index` after an expression that starts at token `first`. */
export function readProjection(s: Parser, expr: Expr, first: number): Expr {
  s.at++;
  const text = s.peekText();
  if (s.peek() !== 'int' || !/^\d{1,9}$/.test(text)) return s.unexpected('the index of a field');
  s.at++;
  return tupleGetItem(expr, Number(text), s.spanFrom(first));
}

/** A constructor without inputs is a call of it, with or without `()`. */
export function nullaryCall(s: Parser, expr: Expr, first: number): Expr {
  if (expr._tag !== 'Constructor' || expr.inputs.length > 0) return expr;
  return call(expr, [], { span: s.spanFrom(first) });
}
