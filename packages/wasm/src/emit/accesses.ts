/**
 * The instructions that load and store, by opcode, and what follows the opcodes of the others.
 *
 * **Source** WebAssembly Core Specification, binary format of memory and vector instructions.
 */
import { invariant } from '@baton/base';
import type { Reader } from './reader.ts';
import type { ValueType } from './value.ts';

/** How an instruction reaches memory. **Units** bytes. */
export interface Access {
  /** The total of a load or store. */
  readonly bytes: number;
  /** One element of the total. */
  readonly unit: number;
  /** The type of the value that it stores, or of the vector whose lane it loads; on the stack. */
  readonly value: ValueType | undefined;
  readonly isStore: boolean;
  /** Whether it loads or stores a scalar float. */
  readonly isFloat: boolean;
}

const access = (
  bytes: number,
  unit: number,
  value?: ValueType,
  isStore = value !== undefined,
  isFloat = false,
): Access => ({ bytes, unit, value, isStore, isFloat });

const float = (bytes: number, value?: ValueType): Access =>
  access(bytes, bytes, value, value !== undefined, true);

/** From opcode 0x28 on. */
const SCALARS: ReadonlyArray<Access> = [
  access(4, 4),
  access(8, 8),
  float(4),
  float(8),
  ...[1, 1, 2, 2, 1, 1, 2, 2, 4, 4].map((bytes) => access(bytes, bytes)),
  access(4, 4, 'i32'),
  access(8, 8, 'i64'),
  float(4, 'f32'),
  float(8, 'f64'),
  access(1, 1, 'i32'),
  access(2, 2, 'i32'),
  ...[1, 2, 4].map((bytes) => access(bytes, bytes, 'i64')),
];

const FIRST_SCALAR = 0x28;

/** The access of an instruction without a prefix. */
export const scalarAccess = (opcode: number): Access | undefined => SCALARS[opcode - FIRST_SCALAR];

/** Lanes of 1, 2, 4 and 8 bytes, with the bytes of an element: the longest are two floats. */
const LANES = [
  [1, 1],
  [2, 2],
  [4, 4],
  [8, 4],
] as const;

/** A vector is one of floats, or of integers of 32 bits. */
const VECTORS: ReadonlyMap<number, Access> = new Map([
  [0, access(16, 4)],
  ...[1, 1, 2, 2, 4, 4].map((unit, i) => [i + 1, access(8, unit)] as const),
  ...LANES.map(([bytes, unit], i) => [i + 7, access(bytes, unit)] as const),
  [11, access(16, 4, 'v128')],
  ...LANES.map(([bytes, unit], i) => [i + 84, access(bytes, unit, 'v128', false)] as const),
  ...LANES.map(([bytes, unit], i) => [i + 88, access(bytes, unit, 'v128')] as const),
  [92, access(4, 4)],
  [93, access(8, 4)],
]);

/** The access of a vector instruction. */
export const vectorAccess = (opcode: number): Access | undefined => VECTORS.get(opcode);

/** Whether the index of a lane follows the address of a vector instruction. */
export const hasLane = (opcode: number): boolean => opcode >= 84 && opcode <= 91;

/** The immediate bytes of a vector instruction without an access: a constant, a shuffle, a lane. */
export const vectorImmediates = (opcode: number): number => {
  if (opcode === 12 || opcode === 13) return 16;
  return opcode >= 21 && opcode <= 34 ? 1 : 0;
};

/** Skips the immediates of an instruction without an access and without a prefix. */
export function skipImmediates(opcode: number, reader: Reader): void {
  const isBlock = opcode >= 0x02 && opcode <= 0x04;
  const isBranch = opcode === 0x0c || opcode === 0x0d;
  const isVariable = opcode >= 0x20 && opcode <= 0x24;
  const isInteger = opcode === 0x41 || opcode === 0x42;
  if (isBlock || isBranch || isVariable || isInteger) reader.skipNumber();
  else if (opcode === 0x43) reader.skip(4);
  else if (opcode === 0x44) reader.skip(8);
  else invariant(opcode < FIRST_PREFIX, 'a module for one thread has no atomic instructions');
}

const FIRST_PREFIX = 0xfc;
