/** The evaluation of a program on names of tensors: what remains are nodes of operators. */
import { run as nested, nodeSpan, type Span, type Steps, spanLeaves } from '@baton/base';
import type { Call, Clause, Constructor, Expr, Func, If, Match, Pattern, Var } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import { endless, notExportable, ofFunction } from '../diagnostics.ts';
import type { Argument, Operand } from '../operator-api/exporter.ts';
import { writeBranches } from './branches.ts';
import { isOperand, writeCall } from './calls.ts';
import { constantOperand } from './graph-builder.ts';
import { writeKernel } from './kernels.ts';
import { loopShape } from './loop-shape.ts';
import { type LoopParts, writeLoop } from './loops.ts';
import type { ExportRun, Site } from './run.ts';
import {
  type Closure,
  type Frame,
  known,
  type LoopFunction,
  tupleOf,
  UNKNOWN,
  type Value,
} from './values.ts';

/**
 * The value of an expression. An expression with several uses is evaluated once in an activation.
 * Let bindings, branches with a known condition and the bodies of functions in last position are
 * evaluated in place.
 */
export function* evaluated(start: Expr, frame: Frame, run: ExportRun): Steps<Value> {
  const same: Expr[] = [];
  let node = start;
  let value: Value | undefined;
  while (value === undefined) {
    if (run.nodesLeft < 0) return UNKNOWN;
    value = known(frame, node);
    if (value !== undefined) break;
    same.push(node);
    if (node._tag === 'Let') {
      frame.values.set(node.variable, yield* nested(evaluated(node.value, frame, run)));
      node = node.body;
    } else if (node._tag === 'Match') {
      const data = yield* nested(evaluated(node.data, frame, run));
      const clause = chosenClause(node, data, frame, run);
      if (clause === undefined) value = UNKNOWN;
      else node = clause.body;
    } else value = yield* nested(computed(node, frame, run));
  }
  for (const expr of same) frame.values.set(expr, value);
  return value;
}

function* computed(node: Expr, frame: Frame, run: ExportRun): Steps<Value> {
  switch (node._tag) {
    case 'Constant':
      return constantOperand(node.data, nameOf(node.span));
    case 'Op':
      return { _tag: 'Operator', name: node.name };
    case 'Constructor':
      return { _tag: 'Constructor', ctor: node };
    case 'GlobalVar': {
      const func = run.module.functions.get(node.nameHint);
      return func === undefined ? unknown(run, node) : { _tag: 'Closure', func, frame: undefined };
    }
    case 'Function':
      return { _tag: 'Closure', func: node, frame };
    case 'Tuple':
      return tupleOf(yield* nested(valuesOf(node.fields, frame, run)));
    case 'TupleGetItem': {
      const of = yield* nested(evaluated(node.tuple, frame, run));
      return of._tag === 'Tuple' ? (of.fields[node.index] ?? UNKNOWN) : UNKNOWN;
    }
    case 'Call':
      return yield* nested(called(node, frame, run));
    case 'If':
      return yield* nested(branched(node, frame, run));
    case 'RefCreate': {
      const content = yield* nested(evaluated(node.value, frame, run));
      return { _tag: 'Reference', content, draft: frame.draft };
    }
    case 'RefRead': {
      const ref = yield* nested(evaluated(node.ref, frame, run));
      return ref._tag === 'Reference' ? ref.content : UNKNOWN;
    }
    case 'RefWrite': {
      const [ref, content] = yield* nested(valuesOf([node.ref, node.value], frame, run));
      if (ref?._tag !== 'Reference' || content === undefined) return UNKNOWN;
      if (ref.draft !== frame.draft) return unknown(run, node);
      ref.content = content;
      return tupleOf([]);
    }
    default:
      return unknown(run, node);
  }
}

function* valuesOf(
  exprs: ReadonlyArray<Expr>,
  frame: Frame,
  run: ExportRun,
): Steps<ReadonlyArray<Value>> {
  const values: Value[] = [];
  for (const expr of exprs) values.push(yield* nested(evaluated(expr, frame, run)));
  return values;
}

/** The name of the first of the nodes that a part of the program comes from. */
export const nameOf = (span: Span | undefined): string | undefined =>
  spanLeaves(span).find((leaf) => leaf._tag === 'NodeSpan')?.name;

