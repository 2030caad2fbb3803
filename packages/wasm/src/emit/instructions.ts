/**
 * The instructions that the kernels use, as data: groups of one signature, in which each name has
 * its opcode. Names are those of the WebAssembly specification, in camel case.
 */
import { invariant } from '@baton/base';
import {
  bytesOf,
  type Code,
  expected,
  type Operand,
  operandCode,
  operandCodes,
  type ResultType,
  type Statement,
  unsigned,
  type Value,
  type ValueType,
  vectorConstant,
} from './value.ts';

/** Opcodes from here on follow a prefix byte that names their group. */
const SIMD = 0xfd;
const ATOMIC = 0xfe;
const MORE = 0xfc;

type Opcodes<N extends string> = Readonly<Record<N, number>>;
type Operands<P extends ReadonlyArray<ValueType>> = { [I in keyof P]: Operand<P[I]> };
type Instruction<P extends ReadonlyArray<ValueType>, R extends ResultType> = (
  ...operands: Operands<P>
) => Value<R>;

const opcodeCode = (opcode: number, prefix: number | undefined): Code =>
  prefix === undefined ? [opcode] : [prefix, unsigned(opcode)];

const mapTable = <N extends string, E, A>(
  table: Readonly<Record<N, E>>,
  make: (entry: E) => A,
): Readonly<Record<N, A>> =>
  Object.fromEntries(
    Object.entries<E>(table).map(([name, entry]) => [name, make(entry)]),
  ) as Record<N, A>;

/** Instructions with operands from the stack and nothing else. */
const group = <const P extends ReadonlyArray<ValueType>, R extends ResultType, N extends string>(
  params: P,
  result: R,
  opcodes: Opcodes<N>,
  prefix?: number,
): Readonly<Record<N, Instruction<P, R>>> =>
  mapTable(
    opcodes,
    (opcode) =>
      (...operands) =>
        made(result, params, operands, [opcodeCode(opcode, prefix)]),
  );

/** What operands on the stack and the code after them give. */
const made = <R extends ResultType>(
  type: R,
  types: ReadonlyArray<ValueType>,
  operands: ReadonlyArray<Operand<ValueType>>,
  code: ReadonlyArray<Code>,
): Value<R> => ({ type, code: [...operandCodes(types, operands), ...code] });

/** An opcode and the logarithm of the number of bytes that it moves. */
type Access = readonly [opcode: number, align: number];

/** Where a load or store finds its data: an address in bytes, and a constant offset. */
const accessCode = (
  [opcode, align]: Access,
  offset: number,
  prefix: number | undefined,
): ReadonlyArray<Code> => [opcodeCode(opcode, prefix), unsigned(align), unsigned(offset)];

/** Loads. **Errors** Throws if the offset is negative or no integer. */
const loads = <R extends ValueType, N extends string>(
  result: R,
  table: Readonly<Record<N, Access>>,
  prefix?: number,
): Readonly<Record<N, (address: Operand<'i32'>, offset?: number) => Value<R>>> =>
  mapTable(
    table,
    (access) =>
      (address, offset = 0) =>
        made(result, I32, [address], accessCode(access, offset, prefix)),
  );

/** Stores. **Errors** Throws if the offset is negative or no integer. */
const stores = <T extends ValueType, N extends string>(
  type: T,
  table: Readonly<Record<N, Access>>,
  prefix?: number,
): Readonly<
  Record<N, (address: Operand<'i32'>, value: Operand<T>, offset?: number) => Statement>
> =>
  mapTable(
    table,
    (access) =>
      (address, value, offset = 0) =>
        made('none', ['i32', type], [address, value], accessCode(access, offset, prefix)),
  );

/** Instructions on lanes: the lane's number follows the opcode. */
const extracts = <R extends ValueType, N extends string>(
  result: R,
  lanes: number,
  opcodes: Opcodes<N>,
): Readonly<Record<N, (vector: Value<'v128'>, lane: number) => Value<R>>> =>
  mapTable(
    opcodes,
    (opcode) => (vector, lane) =>
      made(result, V128, [vector], [opcodeCode(opcode, SIMD), laneCode(lane, lanes)]),
  );

/** Replaces one lane of a vector. */
const replacing =
  <T extends ValueType>(type: T, lanes: number, opcode: number) =>
  (vector: Value<'v128'>, lane: number, value: Operand<T>): Value<'v128'> =>
    made(
      'v128',
      ['v128', type],
      [vector, value],
      [opcodeCode(opcode, SIMD), laneCode(lane, lanes)],
    );

