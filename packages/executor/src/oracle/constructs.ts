/**
 * [language §4](https://batonjs.github.io/baton/spec/language#4), Constructs: the column Evaluation
 * of the table, row by row. Operands are evaluated from left to right, a computed callee after its
 * arguments (decisions [D13](https://batonjs.github.io/baton/spec/decisions#D13) and
 * [D17](https://batonjs.github.io/baton/spec/decisions#D17)).
 */
import { run as nested, type Steps } from '@baton/base';
import {
  type Call,
  children,
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
import { calleeName, mayDiffer, sizeClaimOf, statedBy, statesResult } from '../size-claims.ts';
import { stop } from '../stop.ts';
import { printValue, SHOWN_CHARACTERS } from '../values/print-value.ts';
import {
  emptyTuple,
  ofKind,
  type RefValue,
  refValue,
  tupleValue,
  type Value,
} from '../values/value.ts';
import {
  applyOperator,
  closureOf,
  construct,
  constructorAsFunction,
  enter,
  type Found,
  foundThen,
  type Goal,
  goalOf,
  operatorAsFunction,
} from './evaluation.ts';
import { bindingsOf } from './patterns.ts';
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
      return node.data;
    case 'Op':
      return operatorAsFunction(node, run);
    case 'Constructor':
      return constructorAsFunction(node);
    default:
      return stop(diagnostics.notCovered('a node private to a pass', node.span));
  }
}

function operandsOf(node: Expr): ReadonlyArray<Expr> {
  switch (node._tag) {
    case 'Function':
      return [];
    case 'Call':
      return isNamed(node.op) ? node.args : [...node.args, node.op];
    case 'Let':
    case 'If':
    case 'Match':
      // The other parts are evaluated in the place of the construct.
      return children(node).slice(0, 1);
    default:
      return children(node);
  }
}

/** Whether a callee is applied by its name. */
const isNamed = ({ _tag }: Expr): boolean => _tag === 'Op' || _tag === 'Constructor';

/** The value of a construct from its operands, or the part that has the same value. */
function evaluate(
  node: Expr,
  operands: ReadonlyArray<Value>,
  frame: Frame,
  isLast: boolean,
  run: Run,
): Found {
  const sameAs = (part: Expr): Goal => goalOf(part, frame, isLast);
  // Each of `operandsOf` has a value.
  const [first, second] = operands as readonly [Value, Value];
  switch (node._tag) {
    case 'Tuple':
      return tupleValue(operands);
    case 'TupleGetItem':
      return ofKind(first, 'Tuple').fields[node.index] as Value;
    case 'Function':
      return closureOf(node, frame);
    case 'Call':
      return evaluateCall(node, operands, frame, isLast, run);
    case 'Let':
      bindLet(node, first, frame, run);
      return sameAs(node.body);
    case 'If':
      return sameAs(
        readNumber(ofKind(first, 'Tensor'), 0) === 0 ? node.falseBranch : node.trueBranch,
      );
    case 'Match':
      return sameAs(firstMatch(node, first, frame, run));
    case 'RefCreate':
      return refValue(first);
    case 'RefRead':
      return contentOf(node, ofKind(first, 'Ref'), frame, run);
    case 'RefWrite':
      ofKind(first, 'Ref').value = second;
      return emptyTuple;
    default:
      return atom(node, frame, run);
  }
}

export const valueIn = (frame: Frame, node: Expr, run: Run): Steps<Value> =>
  valueFound(goalOf(node, frame, false), run);

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
    if (known !== undefined) {
      found = known;
      break;
    }
    const operands: Value[] = [];
    for (const part of operandsOf(node)) {
      const isAtom = sortOf(part) !== 'compound';
      operands.push(isAtom ? atom(part, frame, run) : yield* nested(valueIn(frame, part, run)));
    }
    found = evaluate(node, operands, frame, found.isLast && !isKept, run);
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
function evaluateCall(
  node: Call,
  operands: ReadonlyArray<Value>,
  frame: Frame,
  isLast: boolean,
  run: Run,
): Found {
  const { op, attrs = noAttrs, span } = node;
  if (op._tag === 'Op') return applyOperator(op.name, attrs, operands, span, run);
  if (op._tag === 'Constructor') return construct(op, operands, span);
  const callee = ofKind(operands.at(-1), 'Closure');
  const args = operands.slice(0, -1);
  run.meter.countStep(span);
  const claimed = sizeClaimOf(node, run.m, frame.sharing.functionOf);
  if (claimed === undefined || (claimed.mayBeKept && statesResult(callee.func, claimed.type))) {
    return enter(callee, args, span, isLast, run);
  }
  const claim = { subject: `the result of ${calleeName(op)}`, type: claimed.type, span };
  const found = enter(callee, args, span, false, run);
  return foundThen(found, (value) => checkSizes([{ ...claim, value }], frame.sizes));
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
    const bound = bindingsOf(pattern, value);
    if (bound === undefined) continue;
    const used = bound.filter(([variable]) => frame.sharing.isUsed(variable));
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