/** The origin of a part of the program. */
export const spanOf = (run: ExportRun, node: Expr): Span =>
  node.span ?? nodeSpan(run.source, node._tag, node._tag);

/** Reports a part of the program that ONNX cannot say. */
function unknown(run: ExportRun, node: Expr): Value {
  run.problems.add(notExportable(KINDS[node._tag] ?? node._tag, spanOf(run, node)));
  return UNKNOWN;
}

const KINDS: Readonly<Partial<Record<Expr['_tag'], string>>> = {
  Var: 'a variable without value',
  GlobalVar: 'a function that the module lacks',
  RefWrite: 'a reference that a branch writes to',
  Match: 'a match on data that is known only at run time',
  TempExpr: 'a node private to a pass',
};

function* called(node: Call, frame: Frame, run: ExportRun): Steps<Value> {
  const args = yield* nested(valuesOf(node.args, frame, run));
  const callee = yield* nested(evaluated(node.op, frame, run));
  if (args.includes(UNKNOWN)) return UNKNOWN;
  switch (callee._tag) {
    case 'Operator':
      return operatorResult(callee.name, node, args, frame, run);
    case 'Constructor':
      return { _tag: 'Data', ctor: callee.ctor, fields: args };
    case 'Closure':
      return yield* nested(applied(callee, node, args, frame, run));
    default:
      return UNKNOWN;
  }
}

function* applied(
  closure: Closure,
  node: Call,
  args: ReadonlyArray<Value>,
  { draft, depth }: Frame,
  run: ExportRun,
): Steps<Value> {
  const { func, frame: outer } = closure;
  const most = MORE_CALLS + run.module.functions.size;
  if (depth >= most) run.problems.add(endless(most, spanOf(run, node)));
  if (--run.nodesLeft < 0 || depth >= most) return UNKNOWN;
  const site: Site = { run, draft, span: spanOf(run, node), origin: node.span };
  const whole = writeKernel(site, func, args);
  if (whole !== undefined) return tupleOf(whole);
  const shape = loopShape(func, node.op);
  const loop = shape && { shape, closure, args };
  const frame = activation(func, args, { outer, draft, depth: depth + 1, loop });
  return yield* nested(evaluated(func.body, frame, run));
}

/**
 * Calls may nest as deep as the module has functions, which all may call each other in a chain, and this
 * much deeper: a function that calls itself at run time has no end here.
 */
const MORE_CALLS = 4096;

/** A new activation of a function. */
export function activation(
  func: Func,
  args: ReadonlyArray<Value>,
  place: Omit<Frame, 'values'>,
): Frame {
  const values = new Map<Expr, Value>(
    func.params.map((param: Var, i) => [param, args[i] ?? UNKNOWN]),
  );
  return { ...place, values };
}

function operatorResult(
  name: string,
  node: Call,
  args: ReadonlyArray<Value>,
  { draft }: Frame,
  run: ExportRun,
): Value {
  const given = args.map(argumentOf);
  const known = given.filter((arg) => arg !== undefined);
  if (known.length < given.length) {
    run.problems.add(ofFunction(name, spanOf(run, node)));
    return UNKNOWN;
  }
  const site: Site = { run, draft, span: spanOf(run, node), origin: node.span };
  const attrs = node.op._tag === 'Op' ? (node.attrs ?? {}) : defaultAttrs(run, name);
  const made = writeCall(site, { name, args: known, attrs });
  if (made === undefined) return UNKNOWN;
  return isOperand(made) ? made : tupleOf(made);
}

/** The attributes of an operator that is called as a value. */
function defaultAttrs(run: ExportRun, name: string): NonNullable<Call['attrs']> {
  const decoded = run.module.ops.get(name)?.attrs.decode({});
  return decoded?._tag === 'Right' ? decoded.right : {};
}

function argumentOf(value: Value): Argument | undefined {
  if (value._tag === 'Tensor') return value;
  if (value._tag !== 'Tuple') return undefined;
  const fields = value.fields.filter((field) => field._tag === 'Tensor');
  return fields.length === value.fields.length ? fields : undefined;
}

