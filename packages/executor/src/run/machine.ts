/**
 * Runs compiled functions. Calls that wait are a list in the heap, so no recursion overflows; a
 * call that ends its function takes the place of the function's activation.
 */
import {
  type Diagnostic,
  fail,
  invariant,
  isLeft,
  type Result,
  right,
  type Span,
} from '@baton/base';
import type { OpTable } from '@baton/ir';
import * as ins from '../code/instruction.ts';
import * as diagnostics from '../diagnostics.ts';
import type { Meter } from '../limits.ts';
import { statesResult } from '../promises.ts';
import { checkDimensions, type DimensionCheck, slotSizes } from '../values/dimensions.ts';
import { printValue, SHOWN_CHARACTERS } from '../values/print-value.ts';
import { Scalar } from '../values/scalar.ts';
import {
  adtValue,
  type Closure,
  type Environment,
  emptyTuple,
  type RefValue,
  refValue,
  tupleValue,
  type Value,
} from '../values/value.ts';
import { callOperator } from './operators.ts';

type Slots = Array<Value | undefined>;

/** The slots of an activation, for closures that demand shared nodes of it. */
interface Surroundings extends Environment {
  readonly slots: Slots;
  readonly outer: Surroundings | undefined;
}

/** An activation, or the computation of a shared node in one. */
class Frame {
  routine: ins.Routine;
  slots: Slots;
  surroundings: Surroundings | undefined;
  /** The next instruction. */
  at: number;
  readonly caller: Frame | undefined;
  /** Where the caller wants the result. */
  readonly dest: number;
  readonly depth: number;

  constructor(
    routine: ins.Routine,
    slots: Slots,
    surroundings: Surroundings | undefined,
    at: number,
    caller: Frame | undefined,
    dest: number,
  ) {
    this.routine = routine;
    this.slots = slots;
    this.surroundings = surroundings;
    this.at = at;
    this.caller = caller;
    this.dest = dest;
    this.depth = caller === undefined ? 0 : caller.depth + 1;
  }
}

/** The value of a call of a function. */
export function runClosure(
  ops: OpTable,
  closure: Closure,
  args: ReadonlyArray<Value>,
  meter: Meter,
): Result<Value> {
  const operands = args.map((_, i) => i);
  const started = enter(closure, operands, args.slice(), [], undefined, ins.NOWHERE, undefined);
  return started instanceof Frame ? run(ops, started, meter) : fail(started);
}

