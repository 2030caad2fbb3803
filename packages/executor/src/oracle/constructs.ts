/**
 * [language §4](https://batonjs.github.io/baton/spec/language#4), Constructs: the column Evaluation
 * of the table, row by row. Operands are evaluated from left to right, a computed callee after its
 * arguments (decisions [D13](https://batonjs.github.io/baton/spec/decisions#D13) and
 * [D17](https://batonjs.github.io/baton/spec/decisions#D17)).
 */
import { invariant, run as nested, type Steps } from '@baton/base';
import {
  type Call,
  type Expr,
  type Let,
  type Match,
  noAttrs,
  type RefRead,
  sortOf,
  type Var,
} from '@baton/ir';
import { readNumber } from '@baton/tensor';
import * as diagnostics from '../diagnostics.ts';
import { calleeName, mayDiffer, promiseOf, statedBy, statesResult } from '../promises.ts';
import { stop } from '../stop.ts';
import { printValue, SHOWN_CHARACTERS } from '../values/print-value.ts';
import { boxed } from '../values/scalar.ts';
import { emptyTuple, type RefValue, refValue, tupleValue, type Value } from '../values/value.ts';
import {
  applyClosure,
  applyOperator,
  closureOf,
  construct,
  constructorAsFunction,
  type Found,
  type Goal,
  operatorAsFunction,
} from './evaluation.ts';
import { matchPattern } from './patterns.ts';
import { type Claim, checkSizes, type Frame, type Run } from './run.ts';

/** The constructs without operands. */
function atom(node: Expr, frame: Frame, run: Run): Value {
  switch (node._tag) {
    case 'Var':
      return lookUp(node, frame);
    case 'GlobalVar': {
      const { nameHint, span } = node;
      return run.globals(nameHint) ?? stop(diagnostics.unknownGlobal(nameHint, span));
    }
    case 'Constant':
      return boxed(node.data);
    case 'Op':
      return operatorAsFunction(node, run);
    case 'Constructor':
      return constructorAsFunction(node);
    default:
      return stop(diagnostics.notCovered('a node private to a pass', node.span));
  }
}

/** The value of a construct, after its operands, or the part that has the same value. */
function* evaluate({ node, frame, isLast }: Goal, run: Run): Steps<Found> {
  const of = (part: Expr): Steps<Value> => nested(valueIn(frame, part, run));
  const sameAs = (part: Expr): Goal => ({ _tag: 'Goal', node: part, frame, isLast });
  switch (node._tag) {
    case 'Tuple':
      return tupleValue(yield* valuesOf(node.fields, frame, run));
    case 'TupleGetItem': {
      const tuple = yield* of(node.tuple);
      invariant(tuple._tag === 'Tuple', 'a typed projection has a tuple');
      return tuple.fields[node.index] as Value;
    }
    case 'Function':
      return closureOf(node, frame);
    case 'Call':
      return yield* evaluateCall(node, frame, isLast, run);
    case 'Let':
      bindLet(node, yield* of(node.value), frame, run);
      return sameAs(node.body);
    case 'If': {
      const cond = yield* of(node.cond);
      invariant(cond._tag === 'Tensor', 'a typed condition is a scalar');
      return sameAs(readNumber(cond, 0) === 0 ? node.falseBranch : node.trueBranch);
    }
    case 'Match':
      return sameAs(firstMatch(node, yield* of(node.data), frame, run));
    case 'RefCreate':
      return refValue(yield* of(node.value));
    case 'RefRead':
      return contentOf(node, cellOf(yield* of(node.ref)), frame, run);
    case 'RefWrite': {
      const cell = cellOf(yield* of(node.ref));
      cell.value = yield* of(node.value);
      return emptyTuple;
    }
    default:
      return atom(node, frame, run);
  }
}

/** The value of a node in an activation. */
export const valueIn = (frame: Frame, node: Expr, run: Run): Steps<Value> =>
  valueFound({ _tag: 'Goal', node, frame, isLast: false }, run);

/**
 * The value that a rule found. DAG sharing: a node with several uses is evaluated once in each
 * activation of its home, at the first demand. In tail position nothing will need the value again.
 */
