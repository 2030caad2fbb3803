/**
 * Expressions to instructions, in the order of evaluation: strict, left to right, a computed callee
 * after the arguments (decisions [D13](https://batonjs.github.io/baton/spec/decisions#D13) and
 * [D17](https://batonjs.github.io/baton/spec/decisions#D17)).
 */
import {
  type Diagnostic,
  invariant,
  run as nested,
  present,
  remember,
  runSteps,
  type Steps,
} from '@baton/base';
import {
  type Call,
  type Clause,
  type Constructor,
  type Expr,
  type Func,
  type If,
  type Let,
  type Match,
  noAttrs,
  type RefRead,
  type Var,
} from '@baton/ir';
import * as diagnostics from '../diagnostics.ts';
import { calleeName, mayDiffer, sizeClaimOf, statedBy } from '../size-claims.ts';
import type { CheckedValue } from '../values/dimensions.ts';
import { boxed } from '../values/scalar.ts';
import { adtValue, emptyTuple } from '../values/value.ts';
import { isAtom } from './analysis.ts';
import {
  type Builder,
  constantOperand,
  type Emission,
  type LastReads,
  lookUp,
  newSlot,
  sharedSlot,
} from './builder.ts';
import type { Compilation, HostedSegment } from './compilation.ts';
import * as ins from './instruction.ts';
import { matchSteps } from './patterns.ts';
import { inputsCheck, operatorCode, operatorSite } from './sites.ts';

/**
 * Writes the instructions that give the value of `root`. The result is the operand of the value, or
 * `undefined` if `isTail`: then the instructions end the function with it.
 *
 * **Complexity** linear in the nodes that belong to this run of instructions.
 */
export const writeValue = (
  root: Expr,
  isTail: boolean,
  emission: Emission,
  compilation: Compilation,
): ins.Operand | undefined =>
  runSteps(value(root, { want: undefined, isTail }, { emission, compilation }));

/** Like {@link writeValue}, but `root` itself is what this run of instructions computes. */
export const writeNode = (
  root: Expr,
  isTail: boolean,
  emission: Emission,
  compilation: Compilation,
): ins.Operand | undefined =>
  runSteps(compute(root, { want: undefined, isTail }, { emission, compilation }));

/** Where instructions are written, and what is known of the function. */
interface Writer {
  readonly emission: Emission;
  readonly compilation: Compilation;
}

/** Where a value goes. */
interface Destination {
  /** The slot that it is wanted in, or `undefined` for wherever it happens to be. */
  readonly want: number | undefined;
  /** Whether the function ends with it. */
  readonly isTail: boolean;
}

const ANYWHERE: Destination = { want: undefined, isTail: false };

/** Where the value is once the instructions are written; `undefined` if the function ended with it. */
type Written = Steps<ins.Operand | undefined>;

/** Writes the code for the value of a node: none, if it has been computed. */
function value(node: Expr, destination: Destination, writer: Writer): Written {
  const { compilation, emission } = writer;
  if (isAtom(node)) return there(valueOfAtom(node, destination, writer));
  switch (compilation.analysis.placementOf(node)) {
    case 'once':
      return compute(node, destination, writer);
    case 'first':
      return first(node, destination, writer);
    case 'demand':
      return there(demand(node, destination, writer));
    case 'tail':
      invariant(destination.isTail, 'the uses are last');
      emission.emit(ins.JUMP, compilation.targetOf(node, emission.builder), {});
      return there(undefined);
  }
}

/** Nothing is left to write. */
// biome-ignore lint/correctness/useYield: it has no steps.
function* there(operand: ins.Operand | undefined): Written {
  return operand;
}

/** The value of a node that does not end the function. */
function* operandOf(node: Expr, want: Destination['want'], writer: Writer): Steps<ins.Operand> {
  const destination = { want, isTail: false };
  const found = isAtom(node)
    ? valueOfAtom(node, destination, writer)
    : yield* nested(value(node, destination, writer));
  return present(found);
}

function* operandsOf(nodes: ReadonlyArray<Expr>, writer: Writer): Steps<ins.Operand[]> {
  const operands: ins.Operand[] = [];
  for (const node of nodes) {
    const found = isAtom(node)
      ? valueOfAtom(node, ANYWHERE, writer)
      : yield* nested(value(node, ANYWHERE, writer));
    operands.push(found as ins.Operand);
  }
  return operands;
}