function run(ops: OpTable, start: Frame, meter: Meter): Result<Value> {
  let frame = start;
  let steps = 0;
  let limit = meter.next;
  activation: for (;;) {
    const { slots, routine } = frame;
    const { instructions, constants } = routine;
    let { at } = frame;
    for (;;) {
      const instruction = instructions[at] as ins.Instruction;
      at += 1;
      const { dead } = instruction;
      switch (instruction.op) {
        case ins.MOVE: {
          const value = read(slots, constants, instruction.a);
          clear(slots, dead);
          slots[instruction.dest] = value;
          break;
        }
        case ins.RETURN: {
          const value = read(slots, constants, instruction.a);
          const { caller } = frame;
          if (caller === undefined) return right(value);
          caller.slots[frame.dest] = value;
          frame = caller;
          continue activation;
        }
        case ins.RETURN_SHARED: {
          const value = read(slots, constants, instruction.a);
          const { caller } = frame;
          invariant(caller !== undefined, 'a shared node is demanded by an activation');
          slots[instruction.dest] = value;
          caller.slots[frame.dest] = value;
          frame = caller;
          continue activation;
        }
        case ins.JUMP:
          at = instruction.data.at;
          break;
        case ins.BRANCH: {
          const cond = read(slots, constants, instruction.a);
          clear(slots, dead);
          invariant(cond instanceof Scalar, 'a typed condition is a scalar');
          if (cond.element === 0) at = instruction.data.at;
          break;
        }
        case ins.UNARY:
        case ins.BINARY:
        case ins.OPERATOR: {
          const site = instruction.data;
          steps += 1;
          if (steps > limit) {
            const next = meter.reached(steps, site.span);
            if (typeof next !== 'number') return fail(next);
            limit = next;
          }
          if (instruction.op !== ins.OPERATOR) {
            const x = read(slots, constants, instruction.a);
            if (x instanceof Scalar && x.dtype === site.dtype) {
              const y = instruction.op === ins.UNARY ? x : read(slots, constants, instruction.b);
              if (y instanceof Scalar && y.dtype === site.dtype) {
                clear(slots, dead);
                slots[instruction.dest] = new Scalar(site.out, site.apply(x.element, y.element));
                break;
              }
            }
          }
          const args = readAll(slots, constants, instruction.args);
          clear(slots, dead);
          const result = callOperator(ops, site, args, meter.maxBytes);
          if (isLeft(result)) return result;
          slots[instruction.dest] = result.right;
          break;
        }
        case ins.CALL:
        case ins.TAIL_CALL: {
          const { data, args, op } = instruction;
          steps += 1;
          if (steps > limit) {
            const next = meter.reached(steps, data.span);
            if (typeof next !== 'number') return fail(next);
            limit = next;
          }
          const callee = read(slots, constants, instruction.a);
          invariant(callee._tag === 'Closure', 'a typed call has a function to call');
          frame.at = at;
          const isTail = op === ins.TAIL_CALL;
          const caller = isTail ? frame.caller : frame;
          const dest = isTail ? frame.dest : instruction.dest;
          const entered = enter(callee, args, slots, constants, caller, dest, data.span);
          if (!(entered instanceof Frame)) return fail(entered);
          if (entered.depth > meter.maxDepth) {
            return fail(diagnostics.tooDeep(meter.maxDepth, data.span));
          }
          clear(slots, dead);
          frame = entered;
          continue activation;
        }
        case ins.TUPLE: {
          const fields = readAll(slots, constants, instruction.args);
          clear(slots, dead);
          slots[instruction.dest] = tupleValue(fields);
          break;
        }
        case ins.PROJECT: {
          const tuple = read(slots, constants, instruction.a);
          clear(slots, dead);
          invariant(tuple._tag === 'Tuple', 'a typed projection has a tuple');
          slots[instruction.dest] = tuple.fields[instruction.data];
          break;
        }
        case ins.CLOSURE:
          slots[instruction.dest] = makeClosure(instruction.data, frame);
          break;
        case ins.CONSTRUCT: {
          const { ctor, check } = instruction.data;
          const failed = check && compare(check, slots, constants);
          if (failed !== undefined) return fail(failed);
          const fields = readAll(slots, constants, instruction.args);
          clear(slots, dead);
          slots[instruction.dest] = adtValue(ctor, fields);
          break;
        }
        case ins.MATCH: {
          const value = read(slots, constants, instruction.a);
          const target = choose(instruction.data, value, slots);
          if (target === undefined) {
            const shown = printValue(value, SHOWN_CHARACTERS);
            return fail(diagnostics.noMatch(shown, instruction.data.span));
          }
          clear(slots, dead);
          at = target.at;
          break;
        }
        case ins.REF_CREATE: {
          const value = read(slots, constants, instruction.a);
          clear(slots, dead);
          slots[instruction.dest] = refValue(value);
          break;
        }
        case ins.REF_READ: {
          const cell = cellOf(read(slots, constants, instruction.a));
          clear(slots, dead);
          slots[instruction.dest] = cell.value;
          break;
        }
        case ins.REF_WRITE: {
          const cell = cellOf(read(slots, constants, instruction.a));
          cell.value = read(slots, constants, instruction.b);
          clear(slots, dead);
          slots[instruction.dest] = emptyTuple;
          break;
        }
        case ins.DEMAND: {
          const { data, dest } = instruction;
          const owner = outwards(frame, data.hops);
          const owned = data.hops < 0 ? slots : owner?.slots;
          invariant(owned !== undefined, 'the activation that owns a shared node is at hand');
          const known = owned[data.slot];
          if (known === undefined) {
            frame.at = at;
            frame = new Frame(data.routine, owned, owner, data.target.at, frame, dest);
            continue activation;
          }
          slots[dest] = known;
          break;
        }
        case ins.FORGET:
          clear(slots, dead);
          break;
        case ins.CHECK: {
          const failed = compare(instruction.data, slots, constants);
          if (failed !== undefined) return fail(failed);
          break;
        }
        case ins.FAIL:
          return fail(instruction.data);
        case ins.UNLESS_KEPT: {
          const callee = read(slots, constants, instruction.a);
          if (!isKept(instruction.data, callee)) at = instruction.data.otherwise.at;
          break;
        }
      }
    }
  }
}

