/**
 * Expressions in text: [language §3](https://batonjs.github.io/baton/spec/language#3). Every
 * function that may meet itself again is a `Steps`, so that depth costs memory and not stack; atoms
 * are read without one.
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
import { tokenSpan, tokenText } from '../tokens/tokens.ts';
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
import {
  endBinding,
  endsSequence,
  graphKey,
  isGraphBindingAhead,
  type OpenLet,
  recoverBinding,
  skipSecondSemicolon,
} from './bindings.ts';
import {
  type Infix,
  impliedCall,
  infixOf,
  isLegacyForm,
  makeCall,
  makeCast,
  makeInfix,
  makeTensorLiteral,
  readFilledConstant,
  recordAttrs,
} from './calls.ts';
import { readFunction } from './functions.ts';
import { type MatchReaders, readMatch } from './matches.ts';
import { namesLocal, placeholder, readMetaAttrs, readMetaConstant, readName } from './names.ts';
import { type Closer, isFunctionLiteralAhead, skipToNextBinding } from './recover.ts';
import {
  abandon,
  accept,
  describe,
  expect,
  isBinderAhead,
  isFull,
  isSyntaxError,
  isWord,
  type ParserState,
  peek,
  report,
  sigilName,
  spanFrom,
  spanHere,
  startsLine,
  unexpected,
} from './state.ts';
import { readType, readTypeArgs } from './types.ts';

/** `{ e }`: a scope of its own. */
export function* readBlock(s: ParserState): Steps<Expr> {
  expect(s, '{');
  const body = yield* run(readSequence(s, '}'));
  expect(s, '}');
  return body;
}

/**
 * Bindings and a result, up to `closer` or a comma. However many bindings there are, they are read
 * in a loop; what they bind is forgotten at the end.
 */
