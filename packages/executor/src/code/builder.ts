/** Slots and instructions of a routine during compilation. */
import { remember } from '@baton/base';
import type { Expr, TypeVar, Var } from '@baton/ir';
import type { Value } from '../values/value.ts';
import {
  type DataOf,
  type Instruction,
  type InstructionParts,
  instruction,
  NOWHERE,
  type Operand,
  type Routine,
  type Target,
} from './instruction.ts';

/** A thing with a place in an activation: a variable, a shared node, the size of a dimension. */
export type Key = Var | Expr | TypeVar;

/** The state of a routine's compilation. */
export interface Builder {
  readonly routine: Routine;
  /** The builder of the surrounding function. */
  readonly parent: Builder | undefined;
  /** The operands of things. */
  readonly places: Map<Key, Operand>;
  /** The captured things, in the order of `routine.captureSlots`. */
  readonly captures: Key[];
  /** The code of nodes that are computed on demand, or jumped to. */
  readonly targets: Map<Expr, Target>;
  readonly constants: Map<Value, Operand>;
}

/** A builder for a routine. */
export const makeBuilder = (routine: Routine, parent: Builder | undefined): Builder => ({
  routine,
  parent,
  places: new Map(),
  captures: [],
  targets: new Map(),
  constants: new Map(),
});

/** A slot for one thing only. */
export function newSlot(builder: Builder): number {
  const slot = builder.routine.slotCount;
  builder.routine.slotCount += 1;
  return slot;
}

/** The operand for a constant. */
export const constantOperand = ({ constants, routine }: Builder, value: Value): Operand =>
  remember(constants, value, () => ~(routine.constants.push(value) - 1));

/**
 * The operand of a thing in the activation of this routine. Things of surrounding functions are
 * captured, also by the functions in between.
 */
export function lookUp(builder: Builder, key: Key): Operand | undefined {
  const between: Builder[] = [];
  let at: Builder | undefined = builder;
  while (at !== undefined && !at.places.has(key)) {
    between.push(at);
    at = at.parent;
  }
  if (at === undefined) return undefined;
  for (let inner = between.pop(); inner !== undefined; inner = between.pop()) {
    const slot = newSlot(inner);
    inner.places.set(key, slot);
    inner.captures.push(key);
    inner.routine.captureSlots.push(slot);
  }
  return builder.places.get(key);
}

/** The slot of a node computed on demand. */
export const sharedSlot = (node: Expr, builder: Builder): number =>
  remember(builder.places, node, () => newSlot(builder));

/** A part of the code that may not run: a branch of an `if`, the right side of a clause. */
export interface Arm {
  readonly outer: Arm | undefined;
  /** Slots of outer arms whose last read is in this one. */
  readonly dying: number[];
}

/** A slot with a known number of reads. */
interface Counted {
  remaining: number;
  readonly arm: Arm;
  readonly isScalar: boolean;
}

/**
 * A run of instructions, written from start to end. It counts the remaining reads of each slot, so
 * that a value is dropped at its last read.
 */
export interface Emission {
  readonly builder: Builder;
  /** Writes an instruction that reads these operands. */
  readonly emit: <Op extends Instruction['op']>(
    op: Op,
    data: DataOf<Op>,
    parts: InstructionParts,
  ) => void;
  /**
   * Announces the operands of the next instruction, and returns the slots without further reads.
   */
  readonly consume: (operands: ReadonlyArray<Operand>) => ReadonlyArray<number>;
  /** A slot for one value with one read. The slot of a scalar is not emptied. */
  readonly temporary: (isScalar: boolean) => number;
  /** Sets the number of reads of a slot in this emission. */
  readonly count: (slot: number, reads: number, isScalar: boolean) => void;
  /** Starts a part that may not run. */
  readonly enter: (outer: Arm) => Arm;
  readonly arm: () => Arm;
  /** Goes on in another part. */
  readonly goOn: (arm: Arm) => void;
}

/** An emission at the end of the routine so far. */
export function makeEmission(builder: Builder): Emission {
  const free: number[] = [];
  const temporaries = new Map<number, boolean>();
  const counted = new Map<number, Counted>();
  let current: Arm = { outer: undefined, dying: [] };

  /** Whether the slot's value is dropped after the current instruction. */
  const isLastRead = (slot: number): boolean => {
    const scalar = temporaries.get(slot);
    if (scalar !== undefined) {
      temporaries.delete(slot);
      free.push(slot);
      return !scalar;
    }
    const count = counted.get(slot);
    if (count === undefined) return false;
    count.remaining -= 1;
    if (count.remaining > 0 || count.isScalar) return false;
    if (count.arm === current) return true;
    let at = current;
    while (at.outer !== undefined && at.outer !== count.arm) at = at.outer;
    at.dying.push(slot);
    return false;
  };

  return {
    builder,
    emit: (op, data, parts) => {
      builder.routine.instructions.push(instruction(op, data, parts));
    },
    consume: (operands) => operands.filter((operand) => operand > NOWHERE && isLastRead(operand)),
    temporary: (isScalar) => {
      const slot = free.pop() ?? newSlot(builder);
      temporaries.set(slot, isScalar);
      return slot;
    },
    count: (slot, reads, isScalar) => {
      counted.set(slot, { remaining: reads, arm: current, isScalar });
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
