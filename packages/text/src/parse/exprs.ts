/**
 * Expressions in text: [language §3](https://batonjs.github.io/baton/spec/language#3). Every
 * function that may call itself is a `Steps`, so that depth costs memory and not stack; atoms are
 * read without one.
 */
import { run, type Steps } from '@baton/base';
import {
  type Expr,
  ifElse,
  letIn,
  refCreate,
  refRead,
  refWrite,
  type Type,
  type TypeArg,
  tuple,
  variable,
} from '@baton/ir';
import {
  duplicateGraph,
  freeVarInDefinition,
  graphNameOfLocal,
  missingResult,
} from '../diagnostics.ts';
import {
  mayStartTypeArgs,
  nullaryCall,
  readAtom,
  readFlat,
  readFlatBinding,
  readFlatLet,
  readProjection,
  readSingle,
  readToken,
} from './atoms.ts';
import { isAttrAhead, readAttrs, type WrittenAttr } from './attrs.ts';
import { endBinding, endsSequence, graphKey, isBindingAhead, recoverBinding } from './bindings.ts';
import {
  type Infix,
  impliedCall,
  infixOf,
  makeCall,
  makeTensorLiteral,
  readFilledConstant,
  recordAttrs,
} from './calls.ts';
import { readFunction } from './functions.ts';
import { readMatch } from './matches.ts';
import { placeholder, readMetaAttrs, readMetaConstant, readName } from './names.ts';
import {
  attempt,
  isSyntaxError,
  type MatchReaders,
  type OpenLet,
  type Parser,
  readList,
} from './parser.ts';
import { type Closer, isFunctionLiteralAhead, skipToNextBinding } from './recover.ts';
import { readType, readTypeArgs } from './types.ts';

/** `{ e }`: a new scope. */
export function* readBlock(s: Parser): Steps<Expr> {
  s.expect('{');
  const body = yield* run(readSequence(s, '}'));
  const kind = s.peek();
  // Editors want the program before the place at which it breaks off.
  if (s.notes !== undefined && (kind === 'eof' || kind === 'def')) attempt(() => s.expect('}'));
  else s.expect('}');
  return body;
}

/** Bindings and a result, up to `closer` or a comma; the names are forgotten at the end. */
export function* readSequence(s: Parser, closer: Closer): Steps<Expr> {
  const mark = s.locals.mark();
  const { lineEnds } = s;
  const start = s.at;
  const lets: OpenLet[] = [];
  let result: Expr | undefined;
  while (result === undefined) {
    if (s.isFull()) s.abandon();
    const first = s.at;
    if (s.dialect.readsFlat && (readFlatBinding(s) || readFlatLet(s, lets))) continue;
    try {
      result = yield* run(s.dialect.readStatement(s, lets, first > start));
    } catch (thrown) {
      if (!isSyntaxError(thrown)) throw thrown;
      recoverBinding(s, first);
      if (!skipToNextBinding(s, closer, first)) result = placeholder();
    }
  }
  s.locals.restore(mark);
  s.lineEnds = lineEnds;
  let body = result;
  for (let i = lets.length - 1; i >= 0; i--) {
    const { binder, value, first } = lets[i] as OpenLet;
    body = letIn(binder, value, body, s.spanFrom(first));
  }
  return body;
}

/** A binding, which returns `undefined`, or the result of the sequence. */
export function* readStatement(
  s: Parser,
  lets: OpenLet[],
  hasBindings: boolean,
): Steps<Expr | undefined> {
  if (isBindingAhead(s)) {
    yield* run(readBinding(s, lets));
    return undefined;
  }
  expectResult(s, hasBindings);
  const first = s.at;
  const value = yield* run(readOperators(s));
  if (!s.accept(';')) return value;
  // The value of `e;` is dropped.
  lets.push({ binder: variable('', undefined, s.spanAt(s.at - 1)), value, first });
  return undefined;
}

/** Reports that the result of a sequence is missing. */
export function expectResult(s: Parser, hasBindings: boolean): void {
  if (!endsSequence(s)) return;
  if (!hasBindings) s.unexpected('an expression');
  if (s.failedAt === s.at) s.abandon();
  s.report(missingResult(s.describe(), s.spanHere()));
  s.failedAt = s.at;
  s.abandon();
}

/** A binding; returns its value, or its variable. */
export const readBinding = (s: Parser, lets: OpenLet[]): Steps<Expr> => {
  if (s.peek() === 'let') return readLet(s, lets);
  return s.peek() === 'free_var' ? readFreeVar(s) : readGraphBinding(s);
};

function* readLet(s: Parser, lets: OpenLet[]): Steps<Expr> {
  const first = s.at++;
  const nameAt = expectBinder(s);
  const name = s.sigilName(nameAt);
  const annotation = s.accept(':') ? yield* run(readAnnotation(s)) : undefined;
  const binder = variable(name, annotation, s.spanAt(nameAt));
  s.expect('=');
  const isRecursive = isFunctionLiteralAhead(s);
  if (isRecursive) s.locals.declare(name, binder);
  const value = yield* run(readOperators(s));
  if (!isRecursive) s.locals.declare(name, binder);
  endBinding(s);
  lets.push({ binder, value, first });
  return binder;
}