/** Writes the computation of a node other than an atom. */
function compute(node: Expr, destination: Destination, writer: Writer): Written {
  const hosted = writer.compilation.hostedAt(node);
  if (hosted !== undefined) return computeHosted(hosted, node, destination, writer);
  switch (node._tag) {
    case 'Tuple':
      return node.fields.length === 0
        ? there(deliver(constantOperand(writer.emission.builder, emptyTuple), destination, writer))
        : apply(ins.TUPLE, undefined, node.fields, node, destination, writer);
    case 'TupleGetItem':
      return apply(ins.PROJECT, node.index, [node.tuple], node, destination, writer);
    case 'Function':
      return there(closure(node, destination, writer));
    case 'Call':
      return call(node, destination, writer);
    case 'Let':
      return bind(node, destination, writer);
    case 'If':
      return branch(node, destination, writer);
    case 'Match':
      return choose(node, destination, writer);
    case 'RefCreate':
      return apply(ins.REF_CREATE, undefined, [node.value], node, destination, writer);
    case 'RefRead':
      return readCell(node, destination, writer);
    case 'RefWrite':
      return apply(ins.REF_WRITE, undefined, [node.ref, node.value], node, destination, writer);
    default:
      return there(valueOfAtom(node, destination, writer));
  }
}

/** Writes the operands of a node, and the one instruction that computes it from them. */
function* apply<Op extends ins.Instruction['op']>(
  op: Op,
  data: ins.DataOf<Op>,
  operands: ReadonlyArray<Expr>,
  node: Expr,
  destination: Destination,
  writer: Writer,
): Written {
  return finish(op, data, node, destination, yield* operandsOf(operands, writer), writer);
}

function* computeHosted(
  { segment, routine }: HostedSegment,
  node: Expr,
  destination: Destination,
  writer: Writer,
): Written {
  const operands = yield* operandsOf(segment.reads, writer);
  const found = new Map(segment.reads.map((read, i) => [read, operands[i] as ins.Operand]));
  const args = Array.from(segment.inputs, (input) => found.get(input) as ins.Operand);
  return finish(ins.HOST, routine, node, destination, operands, writer, args);
}

function valueOfAtom(
  node: Expr,
  destination: Destination,
  writer: Writer,
): ins.Operand | undefined {
  const { compilation, emission } = writer;
  const found = atom(node, emission.builder, compilation);
  if (typeof found === 'number') return deliver(found, destination, writer);
  emission.emit(ins.FAIL, found, {});
  return deliver(constantOperand(emission.builder, emptyTuple), destination, writer);
}

/** Moves an available value to its slot. */
function deliver(
  operand: ins.Operand,
  { want, isTail }: Destination,
  { emission }: Writer,
): ins.Operand | undefined {
  if (isTail) {
    emission.emit(ins.RETURN, undefined, { a: operand, ...emission.leaveWith([operand]) });
    return undefined;
  }
  if (want === undefined || want === operand) return operand;
  emission.emit(ins.MOVE, undefined, { dest: want, a: operand, ...emission.pass([operand]) });
  return want;
}

/** The instruction that computes a node; `args` if an operand has several uses. */
function finish<Op extends ins.Instruction['op']>(
  op: Op,
  data: ins.DataOf<Op>,
  node: Expr,
  { want, isTail }: Destination,
  inputs: ReadonlyArray<ins.Operand>,
  writer: Writer,
  args: ReadonlyArray<ins.Operand> = inputs,
): ins.Operand | undefined {
  const { emission } = writer;
  // The result has a slot of its own: what the instruction reads last is forgotten after it.
  const dest = want ?? temporaryFor(node, writer);
  const { dead, forgotten = [] }: Partial<LastReads> = PASSING.has(op)
    ? emission.pass(inputs)
    : emission.consume(inputs);
  emission.emit(op, data, { dest, args, dead });
  if (PARTS.has(op)) emission.hold([dest]);
  forget(forgotten, writer);
  return deliver(dest, { want: undefined, isTail }, writer);
}

