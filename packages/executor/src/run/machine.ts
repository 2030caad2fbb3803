/**
 * Runs compiled functions. Waiting calls are a list in the heap, so no recursion overflows; a tail
 * call replaces its caller's activation.
 */
import { invariant, type Span } from '@baton/base';
import { readNumber } from '@baton/tensor';
import * as ins from '../code/instruction.ts';
import * as diagnostics from '../diagnostics.ts';
import { statesResult } from '../size-claims.ts';
import { stop } from '../stop.ts';
import { checkDimensions, type DimensionCheck, slotSizes } from '../values/dimensions.ts';
import { printValue, SHOWN_CHARACTERS } from '../values/print-value.ts';
import { Scalar } from '../values/scalar.ts';
import {
  adtValue,
  type Closure,
  type Environment,
  emptyTuple,
  ofKind,
  refValue,
  type Value,
} from '../values/value.ts';
import { type CallContext, callOperator, onScalars } from './operators.ts';
import type { Pool } from './pool.ts';

type Slots = Array<Value | undefined>;
type Constants = ReadonlyArray<Value>;

type Of<Op extends ins.Instruction['op']> = Extract<ins.Instruction, { op: Op }>;

/** The slots of an activation, for closures that demand its shared nodes. */
interface Surroundings extends Environment {
  readonly slots: Slots;
  readonly outer: Surroundings | undefined;
}

class Frame {
  readonly routine: ins.Routine;
  readonly slots: Slots;
  readonly surroundings: Surroundings | undefined;
  at: number;
  readonly caller: Frame | undefined;
  /** The caller's slot for the result. */
  readonly dest: number;
  /** The open calls around this activation. A computation of a shared node is no call. */
  readonly depth: number;

  constructor(
    routine: ins.Routine,
    slots: Slots,
    surroundings: Surroundings | undefined,
    at: number,
    caller: Frame | undefined,
    dest: number,
    depth: number,
  ) {
    this.routine = routine;
    this.slots = slots;
    this.surroundings = surroundings;
    this.at = at;
    this.caller = caller;
    this.dest = dest;
    this.depth = depth;
  }
}

/** The value of a call of a function, with a holder in the pool for the caller to give up. */
export function runClosure(
  closure: Closure,
  args: ReadonlyArray<Value>,
  context: CallContext,
): Value {
  const routine = routineOf(closure, args.length, undefined, context);
  const slots = new Array<Value | undefined>(routine.slotCount);
  for (const [i, arg] of args.entries()) slots[i] = arg;
  return run(activation(closure, routine, slots, undefined, ins.NOWHERE), context);
}

/** Follows the instructions of an activation, and of all that it calls, to its result. */
function run(start: Frame, context: CallContext): Value {
  const { meter, pool } = context;
  let frame = start;
  entered: for (;;) {
    const { slots, routine } = frame;
    const { instructions, constants } = routine;
    let { at } = frame;
    for (;;) {
      const it = instructions[at] as ins.Instruction;
      at += 1;
      switch (it.op) {
        case ins.JUMP:
          at = it.data.at;
          break;
        case ins.BRANCH:
          if (isFalse(read(slots, constants, it.a))) at = it.data.at;
          break;
        case ins.MATCH:
          at = choose(it.data, read(slots, constants, it.a), slots).at;
          clear(slots, it.dead);
          break;
        case ins.UNLESS_KEPT:
          if (!isKept(it.data, read(slots, constants, it.a))) at = it.data.otherwise.at;
          break;
        case ins.SCALAR: {
          const x = read(slots, constants, it.a);
          const y = read(slots, constants, it.b);
          meter.countStep(it.data.span);
          slots[it.dest] = onScalars(it.data, x, y, meter) ?? operatorResult(it, frame, context);
          break;
        }
        case ins.OPERATOR:
          meter.countStep(it.data.span);
          slots[it.dest] = operatorResult(it, frame, context);
          break;
        case ins.TRY_HOST:
          if (!isHosted(it, frame, context)) at = it.data.otherwise.at;
          break;
        case ins.TUPLE:
          store(slots, it, pool.tuple(readAll(slots, constants, it.args)));
          break;
        case ins.HOLD:
          for (const slot of it.args) pool.hold(read(slots, constants, slot));
          break;
        case ins.FORGET:
          for (const slot of it.dead) pool.drop(read(slots, constants, slot));
          clear(slots, it.dead);
          break;
        case ins.CHECK:
          checkSizes(it.data, slots, constants);
          break;
        case ins.FAIL:
          return stop(it.data);
        case ins.CALL:
          frame.at = at;
          frame = called(it, frame, frame, it.dest, context);
          continue entered;
        case ins.TAIL_CALL:
          frame = called(it, frame, frame.caller, frame.dest, context);
          continue entered;
        case ins.DEMAND:
          frame.at = at;
          frame = demanded(it, frame);
          continue entered;
        case ins.RETURN_SHARED:
        case ins.RETURN: {
          const value = read(slots, constants, it.a);
          if (it.op === ins.RETURN_SHARED) slots[it.dest] = value;
          if (frame.caller === undefined) return value;
          frame.caller.slots[frame.dest] = value;
          frame = frame.caller;
          continue entered;
        }
        default:
          store(slots, it, resultOf(it, frame, context));
      }
    }
  }
}