function* readFreeVar(s: Parser): Steps<Expr> {
  const first = s.at++;
  const nameAt = expectBinder(s);
  // Free variables become parameters, so they may declare dimensions as parameters do.
  const outer = s.openSignature;
  s.openSignature = [];
  const annotation = s.accept(':') ? yield* run(readAnnotation(s)) : undefined;
  s.openSignature = outer;
  const name = s.sigilName(nameAt);
  const declared = variable(name, annotation, s.spanAt(nameAt));
  s.locals.declare(name, declared);
  if (s.inDefinition) s.report(freeVarInDefinition(s.spanFrom(first)));
  endBinding(s);
  return declared;
}

/** Steps over the name of a binding. */
const expectBinder = (s: Parser): number =>
  s.expectName(s.dialect.localNames, 'local', 'a local variable');

/** The type of a binder; constraints may follow a function type. */
export function* readAnnotation(s: Parser): Steps<Type> {
  return yield* run(readType(s, true));
}

function* readGraphBinding(s: Parser): Steps<Expr> {
  const nameAt = s.at;
  const name = graphKey(s.textAt(nameAt));
  s.at += 2;
  const value = yield* run(readOperators(s));
  const span = s.spanAt(nameAt);
  const earlier = s.graph.get(name);
  if (s.locals.get(name.slice(1)) !== undefined) s.report(graphNameOfLocal(name, span));
  else if (earlier !== undefined) s.report(duplicateGraph(name, span, earlier.span));
  else s.bindGraph(name, { value, span });
  endBinding(s);
  return value;
}

interface PendingInfix {
  readonly infix: Infix;
  readonly signAt: number;
}

/** Operands joined by infix operators. **Source** Dijkstra's shunting yard, 1961. */
export function* readOperators(s: Parser): Steps<Expr> {
  const firsts = [s.at];
  const leftmost = readAtom(s) ?? readFlat(s) ?? (yield* run(readPostfix(s)));
  if (infixOf(s.peek()) === undefined) return leftmost;
  const operands = [leftmost];
  const pending: PendingInfix[] = [];
  const reduce = (): void => {
    const top = pending.pop();
    const right = operands.pop();
    const left = operands.pop();
    firsts.pop();
    if (top === undefined || left === undefined || right === undefined) return;
    const span = s.spanFrom(firsts[firsts.length - 1] as number);
    operands.push(impliedCall(s, top.infix.op, top.signAt, [left, right], {}, span));
  };
  for (;;) {
    const infix = infixOf(s.peek());
    while (
      pending.length > 0 &&
      (infix === undefined || (pending.at(-1)?.infix.precedence ?? 0) >= infix.precedence)
    ) {
      reduce();
    }
    if (infix === undefined) return operands[0] as Expr;
    pending.push({ infix, signAt: s.at++ });
    firsts.push(s.at);
    operands.push(readAtom(s) ?? readFlat(s) ?? (yield* run(readPostfix(s))));
  }
}

/** A primary expression and the calls and projections after it. */
function* readPostfix(s: Parser): Steps<Expr> {
  const first = s.at;
  let expr = yield* run(readPrimary(s));
  for (;;) {
    const kind = s.peek();
    if (s.lineEnds && (kind === '(' || kind === '[') && s.startsLine()) {
      return nullaryCall(s, expr, first);
    }
    if (kind === '.') {
      expr = readProjection(s, expr, first);
    } else if (kind === '(') {
      expr = yield* run(readCall(s, first, expr, []));
    } else if (kind === '[') {
      s.at++;
      const typeArgs = yield* run(readTypeArgs(s, ']'));
      if (s.peek() !== '(') return s.unexpected('`(` after type arguments');
      expr = yield* run(readCall(s, first, expr, typeArgs));
    } else {
      const typeArgs = kind === '<' ? yield* run(tryTypeArgs(s)) : undefined;
      if (typeArgs === undefined) return nullaryCall(s, expr, first);
      expr = yield* run(readCall(s, first, expr, typeArgs));
    }
  }
}

/** `<T1, .., Tn>` before `(`. Otherwise the `<` is a comparison and nothing is read. */
function* tryTypeArgs(s: Parser): Steps<ReadonlyArray<TypeArg> | undefined> {
  if (!mayStartTypeArgs(s, 1) || s.comparisons.has(s.at)) return undefined;
  const start = s.now();
  const openCount = s.openAngles.length;
  s.at++;
  try {
    const args = yield* run(readTypeArgs(s, '>'));
    const isComparison = s.hasErrorsSince(start) && s.dialect.isNoType(s, start[0]);
    if (s.peek() === '(' && !isComparison) return args;
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
  }
  // Lists still open here would not close if they were read from their own start.
  for (const open of s.openAngles.splice(openCount)) s.comparisons.add(open);
  s.backTo(start);
  return undefined;
}

