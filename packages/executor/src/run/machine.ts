/**
 * Runs compiled functions. Waiting calls are a list in the heap, so no recursion overflows; a tail
 * call replaces its caller's activation.
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
  type Value,
} from '../values/value.ts';
import { callOperator } from './operators.ts';
import type { Pool } from './pool.ts';

type Slots = Array<Value | undefined>;

/** The slots of an activation, for closures that demand its shared nodes. */
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
  /** The caller's slot for the result. */
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

/** The value of a call of a function. A place in `pool` holds it, for the caller to give up. */
export function runClosure(
  ops: OpTable,
  closure: Closure,
  args: ReadonlyArray<Value>,
  meter: Meter,
  pool: Pool,
): Result<Value> {
  const operands = args.map((_, i) => i);
  const started = enter(
    closure,
    operands,
    args.slice(),
    [],
    undefined,
    ins.NOWHERE,
    pool,
    undefined,
  );
  return started instanceof Frame ? run(ops, started, meter, pool) : fail(started);
}

function run(ops: OpTable, start: Frame, meter: Meter, pool: Pool): Result<Value> {
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
          store(slots, instruction, value, pool);
          break;
        }
        case ins.RETURN: {
          const value = read(slots, constants, instruction.a);
          const { caller } = frame;
          // A slot that ends with its activation hands on the place that it has been.
          if (instruction.a < 0 || routine.sharesSlots) pool.hold(value);
          if (caller === undefined) return right(value);
          caller.slots[frame.dest] = value;
          frame = caller;
          continue activation;
        }
        case ins.RETURN_SHARED: {
          const value = read(slots, constants, instruction.a);
          const { caller } = frame;
          invariant(caller !== undefined, 'a shared node is demanded by an activation');
          put(slots, instruction.dest, value, pool);
          put(caller.slots, frame.dest, value, pool);
          frame = caller;
          continue activation;
        }
        case ins.JUMP:
          at = instruction.data.at;
          break;
        case ins.BRANCH: {
          const cond = read(slots, constants, instruction.a);
          clear(slots, dead, pool);
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
                clear(slots, dead, pool);
                slots[instruction.dest] = new Scalar(site.out, site.apply(x.element, y.element));
                break;
              }
            }
          }
          const args = readAll(slots, constants, instruction.args);
          const result = callOperator(ops, site, args, meter.maxBytes, pool);
          if (isLeft(result)) return result;
          clear(slots, dead, pool);
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
          const entered = enter(callee, args, slots, constants, caller, dest, pool, data.span);
          if (!(entered instanceof Frame)) return fail(entered);
          if (entered.depth > meter.maxDepth) {
            return fail(diagnostics.tooDeep(meter.maxDepth, data.span));
          }
          clear(slots, dead, pool);
          frame = entered;
          continue activation;
        }
        case ins.TUPLE: {
          const tuple = pool.tuple(readAll(slots, constants, instruction.args));
          store(slots, instruction, tuple, pool);
          break;
        }
        case ins.PROJECT: {
          const tuple = read(slots, constants, instruction.a);
          invariant(tuple._tag === 'Tuple', 'a typed projection has a tuple');
          const field = tuple.fields[instruction.data] as Value;
          store(slots, instruction, field, pool);
          break;
        }
        case ins.CLOSURE:
          slots[instruction.dest] = makeClosure(instruction.data, frame, pool);
          break;
        case ins.CONSTRUCT: {
          const { ctor, check } = instruction.data;
          const failed = check && compare(check, slots, constants);
          if (failed !== undefined) return fail(failed);
          const fields = readAll(slots, constants, instruction.args);
          for (const field of fields) pool.hold(field);
          store(slots, instruction, adtValue(ctor, fields), pool);
          break;
        }
        case ins.MATCH: {
          const value = read(slots, constants, instruction.a);
          const target = choose(instruction.data, value, slots, pool);
          if (target === undefined) {
            const shown = printValue(value, SHOWN_CHARACTERS);
            return fail(diagnostics.noMatch(shown, instruction.data.span));
          }
          clear(slots, dead, pool);
          at = target.at;
          break;
        }
        case ins.REF_CREATE: {
          const value = read(slots, constants, instruction.a);
          pool.hold(value);
          store(slots, instruction, refValue(value), pool);
          break;
        }
        case ins.REF_READ: {
          const cell = cellOf(read(slots, constants, instruction.a));
          store(slots, instruction, cell.value, pool);
          break;
        }
        case ins.REF_WRITE: {
          const cell = cellOf(read(slots, constants, instruction.a));
          cell.value = read(slots, constants, instruction.b);
          pool.hold(cell.value);
          store(slots, instruction, emptyTuple, pool);
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
          put(slots, dest, known, pool);
          break;
        }
        case ins.FORGET:
          clear(slots, dead, pool);
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