/** Puts the result of an instruction in its slot, and empties those that are not read again. */
function store(slots: Slots, { dest, dead }: ins.Instruction, value: Value): void {
  clear(slots, dead);
  slots[dest] = value;
}

function clear(slots: Slots, dead: ReadonlyArray<number>): void {
  for (let i = 0; i < dead.length; i++) slots[dead[i] as number] = undefined;
}

const read = (slots: Slots, constants: Constants, operand: ins.Operand): Value =>
  (operand >= 0 ? slots[operand] : constants[~operand]) as Value;

function readAll(
  slots: Slots,
  constants: Constants,
  operands: ReadonlyArray<ins.Operand>,
): Value[] {
  const values: Value[] = [];
  for (let i = 0; i < operands.length; i++) {
    values.push(read(slots, constants, operands[i] as number));
  }
  return values;
}

function isFalse(cond: Value): boolean {
  if (cond instanceof Scalar) return cond.element === 0;
  // A cell may hold a tensor of rank 0 that another executor wrote.
  return readNumber(ofKind(cond, 'Tensor'), 0) === 0;
}

const operatorResult = (
  { data, args }: Of<typeof ins.SCALAR | typeof ins.OPERATOR>,
  { slots, routine }: Frame,
  context: CallContext,
): Value => callOperator(context, data, readAll(slots, routine.constants, args));

/** The result of an instruction that makes a value of its operands, or finds one in them. */
function resultOf(
  it: Of<
    | typeof ins.MOVE
    | typeof ins.PROJECT
    | typeof ins.CLOSURE
    | typeof ins.CONSTRUCT
    | typeof ins.REF_CREATE
    | typeof ins.REF_READ
    | typeof ins.REF_WRITE
    | typeof ins.HOST
  >,
  frame: Frame,
  { pool, meter }: CallContext,
): Value {
  const { slots } = frame;
  const { constants } = frame.routine;
  switch (it.op) {
    case ins.MOVE:
      return read(slots, constants, it.a);
    case ins.PROJECT:
      return ofKind(read(slots, constants, it.a), 'Tuple').fields[it.data] as Value;
    case ins.CLOSURE:
      return makeClosure(it.data, frame, pool);
    case ins.CONSTRUCT:
      if (it.data.check !== undefined) checkSizes(it.data.check, slots, constants);
      return adtValue(it.data.ctor, readAll(slots, constants, it.args));
    case ins.REF_CREATE:
      return refValue(read(slots, constants, it.a));
    case ins.REF_READ:
      return ofKind(read(slots, constants, it.a), 'Ref').value;
    case ins.REF_WRITE:
      ofKind(read(slots, constants, it.a), 'Ref').value = read(slots, constants, it.b);
      return emptyTuple;
    case ins.HOST:
      return it.data.call(readAll(slots, constants, it.args), meter, frame.depth);
  }
}

/** Whether the host computes a call: its value is in its slot then. */
function isHosted(
  it: Of<typeof ins.TRY_HOST>,
  { slots, routine, depth }: Frame,
  context: CallContext,
) {
  const args = readAll(slots, routine.constants, it.args);
  const value = it.data.call(args, context.meter, depth);
  if (value !== undefined) store(slots, it, value);
  return value !== undefined;
}

function makeClosure(
  { routine, sources, self }: ins.ClosureSite,
  { slots, routine: { constants }, surroundings }: Frame,
  pool: Pool,
): Closure {
  const captured = readAll(slots, constants, sources);
  const closure: Closure = {
    _tag: 'Closure',
    func: routine.func,
    code: routine,
    captured,
    environment: surroundings,
  };
  for (const index of self) captured[index] = closure;
  for (const value of captured) pool.hold(value);
  return closure;
}

function checkSizes(check: DimensionCheck, slots: Slots, constants: Constants): void {
  checkDimensions(check.values, slotSizes(check.sizes, slots), (operand) =>
    read(slots, constants, operand),
  );
}

