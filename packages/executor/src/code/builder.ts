/** Slots and instructions of a routine during compilation. */
import { remember } from '@baton/base';
import type { Expr, TypeVar, Var } from '@baton/ir';
import type { Value } from '../values/value.ts';
import {
  type DataOf,
  HOLD,
  type Instruction,
  type InstructionParts,
  instruction,
  type Operand,
  type Routine,
  type Target,
} from './instruction.ts';
import type { Refcounting } from './refcounts.ts';

/** A thing with a slot in an activation: a variable, a shared node, the size of a dimension. */
export type Key = Var | Expr | TypeVar;

export interface Builder {
  readonly routine: Routine;
  /** The builder of the surrounding function. */
  readonly parent: Builder | undefined;
  readonly refcounting: Refcounting[];
  readonly operands: Map<Key, Operand>;
  /** The captured things, in the order of `routine.captureSlots`. */
  readonly captures: Key[];
  /** The code of nodes that are computed on demand, or jumped to. */
  readonly targets: Map<Expr, Target>;
  readonly constants: Map<Value, Operand>;
}

export const makeBuilder = (routine: Routine, parent: Builder | undefined): Builder => ({
  routine,
  parent,
  refcounting: [],
  operands: new Map(),
  captures: [],
  targets: new Map(),
  constants: new Map(),
});

export function newSlot({ routine, refcounting }: Builder, kept: Refcounting): number {
  const slot = routine.slotCount;
  routine.slotCount += 1;
  refcounting[slot] = kept;
  return slot;
}

export const constantOperand = ({ constants, routine }: Builder, value: Value): Operand =>
  remember(constants, value, () => ~(routine.constants.push(value) - 1));

/** The operand of a thing here; those of surrounding functions are captured, also in between. */
export function lookUp(builder: Builder, key: Key): Operand | undefined {
  const between: Builder[] = [];
  let at: Builder | undefined = builder;
  while (at !== undefined && !at.operands.has(key)) {
    between.push(at);
    at = at.parent;
  }
  if (at === undefined) return undefined;
  const kept = at.refcounting[at.operands.get(key) ?? 0] ?? 'none';
  for (let inner = between.pop(); inner !== undefined; inner = between.pop()) {
    const slot = newSlot(inner, kept);
    inner.operands.set(key, slot);
    inner.captures.push(key);
    inner.routine.captureSlots.push(slot);
  }
  return builder.operands.get(key);
}

export const sharedSlot = (node: Expr, builder: Builder, kept: Refcounting): number =>
  remember(builder.operands, node, () => newSlot(builder, kept));

/** A part of the code that may not run: a branch of an `if`, the right side of a clause. */
export interface Arm {
  readonly outer: Arm | undefined;
  /** Slots of outer arms whose last read is in this one. */
  readonly dying: number[];
}

interface Counted {
  remaining: number;
  readonly arm: Arm;
}

/** The slots without reads after an instruction. */
export interface LastReads {
  /** The slots that the instruction empties. */
  readonly dead: ReadonlyArray<number>;
  /** The slots that are forgotten after it. */
  readonly forgotten: ReadonlyArray<number>;
}

/**
 * A run of instructions, written from start to end. It counts the remaining reads of each slot, so
 * that a value is dropped at its last read. The slots that it counts own what they hold: they are
 * holders of its storage. All others borrow it.
 */
export interface Emission {
  readonly builder: Builder;
  readonly emit: <Op extends Instruction['op']>(
    op: Op,
    data: DataOf<Op>,
    parts: InstructionParts,
  ) => void;
  /** Announces the operands that the next instruction reads. */
  readonly consume: (operands: ReadonlyArray<Operand>) => LastReads;
  /** Announces operands that the instruction stores elsewhere, which then hold their values. */
  readonly pass: (operands: ReadonlyArray<Operand>) => Pick<LastReads, 'dead'>;
  /** Like `pass`, for an instruction that ends the activation. */
  readonly leaveWith: (operands: ReadonlyArray<Operand>) => Pick<LastReads, 'dead'>;
  /** Makes slots holders of values that were stored elsewhere. */
  readonly hold: (slots: ReadonlyArray<number>) => void;
  /** A slot for one value with one read. */
  readonly temporary: (refcounting: Refcounting) => number;
  readonly count: (slot: number, reads: number) => void;
  /** Starts a part that may not run. */
  readonly enter: (outer: Arm) => Arm;
  readonly arm: () => Arm;
  /** Goes on in another part. */
  readonly goOn: (arm: Arm) => void;
}

/** An emission at the end of the routine so far. */
export function makeEmission(builder: Builder): Emission {
  const { routine, refcounting } = builder;
  const free: Record<Refcounting, number[]> = { none: [], emptied: [], counted: [] };
  const temporaries = new Set<number>();
  const counted = new Map<number, Counted>();
  let current: Arm = { outer: undefined, dying: [] };
  const isCounted = (slot: number): boolean => refcounting[slot] === 'counted';

  /** Whether the slot's value is dropped after the current instruction. */
  const isLastRead = (slot: Operand): boolean => {
    const kept = refcounting[slot] ?? 'none';
    if (temporaries.delete(slot)) {
      free[kept].push(slot);
      return kept !== 'none';
    }
    const count = counted.get(slot);
    if (count === undefined) return false;
    count.remaining -= 1;
    if (count.remaining > 0 || kept === 'none') return false;
    if (count.arm === current) return true;
    let at = current;
    while (at.outer !== undefined && at.outer !== count.arm) at = at.outer;
    at.dying.push(slot);
    return false;
  };

  const emit: Emission['emit'] = (op, data, parts) => {
    routine.instructions.push(instruction(op, data, parts));
  };
  const hold: Emission['hold'] = (slots) => {
    const args = slots.filter(isCounted);
    if (args.length > 0) emit(HOLD, undefined, { args });
  };
  const pass: Emission['pass'] = (operands) => {
    const isPassed = operands.map(isLastRead);
    hold(operands.filter((_, i) => !isPassed[i]));
    return { dead: operands.filter((_, i) => isPassed[i]) };
  };

  return {
    builder,
    emit,
    consume: (operands) => {
      const last = operands.filter(isLastRead);
      return { dead: last.filter((slot) => !isCounted(slot)), forgotten: last.filter(isCounted) };
    },
    pass,
    leaveWith: (operands) => {
      // Closures read the slots of the activation later.
      if (routine.sharesSlots) return pass(operands);
      const isOwn = (slot: number): boolean => temporaries.has(slot) || counted.has(slot);
      hold(operands.filter((slot, i) => !isOwn(slot) || operands.indexOf(slot) < i));
      return { dead: [] };
    },
    hold,
    temporary: (kept) => {
      const slot = free[kept].pop() ?? newSlot(builder, kept);
      temporaries.add(slot);
      return slot;
    },
    count: (slot, reads) => {
      counted.set(slot, { remaining: reads, arm: current });
    },
    enter: (outer) => {
      current = { outer, dying: [] };
      return current;
    },
    arm: () => current,
    goOn: (arm) => {
      current = arm;
    },
  };
}