/** The operations whose results hold their operands. */
const PASSING: ReadonlySet<number> = new Set([
  ins.TUPLE,
  ins.CONSTRUCT,
  ins.REF_CREATE,
  ins.REF_WRITE,
]);

/** The operations whose results are held by their operands. */
const PARTS: ReadonlySet<number> = new Set([ins.PROJECT, ins.REF_READ]);

const temporaryFor = (node: Expr, { emission, compilation }: Writer): number =>
  emission.temporary(compilation.refcountingOf(node));

/** A shared node at its first use, or later. */
function* first(node: Expr, destination: Destination, writer: Writer): Written {
  const { emission, compilation } = writer;
  const { builder } = emission;
  const known = lookUp(builder, node);
  if (known !== undefined) return deliver(known, destination, writer);
  const slot = newSlot(builder, compilation.refcountingOf(node));
  yield* nested(compute(node, { want: slot, isTail: false }, writer));
  builder.operands.set(node, slot);
  emission.count(slot, compilation.analysis.usesOf(node));
  return deliver(slot, destination, writer);
}

/** A shared node that is computed at whichever use comes first in the run. */
function demand(node: Expr, destination: Destination, writer: Writer): ins.Operand | undefined {
  const { emission, compilation } = writer;
  const { builder } = emission;
  const home = homeOf(node, builder, compilation);
  const site: ins.SharedSite = {
    routine: home.routine,
    target: compilation.targetOf(node, home),
    slot: sharedSlot(node, home, compilation.refcountingOf(node)),
    hops: hopsTo(home, builder),
  };
  const dest = home === builder ? site.slot : (destination.want ?? temporaryFor(node, writer));
  emission.emit(ins.DEMAND, site, { dest });
  if (home !== builder) emission.hold([dest]);
  return deliver(dest, destination, writer);
}

/** The content of a cell may have a type with `?` if the read has a type with a size. */
function* readCell(node: RefRead, destination: Destination, writer: Writer): Written {
  const inputs = yield* operandsOf([node.ref], writer);
  const type = statedBy(writer.compilation.context.module, node);
  if (type === undefined) return finish(ins.REF_READ, undefined, node, destination, inputs, writer);
  const here: Destination = { ...destination, isTail: false };
  const operand = finish(ins.REF_READ, undefined, node, here, inputs, writer) as ins.Operand;
  checkSizes([{ operand, subject: 'what the reference holds', type, span: node.span }], writer);
  return deliver(operand, { want: undefined, isTail: destination.isTail }, writer);
}

function closure(node: Func, destination: Destination, writer: Writer): ins.Operand | undefined {
  const { emission, compilation } = writer;
  const child = compilation.builderOf(node, emission.builder);
  const site: ins.ClosureSite = { routine: child.routine, sources: [], self: [] };
  compilation.closureMade(site, child);
  return finish(ins.CLOSURE, site, node, destination, [], writer);
}

function call(node: Call, destination: Destination, writer: Writer): Written {
  const { op, args, attrs = noAttrs, span } = node;
  if (op._tag === 'Constructor') return construct(node, op, destination, writer);
  if (op._tag !== 'Op') return callFunction(node, destination, writer);
  const site = operatorSite(op.name, attrs, span, writer.compilation.context.module.ops);
  return apply(operatorCode(site, args.length), site, args, node, destination, writer);
}

function* construct(
  node: Call,
  ctor: Constructor,
  destination: Destination,
  writer: Writer,
): Written {
  const { builder } = writer.emission;
  if (node.args.length === 0) {
    const constant = (): ins.Operand => constantOperand(builder, adtValue(ctor, []));
    return deliver(remember(builder.operands, ctor, constant), destination, writer);
  }
  const inputs = yield* operandsOf(node.args, writer);
  const check = inputsCheck(ctor, node.span, inputs, () => newSlot(builder, 'none'));
  return finish(ins.CONSTRUCT, { ctor, check }, node, destination, inputs, writer);
}