function* branched(node: If, frame: Frame, run: ExportRun): Steps<Value> {
  const cond = yield* nested(evaluated(node.cond, frame, run));
  if (cond._tag !== 'Tensor') return UNKNOWN;
  if (cond.constant !== undefined) {
    const branch = readNumber(cond.constant, 0) === 0 ? node.falseBranch : node.trueBranch;
    return yield* nested(evaluated(branch, frame, run));
  }
  const site: Site = { run, draft: frame.draft, span: spanOf(run, node), origin: node.span };
  if (frame.loop?.shape.branch === node) {
    const { goesOnAt } = frame.loop.shape;
    const goesOn = truth(site, cond, goesOnAt);
    return goesOn._tag === 'Tensor'
      ? yield* nested(writeLoop(site, goesOn, loopParts(site, frame.loop, frame)))
      : UNKNOWN;
  }
  const within = (branch: Expr) => (inner: Frame) => evaluated(branch, inner, run);
  const branches = [within(node.trueBranch), within(node.falseBranch)] as const;
  return yield* nested(writeBranches(site, frame, cond, branches));
}

/** The evaluation of the parts of a loop. */
function loopParts(
  site: Site,
  { shape, closure, args }: LoopFunction,
  { depth }: Frame,
): LoopParts {
  const { run } = site;
  const { func, frame: outer } = closure;
  const before = (branch: Expr, frame: Frame) => bound(branch, frame, run);
  return {
    start: args,
    enter: (given, draft) => activation(func, given, { outer, draft, depth }),
    goesOn: function* (frame) {
      yield* nested(before(func.body, frame));
      const cond = yield* nested(evaluated(shape.branch.cond, frame, run));
      if (cond._tag !== 'Tensor') return UNKNOWN;
      return truth({ ...site, draft: frame.draft }, cond, shape.goesOnAt);
    },
    next: function* (frame) {
      yield* nested(before(func.body, frame));
      yield* nested(before(shape.again, frame));
      return yield* nested(valuesOf(shape.round.args, frame, run));
    },
    exit: function* (frame) {
      yield* nested(before(func.body, frame));
      return yield* nested(evaluated(shape.exit, frame, run));
    },
  };
}

/** Evaluates the bindings that an expression begins with. */
function* bound(start: Expr, frame: Frame, run: ExportRun): Steps<void> {
  for (let node = start; node._tag === 'Let'; node = node.body) {
    frame.values.set(node.variable, yield* nested(evaluated(node.value, frame, run)));
  }
}

/** A condition as it is, or its opposite. */
function truth(site: Site, condition: Operand, wanted: boolean): Value {
  if (wanted) return condition;
  const made = writeCall(site, { name: 'logical_not', args: [condition], attrs: {} });
  return made !== undefined && isOperand(made) ? made : UNKNOWN;
}

/** The clause of the first pattern that fits; its variables are bound. */
function chosenClause(node: Match, data: Value, frame: Frame, run: ExportRun): Clause | undefined {
  if (data === UNKNOWN) return undefined;
  const clause = node.clauses.find(({ pattern }) => fits(pattern, data, frame));
  if (clause === undefined) unknown(run, node);
  return clause;
}

/** Whether a value fits a pattern. */
function fits(start: Pattern, data: Value, frame: Frame): boolean {
  const pending: (readonly [Pattern, Value])[] = [[start, data]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [pattern, value] = next;
    switch (pattern._tag) {
      case 'PatternWildcard':
        break;
      case 'PatternVar':
        frame.values.set(pattern.variable, value);
        break;
      case 'PatternTuple':
        if (value._tag !== 'Tuple') return false;
        pending.push(...pairs(pattern.patterns, value.fields));
        break;
      case 'PatternConstructor':
        if (value._tag !== 'Data' || !sameConstructor(value.ctor, pattern.ctor)) return false;
        pending.push(...pairs(pattern.patterns, value.fields));
    }
  }
  return true;
}

const pairs = (patterns: ReadonlyArray<Pattern>, values: ReadonlyArray<Value>) =>
  patterns.map((pattern, i): readonly [Pattern, Value] => [pattern, values[i] ?? UNKNOWN]);

const sameConstructor = (a: Constructor, b: Constructor): boolean =>
  a === b || (a.belongTo === b.belongTo && a.tag === b.tag);