/** Moves one lane between a vector and memory. A load gives the vector with its other lanes. */
const movingLane =
  <R extends ResultType>(result: R, lanes: number, access: Access) =>
  (address: Operand<'i32'>, vector: Value<'v128'>, lane: number, offset = 0): Value<R> =>
    made(
      result,
      ['i32', 'v128'],
      [address, vector],
      [...accessCode(access, offset, SIMD), laneCode(lane, lanes)],
    );

function laneCode(lane: number, lanes: number): Code {
  invariant(Number.isInteger(lane) && lane >= 0 && lane < lanes, `lane ${lane} of ${lanes}`);
  return [lane];
}

/** The constant of a type. */
const constant =
  <T extends 'i32' | 'i64' | 'f32' | 'f64'>(type: T) =>
  (value: T extends 'i64' ? bigint : number): Value<T> => ({
    type,
    code: operandCode(type, value as unknown as Operand<T>),
  });

const I32 = ['i32'] as const;
const I32_2 = ['i32', 'i32'] as const;
const I64 = ['i64'] as const;
const I64_2 = ['i64', 'i64'] as const;
const F32 = ['f32'] as const;
const F64 = ['f64'] as const;
const F64_2 = ['f64', 'f64'] as const;
const V128 = ['v128'] as const;
const V128_2 = ['v128', 'v128'] as const;
const V128_3 = ['v128', 'v128', 'v128'] as const;
const SHIFT = ['v128', 'i32'] as const;

export const i32 = {
  const: constant('i32'),
  ...group(I32_2, 'i32', {
    ...{ eq: 0x46, ne: 0x47, ltS: 0x48, ltU: 0x49, gtS: 0x4a, leS: 0x4c, geS: 0x4e },
    ...{ add: 0x6a, sub: 0x6b, mul: 0x6c, divU: 0x6e, remU: 0x70 },
    ...{ and: 0x71, or: 0x72, xor: 0x73, shl: 0x74, shrS: 0x75, shrU: 0x76 },
  }),
  ...group(I32, 'i32', { eqz: 0x45 }),
  ...group(I64, 'i32', { wrapI64: 0xa7 }),
  ...loads('i32', {
    ...{ load: [0x28, 2], load8S: [0x2c, 0], load8U: [0x2d, 0] },
    ...{ load16S: [0x2e, 1], load16U: [0x2f, 1] },
  }),
  ...stores('i32', { store: [0x36, 2], store8: [0x3a, 0], store16: [0x3b, 1] }),
};

export const i64 = {
  const: constant('i64'),
  ...group(I64_2, 'i32', {
    ...{ eq: 0x51, ne: 0x52, ltS: 0x53, gtS: 0x55, leS: 0x57, leU: 0x58 },
  }),
  ...group(I64_2, 'i64', {
    ...{ add: 0x7c, sub: 0x7d, mul: 0x7e, divS: 0x7f, remS: 0x81, remU: 0x82 },
    ...{ and: 0x83, or: 0x84, xor: 0x85, shl: 0x86, shrS: 0x87, shrU: 0x88 },
  }),
  ...group(I32, 'i64', { extendI32S: 0xac, extendI32U: 0xad }),
  ...group(F64, 'i64', { truncSatF64S: 6, truncSatF64U: 7 }, MORE),
  ...group(F64, 'i64', { reinterpretF64: 0xbd }),
  ...loads('i64', { load: [0x29, 3] }),
  ...stores('i64', { store: [0x37, 3] }),
};

export const f32 = {
  const: constant('f32'),
  ...group(I64, 'f32', { convertI64S: 0xb4 }),
  ...group(F64, 'f32', { demoteF64: 0xb6 }),
  ...loads('f32', { load: [0x2a, 2] }),
  ...stores('f32', { store: [0x38, 2] }),
};

export const f64 = {
  const: constant('f64'),
  ...group(F64_2, 'i32', { eq: 0x61, ne: 0x62, lt: 0x63, gt: 0x64, le: 0x65 }),
  ...group(F64_2, 'f64', { add: 0xa0, sub: 0xa1, mul: 0xa2, div: 0xa3, min: 0xa4, max: 0xa5 }),
  ...group(F64, 'f64', {
    abs: 0x99,
    neg: 0x9a,
    ceil: 0x9b,
    floor: 0x9c,
    trunc: 0x9d,
    nearest: 0x9e,
  }),
  ...group(F64, 'f64', { sqrt: 0x9f }),
  ...group(I32, 'f64', { convertI32S: 0xb7 }),
  ...group(I64, 'f64', { convertI64S: 0xb9 }),
  ...group(F32, 'f64', { promoteF32: 0xbb }),
  ...group(I64, 'f64', { reinterpretI64: 0xbf }),
  ...loads('f64', { load: [0x2b, 3] }),
  ...stores('f64', { store: [0x39, 3] }),
};