function* readCall(
  s: Parser,
  first: number,
  callee: Expr,
  typeArgs: ReadonlyArray<TypeArg>,
): Steps<Expr> {
  s.expect('(');
  const args: Expr[] = [];
  let attrs: ReadonlyArray<WrittenAttr> = [];
  while (s.peek() !== ')') {
    if (isAttrAhead(s)) {
      attrs = readAttrs(s);
      break;
    }
    if (isMetaAttrsAhead(s)) {
      const span = s.spanHere();
      attrs = recordAttrs(readMetaAttrs(s) ?? {}, span);
      break;
    }
    args.push(readSingle(s) ?? (yield* run(readSequence(s, ')'))));
    if (!s.accept(',')) break;
  }
  s.expect(')');
  return makeCall(s, { callee, args, typeArgs, attrs, span: s.spanFrom(first) });
}

/** Whether a reference to a record of attributes follows. */
function isMetaAttrsAhead(s: Parser): boolean {
  if (!s.isWord('meta') || s.peek(1) !== '[') return false;
  const entries = s.meta.get(s.textAt(s.at + 2));
  return entries?.[0]?._tag === 'MetaAttrs';
}

function* readPrimary(s: Parser): Steps<Expr> {
  const token = readToken(s);
  if (token !== undefined) return token;
  const kind = s.peek();
  switch (kind) {
    case 'name': {
      if (s.peek(1) === '[' && s.isWord('meta')) return readMetaConstant(s);
      const own = s.peek(1) === '(' ? s.dialect.readForm(s) : undefined;
      if (own !== undefined) return yield* run(own);
      if (s.peek(1) === '(' && s.isWord('Constant') && !s.constructors.has('Constant')) {
        return readFilledConstant(s);
      }
      return readName(s) ?? placeholder();
    }
    case '(':
      return yield* run(readTuple(s));
    case '{':
      return yield* run(readBlock(s));
    case '[':
      return yield* run(readTensorLiteral(s));
    case 'fn':
      return yield* run(readFunction(s, s.at++, readBlock));
    case 'if':
      return yield* run(readIf(s));
    case 'match':
    case 'match?':
      return yield* run(readMatch(s, matchReaders));
    case 'ref':
    case 'ref_read':
    case 'ref_write':
      return yield* run(readReference(s, kind));
    case '-':
      return s.unexpected('an expression', 'write `negative(..)`');
    default:
      return s.unexpected('an expression');
  }
}

/** `()`, `(e)`, `(e,)`, `(e1, .., en)`. */
function* readTuple(s: Parser): Steps<Expr> {
  const first = s.at++;
  const fields: Expr[] = [];
  let isTuple = true;
  while (s.peek() !== ')') {
    fields.push(readSingle(s) ?? (yield* run(readSequence(s, ')'))));
    isTuple = s.accept(',');
    if (!isTuple) break;
  }
  s.expect(')');
  const [only] = fields;
  if (only !== undefined && fields.length === 1 && !isTuple) return only;
  return tuple(fields, s.spanFrom(first));
}

function* readTensorLiteral(s: Parser): Steps<Expr> {
  const first = s.at++;
  return makeTensorLiteral(s, first, yield* run(readList(s, ']', () => readSequence(s, ']'))));
}

/** A condition and its branch, with the `if` token. */
interface Arm {
  readonly first: number;
  readonly cond: Expr;
  readonly branch: Expr;
}

/** `if (c) { a } else { b }`; a chain of `else if` is read in a loop. */
function* readIf(s: Parser): Steps<Expr> {
  const arms: Arm[] = [];
  do {
    const first = s.expect('if');
    s.expect('(');
    const cond = yield* run(readSequence(s, ')'));
    s.expect(')');
    const branch = yield* run(readBlock(s));
    arms.push({ first, cond, branch });
    s.expect('else');
  } while (s.peek() === 'if');
  let expr = yield* run(readBlock(s));
  for (let i = arms.length - 1; i >= 0; i--) {
    const { first, cond, branch } = arms[i] as Arm;
    expr = ifElse(cond, branch, expr, s.spanFrom(first));
  }
  return expr;
}

function* readReference(s: Parser, kind: 'ref' | 'ref_read' | 'ref_write'): Steps<Expr> {
  const first = s.at++;
  s.expect('(');
  const operand = yield* run(readSequence(s, ')'));
  if (kind !== 'ref_write') {
    s.expect(')');
    const span = s.spanFrom(first);
    return kind === 'ref' ? refCreate(operand, span) : refRead(operand, span);
  }
  s.expect(',');
  const value = yield* run(readSequence(s, ')'));
  s.expect(')');
  return refWrite(operand, value, s.spanFrom(first));
}

const matchReaders: MatchReaders = {
  readScrutinee: readPrimary,
  readBlock,
  *readBody(s) {
    s.expect('=>');
    return yield* run(readSequence(s, '}'));
  },
};
