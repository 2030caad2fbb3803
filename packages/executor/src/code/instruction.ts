/**
 * The instructions of compiled functions. An activation has numbered slots; an operand is a slot,
 * or the complement of an index into the constants of the code.
 *
 * Every instruction has the same fields in the same order: the interpreter's loop is fast as long
 * as all instructions look alike.
 */
import type { Diagnostic, Span } from '@baton/base';
import type { Attrs, Constructor, Func, Type } from '@baton/ir';
import type { Element, PreparedCall, ScalarKernel } from '@baton/ops';
import type { DType } from '@baton/tensor';
import type { DimensionCheck } from '../values/dimensions.ts';
import type { Code, Value } from '../values/value.ts';
import type { HostRoutine } from './host.ts';

/** A slot if not negative, else the complement of an index into the constants. */
export type Operand = number;

export const NOWHERE = -1;

export const MOVE = 0;
export const RETURN = 1;
export const RETURN_SHARED = 2;
export const JUMP = 3;
export const BRANCH = 4;
/** A call of an operator that may have a rule for scalars: of `a`, or of `a` and `b`. */
export const SCALAR = 5;
export const OPERATOR = 6;
export const CALL = 7;
export const TAIL_CALL = 8;
export const TUPLE = 9;
export const PROJECT = 10;
export const CLOSURE = 11;
export const CONSTRUCT = 12;
export const MATCH = 13;
export const REF_CREATE = 14;
export const REF_READ = 15;
export const REF_WRITE = 16;
export const DEMAND = 17;
/** The values of `args` get one more holder each. */
export const HOLD = 18;
/** The values of `dead` lose a holder each, and their slots are emptied. */
export const FORGET = 19;
export const CHECK = 20;
export const FAIL = 21;
export const UNLESS_KEPT = 22;
/** The value of a function that a host computes, from the arguments of the call. */
export const HOST = 23;
/** The same, unless the host leaves the call to the interpreter. */
export const TRY_HOST = 24;

interface Shape<Op extends number, Data> {
  readonly op: Op;
  readonly dest: number;
  readonly a: Operand;
  readonly b: Operand;
  readonly args: ReadonlyArray<Operand>;
  /** Slots without reads after this instruction; emptied before `dest` is written. */
  readonly dead: ReadonlyArray<number>;
  readonly data: Data;
}

/** An index in the instructions, known once they are complete. */
export interface Target {
  at: number;
}

/** A call of an operator, and what its last call found out. */
export interface OperatorSite {
  readonly name: string;
  readonly attrs: Attrs;
  readonly span: Span | undefined;
  readonly scalar: ScalarKernel | undefined;
  /** The call for arguments of the types that it last had. */
  call: PreparedCall | undefined;
  /** The dtype of operands for which `apply` holds. */
  dtype: DType | undefined;
  out: DType;
  apply: (x: Element, y: Element) => Element;
}

export interface CallSite {
  readonly span: Span | undefined;
}

/** A jump for a callee that does not keep the call's promise. */
export interface KeptSite {
  readonly type: Type;
  readonly otherwise: Target;
  /** The code of a function known to keep it. */
  kept: Code | undefined;
}

/** A function that a host computes, and where its instructions are for what the host leaves. */
export interface HostedSite {
  readonly call: NonNullable<HostRoutine['callAtSizes']>;
  readonly otherwise: Target;
}

export interface ClosureSite {
  readonly routine: Routine;
  /** The captured operands of the surrounding activation. */
  sources: ReadonlyArray<Operand>;
  /** The captures that are the closure itself. */
  self: ReadonlyArray<number>;
}

export interface ConstructSite {
  readonly ctor: Constructor;
  readonly check: DimensionCheck | undefined;
}

/** One step of matching. Registers are numbered: 0 is the matched value. */
export interface MatchStep {
  readonly kind: 'test' | 'load' | 'bind' | 'bindWhole';
  readonly register: number;
  /** The tag to test for, or the field to take. */
  readonly index: number;
  /** The register to load into, or the slot to bind. */
  readonly to: number;
}