function* callFunction(node: Call, { want, isTail }: Destination, writer: Writer): Written {
  const { emission, compilation } = writer;
  const args = yield* operandsOf(node.args, writer);
  const a = yield* operandOf(node.op, undefined, writer);
  const site = { span: node.span };
  const { analysis, context } = compilation;
  const claim = sizeClaimOf(node, context.module, analysis.functionOf);
  const mayEnd = isTail && claim?.mayBeKept !== false;
  const { dead } = mayEnd ? emission.leaveWith(args) : emission.pass(args);
  const callee = emission.consume([a]).dead;
  if (mayEnd) {
    const otherwise: ins.Target = { at: -1 };
    if (claim !== undefined) {
      emission.emit(ins.UNLESS_KEPT, { type: claim.type, otherwise, kept: undefined }, { a });
    }
    emission.emit(ins.TAIL_CALL, site, { a, args, dead });
    otherwise.at = here(writer);
    if (claim === undefined) return undefined;
  }
  const dest = want ?? temporaryFor(node, writer);
  emission.emit(ins.CALL, site, { dest, a, args, dead: [...dead, ...callee] });
  if (claim !== undefined) {
    const subject = `the result of ${calleeName(node.op)}`;
    checkSizes([{ operand: dest, subject, type: claim.type, span: node.span }], writer);
  }
  return deliver(dest, { want: undefined, isTail }, writer);
}

const here = ({ emission }: Writer): number => emission.builder.routine.instructions.length;

function checkSizes(values: ReadonlyArray<CheckedValue>, writer: Writer): void {
  const { emission, compilation } = writer;
  const check = compilation.checkOf(values, emission.builder);
  if (check !== undefined) emission.emit(ins.CHECK, check, {});
}

/** A let, and those that its body begins with. */
function* bind(node: Let, destination: Destination, writer: Writer): Written {
  const { analysis } = writer.compilation;
  let at: Let = node;
  for (;;) {
    if (!isInner(at, writer)) {
      const slot = slotFor(at.variable, at.value, writer);
      bound(at, slot, yield* operandOf(at.value, slot, writer), writer);
    }
    const { body } = at;
    if (body._tag !== 'Let' || analysis.placementOf(body) !== 'once') break;
    at = body;
  }
  return yield* nested(value(at.body, destination, writer));
}

/** Whether a let names a part of a segment, which is computed with the rest of it. */
const isInner = ({ variable, value }: Let, { compilation }: Writer): boolean =>
  compilation.hostedAt(value)?.segment.variables.get(value) === variable;

/** A slot for a variable that is read, for values like this one. */
const slotFor = (
  variable: Var,
  like: Expr,
  { emission, compilation }: Writer,
): number | undefined =>
  compilation.analysis.usesOf(variable) > 0
    ? newSlot(emission.builder, compilation.refcountingOf(like))
    : undefined;

/** The value of a let is in the variable's slot; it is checked where its type states less. */
function bound(
  { variable, value, span }: Let,
  slot: number | undefined,
  operand: ins.Operand,
  writer: Writer,
): void {
  const { emission, compilation } = writer;
  const type = variable.typeAnnotation;
  if (mayDiffer(compilation.context.module, value, type)) {
    const subject = `variable %${variable.nameHint}`;
    checkSizes([{ operand, subject, type, span: variable.span ?? span }], writer);
  }
  if (slot === undefined) {
    const { dead, forgotten } = emission.consume([operand]);
    forget([...dead, ...forgotten], writer);
  } else {
    emission.builder.operands.set(variable, slot);
    emission.count(slot, compilation.analysis.usesOf(variable));
  }
}

function forget(dead: ReadonlyArray<number>, { emission }: Writer): void {
  if (dead.length > 0) emission.emit(ins.FORGET, undefined, { dead });
}

function* branch(node: If, destination: Destination, writer: Writer): Written {
  const { emission } = writer;
  const cond = yield* operandOf(node.cond, undefined, writer);
  const otherwise: ins.Target = { at: -1 };
  emission.emit(ins.BRANCH, otherwise, { a: cond, dead: emission.consume([cond]).dead });
  const parts = [
    { target: undefined, body: node.trueBranch },
    { target: otherwise, body: node.falseBranch },
  ];
  return yield* arms(parts, node, destination, writer);
}

function* choose(node: Match, destination: Destination, writer: Writer): Written {
  const { emission } = writer;
  const data = yield* operandOf(node.data, undefined, writer);
  const clauses = node.clauses.map((clause) => clauseArm(clause, node, writer));
  const { dead, forgotten } = emission.consume([data]);
  emission.emit(ins.MATCH, { clauses, span: node.span }, { a: data, dead });
  const parts = clauses.map((clause) => ({ ...clause, forgotten }));
  return yield* arms(parts, node, destination, writer);
}