export function* valueFound(start: Found, run: Run): Steps<Value> {
  const told: Array<(value: Value) => void> = [];
  let found = start;
  while (found._tag === 'Goal') {
    const { node, frame: inner, leave } = found;
    const { sharing } = inner;
    const isShared = sharing.isShared(node);
    const frame = isShared ? homeOf(node, inner) : inner;
    const isKept = isShared && (!found.isLast || sharing.isCaptured(node));
    if (leave !== undefined) told.push(leave);
    const known = isShared ? frame.values.get(node) : undefined;
    if (known === undefined && isKept) told.push((value) => frame.values.set(node, value));
    const isLast = found.isLast && !isKept;
    found = known ?? (yield* evaluate({ _tag: 'Goal', node, frame, isLast }, run));
  }
  for (let tell = told.pop(); tell !== undefined; tell = told.pop()) tell(found);
  return found;
}

function homeOf(node: Expr, inner: Frame): Frame {
  const home = inner.sharing.homeOf(node);
  let at = inner;
  while (at.func !== home && at.outer !== undefined) at = at.outer;
  return at;
}

function* valuesOf(nodes: ReadonlyArray<Expr>, frame: Frame, run: Run): Steps<Value[]> {
  const values: Value[] = [];
  for (const node of nodes) {
    const isAtom = sortOf(node) !== 'compound';
    values.push(isAtom ? atom(node, frame, run) : yield* nested(valueIn(frame, node, run)));
  }
  return values;
}

/** **Var**: ρ(vid). */
function lookUp(node: Var, frame: Frame): Value {
  for (let at: Frame | undefined = frame; at !== undefined; at = at.outer) {
    const value = at.values.get(node);
    if (value !== undefined) return value;
  }
  return stop(diagnostics.unboundVariable(node.nameHint, node.span));
}

/**
 * **Call**: args left to right, then the callee expression; op, constructor or closure application.
 * If the function may not keep the sizes of the call's type, the result is checked.
 */
function* evaluateCall(node: Call, frame: Frame, isLast: boolean, run: Run): Steps<Found> {
  const { op, span } = node;
  const args = yield* valuesOf(node.args, frame, run);
  if (op._tag === 'Op') return applyOperator(op.name, node.attrs ?? noAttrs, args, span, run);
  if (op._tag === 'Constructor') return construct(op, args, span);
  const callee = yield* nested(valueIn(frame, op, run));
  invariant(callee._tag === 'Closure', 'a typed call has a function to call');
  const promise = promiseOf(node, run.m, frame.sharing.functionOf);
  if (promise === undefined || (promise.mayBeKept && statesResult(callee.func, promise.type))) {
    return applyClosure(callee, args, span, isLast, run);
  }
  const value = yield* nested(valueFound(applyClosure(callee, args, span, false, run), run));
  const subject = `the result of ${calleeName(op)}`;
  checkSizes([{ value, subject, type: promise.type, span }], frame.sizes);
  return value;
}

/** **Let**: the variable is bound to the value, which has the sizes of the annotation. */
function bindLet(node: Let, found: Value, frame: Frame, run: Run): void {
  const { variable, value, span } = node;
  const { typeAnnotation: type } = variable;
  if (mayDiffer(run.m, value, type)) {
    checkSizes([claimOf(variable, found, type, span)], frame.sizes);
  }
  frame.values.set(variable, found);
}

/** **Match**: the first clause that matches. Fields may be of types with `?`: sizes are checked. */
function firstMatch({ clauses, span }: Match, value: Value, frame: Frame, run: Run): Expr {
  for (const { pattern, body } of clauses) {
    const bound = matchPattern(pattern, value);
    if (bound === undefined) continue;
    const used = [...bound].filter(([variable]) => frame.sharing.isUsed(variable));
    for (const [variable, part] of used) frame.values.set(variable, part);
    const claims = used.flatMap(([variable, part]) => {
      const type = statedBy(run.m, variable);
      return type === undefined ? [] : [claimOf(variable, part, type, span)];
    });
    checkSizes(claims, frame.sizes);
    return body;
  }
  return stop(diagnostics.noMatch(printValue(value, SHOWN_CHARACTERS), span));
}

const claimOf = (variable: Var, value: Value, type: Claim['type'], span: Claim['span']): Claim => ({
  value,
  subject: `variable %${variable.nameHint}`,
  type,
  span: variable.span ?? span,
});

/** **RefRead**: the content of a cell may have a type with `?` where the read's has a size. */
function contentOf(node: RefRead, { value }: RefValue, frame: Frame, run: Run): Value {
  const type = statedBy(run.m, node);
  const subject = 'what the reference holds';
  if (type !== undefined) checkSizes([{ value, subject, type, span: node.span }], frame.sizes);
  return value;
}

function cellOf(value: Value): RefValue {
  invariant(value._tag === 'Ref', 'a typed reference operation has a reference');
  return value;
}
