/** Slots and instructions of a routine that is being compiled. */
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

/** What has a place in an activation: a variable, a shared node, the size of a dimension. */
export type Key = Var | Expr | TypeVar;

/** A routine that is being compiled. */
export interface Builder {
  readonly routine: Routine;
  /** The builder of the surrounding function. */
  readonly parent: Builder | undefined;
  /** Where things are, as operands. */
  readonly places: Map<Key, Operand>;
  /** What the function takes from its surroundings, in the order of `routine.captureSlots`. */
  readonly captures: Key[];
  /** Where nodes are computed that are computed on demand, or jumped to. */
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

/** A slot that is used for one thing only. */
export function newSlot(builder: Builder): number {
  const slot = builder.routine.slotCount;
  builder.routine.slotCount += 1;
  return slot;
}

/** The operand for a constant. */
export const constantOperand = ({ constants, routine }: Builder, value: Value): Operand =>
  remember(constants, value, () => ~(routine.constants.push(value) - 1));

/**
 * Where a thing is in the activation of this routine. What surrounding functions have is captured,
 * also by those in between.
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

/** The slot of a node that is computed on demand. */
export const sharedSlot = (node: Expr, builder: Builder): number =>
  remember(builder.places, node, () => newSlot(builder));

/** A part of the code that may or may not run: a branch of an `if`, the right side of a clause. */
export interface Arm {
  readonly outer: Arm | undefined;
  /** Slots of outer arms that are read for the last time in this one. */
  readonly dying: number[];
}

/** A slot that is read a known number of times. */
interface Counted {
  remaining: number;
  readonly arm: Arm;
  readonly isScalar: boolean;
}

/**
 * A run of instructions that is written from start to end. It knows how often each slot will still
 * be read, so that a value goes at its last read.
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
   * Says that the operands are read by the next instruction. The result is the slots that are not
   * read again.
   */
  readonly consume: (operands: ReadonlyArray<Operand>) => ReadonlyArray<number>;
  /** A slot for one value that is read once. The slot of a scalar is not emptied. */
  readonly temporary: (isScalar: boolean) => number;
  /** Says how often a slot will be read in this emission. */
  readonly count: (slot: number, reads: number, isScalar: boolean) => void;
  /** Starts a part that may not run. */
  readonly enter: (outer: Arm) => Arm;
  readonly arm: () => Arm;
  /** Goes on in another part. */
  readonly goOn: (arm: Arm) => void;
}

/** An emission at the end of what the routine has so far. */
export function makeEmission(builder: Builder): Emission {
  const free: number[] = [];
  const temporaries = new Map<number, boolean>();
  const counted = new Map<number, Counted>();
  let current: Arm = { outer: undefined, dying: [] };

  /** Whether the slot's value goes with the instruction at hand. */
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