/** Ends an instruction: its result is in its slot, and the slots are empty that are not read again. */
function store(slots: Slots, { dest, dead }: ins.Instruction, value: Value, pool: Pool): void {
  pool.hold(value);
  clear(slots, dead, pool);
  slots[dest] = value;
}

/** Puts a value that is held elsewhere in a slot, too. */
function put(slots: Slots, slot: number, value: Value, pool: Pool): void {
  pool.hold(value);
  slots[slot] = value;
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

function makeClosure(
  { routine, sources, self }: ins.ClosureSite,
  frame: Frame,
  pool: Pool,
): Closure {
  const captured = readAll(frame.slots, frame.routine.constants, sources);
  const closure: Closure = {
    _tag: 'Closure',
    func: routine.func,
    code: routine,
    captured,
    environment: frame.surroundings,
  };
  for (const index of self) captured[index] = closure;
  for (const value of captured) pool.hold(value);
  return closure;
}

function clear(slots: Slots, dead: ReadonlyArray<number>, pool: Pool): void {
  for (let i = 0; i < dead.length; i++) {
    const slot = dead[i] as number;
    const value = slots[slot];
    if (value !== undefined) pool.drop(value);
    slots[slot] = undefined;
  }
}

function cellOf(value: Value): RefValue {
  invariant(value._tag === 'Ref', 'a typed reference operation has a reference');
  return value;
}

/** Whether a function states the result that a call of it promises; a positive answer is kept. */
function isKept(site: ins.KeptSite, callee: Value): boolean {
  invariant(callee._tag === 'Closure', 'a typed call has a function to call');
  if (site.kept === callee.code) return true;
  if (!statesResult(callee.func, site.type)) return false;
  site.kept = callee.code;
  return true;
}

/** The surroundings this many steps outwards; the activation's own for none. */
function outwards(frame: Frame, hops: number): Surroundings | undefined {
  let at = frame.surroundings;
  for (let i = 0; i < hops; i++) at = at?.outer;
  return at;
}

/**
 * A new activation: places the arguments of another one, and compares their sizes with the types.
 */
function enter(
  closure: Closure,
  args: ReadonlyArray<ins.Operand>,
  from: Slots,
  constants: ReadonlyArray<Value>,
  caller: Frame | undefined,
  dest: number,
  pool: Pool,
  span: Span | undefined,
): Frame | Diagnostic {
  // A cell given to both executors may hold a function of the other.
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
  for (let i = 0; i < args.length; i++) {
    put(slots, i, read(from, constants, args[i] as number), pool);
  }
  const { captured } = closure;
  for (let i = 0; i < captured.length; i++) {
    put(slots, routine.captureSlots[i] as number, captured[i] as Value, pool);
  }
  // Closures of the machine have only environments of the machine.
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
function choose(
  site: ins.MatchSite,
  value: Value,
  slots: Slots,
  pool: Pool,
): ins.Target | undefined {
  for (const { steps, target } of site.clauses) {
    if (matches(steps, value, slots, pool)) return target;
  }
  return undefined;
}

function matches(
  steps: ReadonlyArray<ins.MatchStep>,
  value: Value,
  slots: Slots,
  pool: Pool,
): boolean {
  let registers: Value[] | undefined;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] as ins.MatchStep;
    const from = step.register === 0 ? value : (registers?.[step.register] as Value);
    switch (step.kind) {
      case 'test':
        if (from._tag !== 'Adt' || from.ctor.tag !== step.index) return false;
        break;
      case 'bind':
        put(slots, step.to, fieldOf(from, step.index), pool);
        break;
      case 'load':
        registers ??= [value];
        registers[step.to] = fieldOf(from, step.index);
        break;
      case 'bindWhole':
        put(slots, step.to, from, pool);
        break;
    }
  }
  return true;
}

function fieldOf(value: Value, index: number): Value {
  invariant(value._tag === 'Adt' || value._tag === 'Tuple', 'a typed pattern fits its value');
  return value.fields[index] as Value;
}