interface ArmPart {
  readonly target: ins.Target | undefined;
  readonly body: Expr;
  readonly slots?: ReadonlyArray<readonly [slot: number, uses: number]>;
  /** Fields of data may be of types with `?` if the type of the data has sizes. */
  readonly checks?: ReadonlyArray<CheckedValue>;
  /** The slot of the data, if it is not read again. */
  readonly forgotten?: ReadonlyArray<number>;
}

/** A clause, with slots for the variables of its pattern that are read. */
function clauseArm({ pattern, body }: Clause, node: Match, writer: Writer) {
  const { compilation, emission } = writer;
  const { builder } = emission;
  const slots: Array<readonly [slot: number, uses: number]> = [];
  const checks: CheckedValue[] = [];
  const steps = matchSteps(pattern, (variable) => {
    const slot = slotFor(variable, variable, writer);
    if (slot === undefined) return undefined;
    builder.operands.set(variable, slot);
    slots.push([slot, compilation.analysis.usesOf(variable)]);
    const type = statedBy(compilation.context.module, variable);
    const subject = `variable %${variable.nameHint}`;
    const span = variable.span ?? node.span;
    if (type !== undefined) checks.push({ operand: slot, subject, type, span });
    return slot;
  });
  return { steps, target: { at: -1 }, body, slots, checks };
}

/** Alternative parts, one of which runs. Their values end up in one slot. */
function* arms(
  parts: ReadonlyArray<ArmPart>,
  node: Expr,
  { want, isTail }: Destination,
  writer: Writer,
): Written {
  const { emission } = writer;
  const outer = emission.arm();
  const end: ins.Target = { at: -1 };
  const dest = isTail ? undefined : (want ?? temporaryFor(node, writer));
  const dying: number[][] = [];
  for (const [i, { target, body, slots = [], checks = [], forgotten = [] }] of parts.entries()) {
    if (target !== undefined) target.at = here(writer);
    dying.push(emission.enter(outer).dying);
    for (const [slot, uses] of slots) emission.count(slot, uses);
    emission.hold(slots.map(([slot]) => slot));
    forget(forgotten, writer);
    checkSizes(checks, writer);
    yield* nested(value(body, { want: dest, isTail }, writer));
    if (!isTail && i < parts.length - 1) emission.emit(ins.JUMP, end, {});
  }
  end.at = here(writer);
  emission.goOn(outer);
  if (dest !== undefined) forget(dying.flat(), writer);
  return dest;
}

/** The operand of an atom, or the reason why there is none. */
function atom(node: Expr, builder: Builder, { context }: Compilation): ins.Operand | Diagnostic {
  switch (node._tag) {
    case 'Var':
      return lookUp(builder, node) ?? diagnostics.unboundVariable(node.nameHint, node.span);
    case 'Constant':
      return remember(builder.operands, node, () => constantOperand(builder, boxed(node.data)));
    case 'GlobalVar': {
      const closure = context.globalFunction(node.nameHint);
      return closure === undefined
        ? diagnostics.unknownGlobal(node.nameHint, node.span)
        : constantOperand(builder, closure);
    }
    case 'Op':
    case 'Constructor': {
      const wrapped = context.wrapped(node);
      return wrapped._tag === 'Closure' ? constantOperand(builder, wrapped) : wrapped;
    }
    default:
      return diagnostics.notCovered('a node private to a pass', node.span);
  }
}

/** The routine whose activation owns a node. */
function homeOf(node: Expr, builder: Builder, { analysis }: Compilation): Builder {
  const func = analysis.homeOf(node);
  let at: Builder | undefined = builder;
  while (at !== undefined && at.routine.func !== func) at = at.parent;
  return present(at);
}

/** The number of environments between an activation and the owner of a shared node. */
function hopsTo(home: Builder, builder: Builder): number {
  let hops = ins.NOWHERE;
  for (let at: Builder | undefined = builder; at !== undefined; at = at.parent) {
    if (at === home) return at === builder ? ins.NOWHERE : hops + 1;
    if (at.routine.sharesSlots) hops += 1;
  }
  return ins.NOWHERE;
}