/** Whether a function states the result that a call of it promises; a positive answer is kept. */
function isKept(site: ins.KeptSite, value: Value): boolean {
  const { code, func } = ofKind(value, 'Closure');
  if (site.kept === code) return true;
  if (!statesResult(func, site.type)) return false;
  site.kept = code;
  return true;
}

/** The activation of a called function; its result goes to `dest` of `caller`. */
function called(
  { a, args, data: { span }, dead }: Of<typeof ins.CALL | typeof ins.TAIL_CALL>,
  { slots: from, routine: { constants } }: Frame,
  caller: Frame | undefined,
  dest: number,
  context: CallContext,
): Frame {
  const { meter } = context;
  meter.countStep(span);
  const callee = ofKind(read(from, constants, a), 'Closure');
  const routine = routineOf(callee, args.length, span, context);
  const slots = new Array<Value | undefined>(routine.slotCount);
  for (let i = 0; i < args.length; i++) slots[i] = read(from, constants, args[i] as number);
  const entered = activation(callee, routine, slots, caller, dest);
  meter.checkDepth(entered.depth, span);
  clear(from, dead);
  return entered;
}

/** The code of a function for this many arguments, compiled. */
function routineOf(
  { code, func }: Closure,
  count: number,
  span: Span | undefined,
  { executor }: CallContext,
): ins.Routine {
  // A cell given to both executors may hold a function of the other.
  if (code.executor !== executor) {
    return stop(diagnostics.foreignFunction('a call', executor, span));
  }
  // Only the compiler makes code of this name, and it makes routines.
  const routine = code as ins.Routine;
  if (routine.compile !== undefined) routine.compile();
  if (count !== routine.parameterCount) {
    stop(diagnostics.argumentCount(routine.parameterCount, count, func?.span));
  }
  return routine;
}

/** A new activation with arguments in its slots, whose sizes are compared with the types. */
function activation(
  { captured, environment }: Closure,
  routine: ins.Routine,
  slots: Slots,
  caller: Frame | undefined,
  dest: number,
): Frame {
  for (let i = 0; i < captured.length; i++) slots[routine.captureSlots[i] as number] = captured[i];
  // Closures of the machine have only environments of the machine.
  const outer = environment as Surroundings | undefined;
  const surroundings: Surroundings | undefined = routine.sharesSlots
    ? { _tag: 'Environment', slots, outer }
    : outer;
  if (routine.check !== undefined) checkSizes(routine.check, slots, []);
  const depth = caller === undefined ? 0 : caller.depth + 1;
  return new Frame(routine, slots, surroundings, 0, caller, dest, depth);
}

/** The frame that goes on at a demand: the node's computation, or the same one if it is known. */
function demanded({ data, dest }: Of<typeof ins.DEMAND>, frame: Frame): Frame {
  let owner = frame.surroundings;
  for (let i = 0; i < data.hops; i++) owner = owner?.outer;
  const slots = data.hops < 0 ? frame.slots : owner?.slots;
  invariant(slots !== undefined, 'an owner is there');
  const known = slots[data.slot];
  if (known === undefined) {
    const { routine, target } = data;
    return new Frame(routine, slots, owner, target.at, frame, dest, frame.depth);
  }
  frame.slots[dest] = known;
  return frame;
}

/** The target of the first clause that matches, whose variables are then bound. */
function choose({ clauses, span }: ins.MatchSite, value: Value, slots: Slots): ins.Target {
  for (const { steps, target } of clauses) if (matches(steps, value, slots)) return target;
  return stop(diagnostics.noMatch(printValue(value, SHOWN_CHARACTERS), span));
}

function matches(steps: ReadonlyArray<ins.MatchStep>, value: Value, slots: Slots): boolean {
  let registers: Value[] | undefined;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as ins.MatchStep;
    const from = step.register === 0 ? value : (registers?.[step.register] as Value);
    switch (step.kind) {
      case 'test':
        if (from._tag !== 'Adt' || from.ctor.tag !== step.index) return false;
        break;
      case 'bind':
        slots[step.to] = fieldOf(from, step.index);
        break;
      case 'load':
        registers ??= [value];
        registers[step.to] = fieldOf(from, step.index);
        break;
      case 'bindWhole':
        slots[step.to] = from;
        break;
    }
  }
  return true;
}

function fieldOf(value: Value, index: number): Value {
  invariant(value._tag === 'Adt' || value._tag === 'Tuple', 'a pattern fits');
  return value.fields[index] as Value;
}