export function* readSequence(s: ParserState, closer: Closer): Steps<Expr> {
  const mark = s.locals.mark();
  const { lineEnds } = s;
  const start = s.at;
  const lets: OpenLet[] = [];
  let result: Expr | undefined;
  while (result === undefined) {
    if (isFull(s)) abandon();
    const first = s.at;
    if (readFlatBinding(s)) continue;
    const flat = readFlatLet(s);
    if (flat !== undefined) {
      lets.push(flat);
      continue;
    }
    try {
      result = yield* run(readStatement(s, lets, first > start));
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
    body = letIn(binder, value, body, spanFrom(s, first));
  }
  return body;
}

/** A binding, which gives `undefined`, or the result of the sequence. */
function* readStatement(
  s: ParserState,
  lets: OpenLet[],
  hasBindings: boolean,
): Steps<Expr | undefined> {
  const kind = peek(s);
  const isBinding = kind === 'let' || kind === 'free_var' || isGraphBindingAhead(s);
  s.lineEnds = s.isLegacy && isBinding;
  if (!isBinding) return yield* run(readResult(s, lets, hasBindings));
  const bound = yield* run(
    kind === 'let' ? readLet(s, lets) : kind === 'free_var' ? readFreeVar(s) : readGraphBinding(s),
  );
  // A legacy block that ends in a binding has its value.
  return s.isLegacy && endsSequence(s) ? bound : undefined;
}

/** The result of a sequence; or `e;`, which gives `undefined` and whose value is dropped. */
function* readResult(
  s: ParserState,
  lets: OpenLet[],
  hasBindings: boolean,
): Steps<Expr | undefined> {
  const isReturn = s.isLegacy && accept(s, 'ret');
  const first = s.at;
  if (endsSequence(s)) {
    if (!hasBindings) return unexpected(s, 'an expression');
    report(s, missingResult(describe(s), spanHere(s)));
    s.failedAt = s.at;
    return abandon();
  }
  const value = yield* run(readOperators(s));
  const type = s.isLegacy && accept(s, ':') ? yield* run(readType(s)) : undefined;
  const nameHint = type === undefined ? '' : '_';
  const hasEnd = accept(s, ';');
  if (hasEnd) skipSecondSemicolon(s);
  const isLast = !hasEnd || (s.isLegacy && (endsSequence(s) || peek(s) === ','));
  if (isReturn && !isLast) return unexpected(s, 'the end of the block after its `ret`');
  if (isLast && type === undefined) return value;
  const binder = variable(nameHint, type, tokenSpan(s.tokens, s.at - 1));
  lets.push({ binder, value, first });
  return isLast ? binder : undefined;
}

function* readLet(s: ParserState, lets: OpenLet[]): Steps<Expr> {
  const first = s.at++;
  const nameAt = expectBinder(s);
  const name = sigilName(s, nameAt);
  const annotation = accept(s, ':') ? yield* run(readAnnotation(s)) : undefined;
  const binder = variable(name, annotation, tokenSpan(s.tokens, nameAt));
  expect(s, '=');
  const isRecursive = isFunctionLiteralAhead(s);
  if (isRecursive) s.locals.declare(name, binder);
  const value = yield* run(readOperators(s));
  if (!isRecursive) s.locals.declare(name, binder);
  endBinding(s);
  lets.push({ binder, value, first });
  return binder;
}

function* readFreeVar(s: ParserState): Steps<Expr> {
  const first = s.at++;
  const nameAt = expectBinder(s);
  // Free variables become parameters, so they may declare dimensions as parameters do.
  const outer = s.openSignature;
  s.openSignature = [];
  const annotation = accept(s, ':') ? yield* run(readAnnotation(s)) : undefined;
  s.openSignature = outer;
  const name = sigilName(s, nameAt);
  const declared = variable(name, annotation, tokenSpan(s.tokens, nameAt));
  s.locals.declare(name, declared);
  if (s.inDefinition) report(s, freeVarInDefinition(spanFrom(s, first)));
  endBinding(s);
  return declared;
}

/** Steps over the name that a binding gives. */
function expectBinder(s: ParserState): number {
  return isBinderAhead(s) ? s.at++ : expect(s, 'local', 'a local variable');
}

/** The type of a binder; a function type may be followed by its constraints. */
export function* readAnnotation(s: ParserState): Steps<Type> {
  return yield* run(readType(s, true));
}

function* readGraphBinding(s: ParserState): Steps<Expr> {
  const nameAt = s.at;
  const name = graphKey(tokenText(s.tokens, nameAt));
  s.at += 2;
  const value = yield* run(readOperators(s));
  const span = tokenSpan(s.tokens, nameAt);
  const earlier = s.graph.get(name);
  if (s.locals.get(name.slice(1)) !== undefined) report(s, graphNameOfLocal(name, span));
  else if (earlier !== undefined) report(s, duplicateGraph(name, span, earlier.span));
  else s.graph.set(name, { value, span });
  endBinding(s);
  return value;
}

interface PendingInfix {
  readonly infix: Infix;
  readonly signAt: number;
}

/** Operands joined by infix operators. **Source** Dijkstra's shunting yard, 1961. */
export function* readOperators(s: ParserState): Steps<Expr> {
  const firsts = [s.at];
  const leftmost = readAtom(s) ?? readFlat(s) ?? (yield* run(readPostfix(s)));
  if (infixOf(peek(s)) === undefined) return leftmost;
  const operands = [leftmost];
  const pending: PendingInfix[] = [];
  const reduce = (): void => {
    const top = pending.pop();
    const right = operands.pop();
    const left = operands.pop();
    firsts.pop();
    if (top === undefined || left === undefined || right === undefined) return;
    const span = spanFrom(s, firsts[firsts.length - 1] as number);
    operands.push(makeInfix(s, top.infix, top.signAt, left, right, span));
  };
  for (;;) {
    const infix = infixOf(peek(s));
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
function* readPostfix(s: ParserState): Steps<Expr> {
  const first = s.at;
  let expr = yield* run(readPrimary(s));
  for (;;) {
    const kind = peek(s);
    if (s.lineEnds && (kind === '(' || kind === '[') && startsLine(s)) {
      return nullaryCall(s, expr, first);
    }
    if (kind === '.') {
      expr = readProjection(s, expr, first);
    } else if (kind === '(') {
      expr = yield* run(readCall(s, first, expr, []));
    } else if (kind === '[') {
      s.at++;
      const typeArgs = yield* run(readTypeArgs(s, ']'));
      if (peek(s) !== '(') return unexpected(s, '`(` after type arguments');
      expr = yield* run(readCall(s, first, expr, typeArgs));
    } else {
      const typeArgs = kind === '<' ? yield* run(tryTypeArgs(s)) : undefined;
      if (typeArgs === undefined) return nullaryCall(s, expr, first);
      expr = yield* run(readCall(s, first, expr, typeArgs));
    }
  }
}

/** `<T1, .., Tn>` before `(`. If it is not that, the `<` is a comparison and nothing is read. */
function* tryTypeArgs(s: ParserState): Steps<ReadonlyArray<TypeArg> | undefined> {
  if (!mayStartTypeArgs(s, 1) || s.comparisons.has(s.at)) return undefined;
  const { at, failedAt } = s;
  const openCount = s.openAngles.length;
  const errorCount = s.diagnostics.length;
  s.at++;
  try {
    const args = yield* run(readTypeArgs(s, '>'));
    // Legacy locals look like types, and are none.
    const isComparison = s.diagnostics.length > errorCount && namesLocal(s, at);
    if (peek(s) === '(' && !isComparison) return args;
  } catch (thrown) {
    if (!isSyntaxError(thrown)) throw thrown;
  }
  // Lists that were still open here would not close if they were read from their own start.
  for (const open of s.openAngles.splice(openCount)) s.comparisons.add(open);
  s.at = at;
  s.failedAt = failedAt;
  s.diagnostics.length = errorCount;
  return undefined;
}

function* readCall(
  s: ParserState,
  first: number,
  callee: Expr,
  typeArgs: ReadonlyArray<TypeArg>,
): Steps<Expr> {
  expect(s, '(');
  const args: Expr[] = [];
  let attrs: ReadonlyArray<WrittenAttr> = [];
  while (peek(s) !== ')') {
    if (isAttrAhead(s)) {
      attrs = readAttrs(s);
      break;
    }
    if (isMetaAttrsAhead(s)) {
      const span = spanHere(s);
      attrs = recordAttrs(readMetaAttrs(s) ?? {}, span);
      break;
    }
    args.push(readSingle(s) ?? (yield* run(readSequence(s, ')'))));
    if (!accept(s, ',')) break;
  }
  expect(s, ')');
  return makeCall(s, { callee, args, typeArgs, attrs, span: spanFrom(s, first) });
}

/** Whether a reference to a record of attributes follows. */
function isMetaAttrsAhead(s: ParserState): boolean {
  if (!isWord(s, 'meta') || peek(s, 1) !== '[') return false;
  const entries = s.meta.get(tokenText(s.tokens, s.at + 2));
  return entries?.[0]?._tag === 'MetaAttrs';
}

function* readPrimary(s: ParserState): Steps<Expr> {
  const token = readToken(s);
  if (token !== undefined) return token;
  const kind = peek(s);
  switch (kind) {
    case 'name':
      if (peek(s, 1) === '[' && isWord(s, 'meta')) return readMetaConstant(s);
      if (peek(s, 1) === '(' && isWord(s, 'Constant') && !s.constructors.has('Constant')) {
        return readFilledConstant(s);
      }
      if (peek(s, 1) === '(' && isLegacyForm(s)) return yield* run(readLegacyForm(s));
      return readName(s) ?? placeholder();
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
      return unexpected(s, 'an expression', 'write `negative(..)`');
    default:
      return unexpected(s, 'an expression');
  }
}

/** `()`, `(e)`, `(e,)`, `(e1, .., en)`. */
function* readTuple(s: ParserState): Steps<Expr> {
  const first = s.at++;
  const fields: Expr[] = [];
  let isTuple = true;
  while (peek(s) !== ')') {
    fields.push(readSingle(s) ?? (yield* run(readSequence(s, ')'))));
    isTuple = accept(s, ',');
    if (!isTuple) break;
  }
  expect(s, ')');
  const [only] = fields;
  if (only !== undefined && fields.length === 1 && !isTuple) return only;
  return tuple(fields, spanFrom(s, first));
}

function* readTensorLiteral(s: ParserState): Steps<Expr> {
  const first = s.at++;
  const elements: Expr[] = [];
  while (peek(s) !== ']') {
    elements.push(yield* run(readSequence(s, ']')));
    if (!accept(s, ',')) break;
  }
  expect(s, ']');
  return makeTensorLiteral(s, first, elements);
}

/** A condition and the branch that it guards, with the `if` token. */
interface Arm {
  readonly first: number;
  readonly cond: Expr;
  readonly branch: Expr;
}

/** `if (c) { a } else { b }`; a chain of `else if` is read in a loop. */
function* readIf(s: ParserState): Steps<Expr> {
  const arms: Arm[] = [];
  do {
    const first = expect(s, 'if');
    expect(s, '(');
    const cond = yield* run(readSequence(s, ')'));
    expect(s, ')');
    const branch = yield* run(readBlock(s));
    arms.push({ first, cond, branch });
    expect(s, 'else');
  } while (peek(s) === 'if');
  let expr = yield* run(readBlock(s));
  for (let i = arms.length - 1; i >= 0; i--) {
    const { first, cond, branch } = arms[i] as Arm;
    expr = ifElse(cond, branch, expr, spanFrom(s, first));
  }
  return expr;
}

function* readReference(s: ParserState, kind: 'ref' | 'ref_read' | 'ref_write'): Steps<Expr> {
  const first = s.at++;
  expect(s, '(');
  const operand = yield* run(readSequence(s, ')'));
  if (kind !== 'ref_write') {
    expect(s, ')');
    const span = spanFrom(s, first);
    return kind === 'ref' ? refCreate(operand, span) : refRead(operand, span);
  }
  expect(s, ',');
  const value = yield* run(readSequence(s, ')'));
  expect(s, ')');
  return refWrite(operand, value, spanFrom(s, first));
}

/**
 * `Cast(e, T)` and `Reverse(f)`: [language §13](https://batonjs.github.io/baton/spec/language#13).
 */
function* readLegacyForm(s: ParserState): Steps<Expr> {
  const first = s.at;
  const isCast = isWord(s, 'Cast');
  s.at += 2;
  const operand = yield* run(readSequence(s, ')'));
  if (!isCast) {
    expect(s, ')');
    return impliedCall(s, 'gradient', first, [operand], {}, spanFrom(s, first));
  }
  expect(s, ',');
  const typeAt = s.at;
  const type = yield* run(readType(s));
  const typeSpan = spanFrom(s, typeAt);
  expect(s, ')');
  return makeCast(s, first, operand, type, typeSpan);
}

const matchReaders: MatchReaders = {
  readScrutinee: readPrimary,
  readBlock,
  readBody: (s) => readSequence(s, '}'),
};