export const v128 = {
  /** A vector of 16 given bytes. */
  const: (bytes: ArrayBufferView): Value<'v128'> => {
    expected('bytes', 16, bytes.byteLength);
    return { type: 'v128', code: vectorConstant([opcodeCode(0x0c, SIMD), bytesOf(bytes)]) };
  },
  ...group(V128_2, 'v128', { and: 0x4e, andnot: 0x4f, or: 0x50, xor: 0x51 }, SIMD),
  ...group(V128, 'v128', { not: 0x4d }, SIMD),
  ...group(V128_3, 'v128', { bitselect: 0x52 }, SIMD),
  ...loads(
    'v128',
    {
      ...{ load: [0x00, 4], load32Zero: [0x5c, 2], load64Zero: [0x5d, 3] },
      ...{ load32Splat: [0x09, 2], load64Splat: [0x0a, 3] },
      ...{ load8x8S: [0x01, 3], load8x8U: [0x02, 3] },
    },
    SIMD,
  ),
  ...stores('v128', { store: [0x0b, 4] }, SIMD),
  /** Loads one lane; the other lanes are those of a vector. */
  load32Lane: movingLane('v128', 4, [0x56, 2]),
  load64Lane: movingLane('v128', 2, [0x57, 3]),
  /** Stores one lane. */
  store16Lane: movingLane('none', 8, [0x59, 1]),
  store32Lane: movingLane('none', 4, [0x5a, 2]),
  store64Lane: movingLane('none', 2, [0x5b, 3]),
};

export const i8x16 = {
  ...group(V128_2, 'v128', { narrowI16x8S: 0x65, narrowI16x8U: 0x66 }, SIMD),
  ...extracts('i32', 16, { extractLaneU: 0x16 }),
  /** Sixteen bytes chosen from the thirty-two of two vectors. */
  shuffle: (a: Value<'v128'>, b: Value<'v128'>, lanes: ReadonlyArray<number>): Value<'v128'> => {
    expected('lanes', 16, lanes.length);
    const places = lanes.map((lane) => laneCode(lane, 32));
    return made('v128', V128_2, [a, b], [opcodeCode(0x0d, SIMD), ...places]);
  },
};

export const i16x8 = {
  ...group(I32, 'v128', { splat: 0x10 }, SIMD),
  ...group(V128, 'v128', { extendLowI8x16S: 0x87, extendLowI8x16U: 0x89 }, SIMD),
  ...group(V128, 'v128', { neg: 0x81 }, SIMD),
  ...group(SHIFT, 'v128', { shrU: 0x8d }, SIMD),
  ...group(V128_2, 'v128', { add: 0x8e, sub: 0x91, mul: 0x95, narrowI32x4S: 0x85 }, SIMD),
};

export const i32x4 = {
  ...group(I32, 'v128', { splat: 0x11 }, SIMD),
  ...extracts('i32', 4, { extractLane: 0x1b }),
  replaceLane: replacing('i32', 4, 0x1c),
  ...group(
    V128_2,
    'v128',
    {
      ...{ eq: 0x37, ne: 0x38, ltS: 0x39, leS: 0x3d },
      ...{ add: 0xae, sub: 0xb1, mul: 0xb5, minS: 0xb6, maxS: 0xb8 },
      /** Four sums of two products each, of 16-bit integers. */
      dotI16x8S: 0xba,
    },
    SIMD,
  ),
  ...group(SHIFT, 'v128', { shl: 0xab, shrS: 0xac, shrU: 0xad }, SIMD),
  ...group(V128, 'v128', { extendLowI16x8S: 0xa7, extendLowI16x8U: 0xa9 }, SIMD),
  ...group(V128, 'v128', { abs: 0xa0, neg: 0xa1, truncSatF32x4S: 0xf8 }, SIMD),
  ...group(V128, 'i32', { allTrue: 0xa3 }, SIMD),
};