const read = (slots: Slots, constants: ReadonlyArray<Value>, operand: ins.Operand): Value =>
  (operand >= 0 ? slots[operand] : constants[~operand]) as Value;

const compare = (
  check: DimensionCheck,
  slots: Slots,
  constants: ReadonlyArray<Value>,
): Diagnostic | undefined =>
  checkDimensions(check.values, slotSizes(check.sizes, slots), (operand) =>
    read(slots, constants, operand),
  );

function readAll(
  slots: Slots,
  constants: ReadonlyArray<Value>,
  operands: ReadonlyArray<ins.Operand>,
): Value[] {
  const values: Value[] = [];
  for (let i = 0; i < operands.length; i++) {
    values.push(read(slots, constants, operands[i] as number));
  }
  return values;
}

function makeClosure({ routine, sources, self }: ins.ClosureSite, frame: Frame): Closure {
  const captured = readAll(frame.slots, frame.routine.constants, sources);
  const closure: Closure = {
    _tag: 'Closure',
    func: routine.func,
    code: routine,
    captured,
    environment: frame.surroundings,
  };
  for (const index of self) captured[index] = closure;
  return closure;
}

function clear(slots: Slots, dead: ReadonlyArray<number>): void {
  for (let i = 0; i < dead.length; i++) slots[dead[i] as number] = undefined;
}

function cellOf(value: Value): RefValue {
  invariant(value._tag === 'Ref', 'a typed reference operation has a reference');
  return value;
}

/** Whether a function states the result that a call of it promises; once found, it is known. */
function isKept(site: ins.KeptSite, callee: Value): boolean {
  invariant(callee._tag === 'Closure', 'a typed call has a function to call');
  if (site.kept === callee.code) return true;
  if (!statesResult(callee.func, site.type)) return false;
  site.kept = callee.code;
  return true;
}

/** The surroundings so many steps out; those of the activation itself for none. */
function outwards(frame: Frame, hops: number): Surroundings | undefined {
  let at = frame.surroundings;
  for (let i = 0; i < hops; i++) at = at?.outer;
  return at;
}

/**
 * A new activation, with arguments from another: they are put in place, and their sizes are what
 * the types say.
 */
function enter(
  closure: Closure,
  args: ReadonlyArray<ins.Operand>,
  from: Slots,
  constants: ReadonlyArray<Value>,
  caller: Frame | undefined,
  dest: number,
  span: Span | undefined,
): Frame | Diagnostic {
  // A cell that both executors were given may hold a function of the other.
  if (closure.code.executor !== 'interpreter') {
    return diagnostics.foreignFunction('a call', 'interpreter', span);
  }
  // Only the compiler makes code of this name, and it makes routines.
  const routine = closure.code as ins.Routine;
  if (routine.compile !== undefined) routine.compile();
  if (args.length !== routine.parameterCount) {
    return diagnostics.argumentCount(routine.parameterCount, args.length, closure.func?.span);
  }
  const slots = new Array<Value | undefined>(routine.slotCount);
  for (let i = 0; i < args.length; i++) slots[i] = read(from, constants, args[i] as number);
  const { captured } = closure;
  for (let i = 0; i < captured.length; i++) {
    slots[routine.captureSlots[i] as number] = captured[i];
  }
  // Only an environment of the machine's own making is ever put into a closure.
  const around = closure.environment as Surroundings | undefined;
  const surroundings: Surroundings | undefined = routine.sharesSlots
    ? { _tag: 'Environment', slots, outer: around }
    : around;
  if (routine.check !== undefined) {
    const failed = compare(routine.check, slots, []);
    if (failed !== undefined) return failed;
  }
  return new Frame(routine, slots, surroundings, 0, caller, dest);
}

/** Tries the clauses in order; variables of one that fails half-way are bound to no effect. */
function choose(site: ins.MatchSite, value: Value, slots: Slots): ins.Target | undefined {
  for (const { steps, target } of site.clauses) {
    if (matches(steps, value, slots)) return target;
  }
  return undefined;
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
  invariant(value._tag === 'Adt' || value._tag === 'Tuple', 'a typed pattern fits its value');
  return value.fields[index] as Value;
}