/** The clauses of a match, in order. */
export interface MatchSite {
  readonly clauses: ReadonlyArray<{
    readonly steps: ReadonlyArray<MatchStep>;
    readonly target: Target;
  }>;
  readonly span: Span | undefined;
}

/** A shared node that is computed at its first demand. */
export interface SharedSite {
  /** The code whose activation owns it, and the index of its computation. */
  readonly routine: Routine;
  readonly target: Target;
  readonly slot: number;
  /** The number of environments outwards, or `NOWHERE` for the current activation. */
  readonly hops: number;
}

export type Instruction =
  | Shape<typeof MOVE, undefined>
  | Shape<typeof RETURN, undefined>
  | Shape<typeof RETURN_SHARED, undefined>
  | Shape<typeof JUMP, Target>
  | Shape<typeof BRANCH, Target>
  | Shape<typeof SCALAR, OperatorSite>
  | Shape<typeof OPERATOR, OperatorSite>
  | Shape<typeof CALL, CallSite>
  | Shape<typeof TAIL_CALL, CallSite>
  | Shape<typeof TUPLE, undefined>
  | Shape<typeof PROJECT, number>
  | Shape<typeof CLOSURE, ClosureSite>
  | Shape<typeof CONSTRUCT, ConstructSite>
  | Shape<typeof MATCH, MatchSite>
  | Shape<typeof REF_CREATE, undefined>
  | Shape<typeof REF_READ, undefined>
  | Shape<typeof REF_WRITE, undefined>
  | Shape<typeof DEMAND, SharedSite>
  | Shape<typeof HOLD, undefined>
  | Shape<typeof FORGET, undefined>
  | Shape<typeof CHECK, DimensionCheck>
  | Shape<typeof FAIL, Diagnostic>
  | Shape<typeof UNLESS_KEPT, KeptSite>
  | Shape<typeof HOST, HostRoutine>
  | Shape<typeof TRY_HOST, HostedSite>;

export type DataOf<Op extends Instruction['op']> = Extract<Instruction, { op: Op }>['data'];

export interface Routine extends Code {
  readonly func: Func | undefined;
  readonly parameterCount: number;
  readonly instructions: Instruction[];
  readonly constants: Value[];
  readonly captureSlots: number[];
  slotCount: number;
  /** The check at the entry of the function. */
  check: DimensionCheck | undefined;
  /** Whether inner closures demand shared nodes of this activation. */
  sharesSlots: boolean;
  /** Fills in the instructions; `undefined` once they are there. */
  compile: (() => void) | undefined;
}

/** The other arguments of {@link instruction}; missing ones are empty. */
export interface InstructionParts {
  readonly dest?: number;
  /** The first of `args` if there is no other. */
  readonly a?: Operand;
  readonly args?: ReadonlyArray<Operand>;
  readonly dead?: ReadonlyArray<number>;
}

const nothing: ReadonlyArray<number> = [];

export function instruction<Op extends Instruction['op']>(
  op: Op,
  data: DataOf<Op>,
  parts: InstructionParts,
): Instruction {
  const { args = nothing } = parts;
  const made = {
    op,
    dest: parts.dest ?? NOWHERE,
    a: parts.a ?? args[0] ?? 0,
    b: args[1] ?? args[0] ?? 0,
    args,
    dead: parts.dead === undefined || parts.dead.length === 0 ? nothing : parts.dead,
    data,
  };
  // `DataOf` pairs the operation with its data; TypeScript does not carry that into the union.
  return made as unknown as Instruction;
}

export const newRoutine = (
  func: Func | undefined,
  parameterCount: number,
  sharesSlots: boolean,
  executor: string,
): Routine => ({
  _tag: 'Code',
  executor,
  func,
  parameterCount,
  instructions: [],
  constants: [],
  captureSlots: [],
  slotCount: parameterCount,
  check: undefined,
  sharesSlots,
  compile: undefined,
});