export const i64x2 = {
  ...group(I64, 'v128', { splat: 0x12 }, SIMD),
  ...extracts('i64', 2, { extractLane: 0x1d }),
  ...group(V128_2, 'v128', { add: 0xce, sub: 0xd1 }, SIMD),
  /** Two products of 64 bits, of the lower or the upper lanes. */
  ...group(V128_2, 'v128', { extmulLowI32x4S: 0xdc, extmulHighI32x4S: 0xdd }, SIMD),
  ...group(SHIFT, 'v128', { shl: 0xcb, shrS: 0xcc, shrU: 0xcd }, SIMD),
};

export const f32x4 = {
  ...group(F32, 'v128', { splat: 0x13 }, SIMD),
  ...extracts('f32', 4, { extractLane: 0x1f }),
  ...group(
    V128_2,
    'v128',
    {
      ...{ eq: 0x41, ne: 0x42, lt: 0x43, gt: 0x44, le: 0x45 },
      ...{ add: 0xe4, sub: 0xe5, mul: 0xe6, div: 0xe7 },
      ...{ min: 0xe8, max: 0xe9, pmin: 0xea, pmax: 0xeb },
    },
    SIMD,
  ),
  ...group(
    V128,
    'v128',
    {
      ...{ ceil: 0x67, floor: 0x68, trunc: 0x69, nearest: 0x6a },
      ...{ abs: 0xe0, neg: 0xe1, sqrt: 0xe3 },
      ...{ convertI32x4S: 0xfa, demoteF64x2Zero: 0x5e },
    },
    SIMD,
  ),
  /** `a * b + c` and `c - a * b`, rounded once where the processor can: relaxed SIMD. */
  ...group(V128_3, 'v128', { relaxedMadd: 0x105, relaxedNmadd: 0x106 }, SIMD),
};

export const f64x2 = {
  ...group(
    V128_2,
    'v128',
    {
      ...{ eq: 0x47, ne: 0x48, lt: 0x49, le: 0x4b },
      ...{ add: 0xf0, sub: 0xf1, mul: 0xf2, div: 0xf3 },
      ...{ min: 0xf4, max: 0xf5, pmin: 0xf6, pmax: 0xf7 },
    },
    SIMD,
  ),
  ...group(
    V128,
    'v128',
    {
      ...{ ceil: 0x74, floor: 0x75, trunc: 0x7a, nearest: 0x94, sqrt: 0xef },
      promoteLowF32x4: 0x5f,
    },
    SIMD,
  ),
  ...group(V128_3, 'v128', { relaxedMadd: 0x107 }, SIMD),
};

/** Atomic instructions, for threads on a shared memory. */
export const atomic = {
  ...loads('i32', { load: [0x10, 2] }, ATOMIC),
  ...stores('i32', { store: [0x17, 2] }, ATOMIC),
  /** Adds to a place and gives what was there. */
  add: (address: Operand<'i32'>, value: Operand<'i32'>, offset = 0): Value<'i32'> =>
    made('i32', I32_2, [address, value], accessCode([0x1e, 2], offset, ATOMIC)),
  /** Sleeps while a place holds a number, until it is notified. A page's own thread may not sleep. */
  wait: (address: Operand<'i32'>, expected: Operand<'i32'>): Value<'i32'> =>
    made('i32', ['i32', 'i32', 'i64'], [address, expected, -1n], accessCode([0x01, 2], 0, ATOMIC)),
  /** Wakes the threads that sleep at a place, and gives their number. */
  notify: (address: Operand<'i32'>): Value<'i32'> =>
    made('i32', I32_2, [address, -1], accessCode([0x00, 2], 0, ATOMIC)),
};

/** Ends the call of the host with an error. */
export const unreachable = (): Statement => ({ type: 'none', code: [0x00] });

/** Drops a value: what is computed for its effect. */
export const drop = (value: Value): Statement => ({ type: 'none', code: [value.code, [0x1a]] });

/** `a` where the condition is not zero, else `b`. Both are computed. */
export function select<T extends ValueType>(
  a: Value<T>,
  b: Value<T>,
  condition: Operand<'i32'>,
): Value<T> {
  expected('operand', a.type, b.type);
  return { type: a.type, code: [a.code, b.code, operandCode('i32', condition), [0x1b]] };
}

/** Fills bytes of memory with one value. */
export const memoryFill = (
  address: Operand<'i32'>,
  byte: Operand<'i32'>,
  bytes: Operand<'i32'>,
): Statement =>
  made('none', ['i32', 'i32', 'i32'], [address, byte, bytes], [opcodeCode(11, MORE), [0]]);
