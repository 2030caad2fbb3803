/** The functions of a module in pieces: code, and the constants in it, in which sizes end up. */
import {
  hasLane,
  scalarAccess,
  skipImmediates,
  vectorAccess,
  vectorImmediates,
} from '../emit/accesses.ts';
import type { BuiltFunction } from '../emit/index.ts';
import { makeReader, type Reader } from '../emit/reader.ts';
import type { ValueType } from '../emit/value.ts';

/** Part of an instruction in a body: it begins at `start`, the part is from `from` to `to`. */
interface Span {
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly end: number;
}

/** The constant of an instruction. */
export interface Constant extends Span {
  /** The type of what the instruction pushes; `offset` in a load or store. */
  readonly kind: ValueType | 'offset';
  /** The value that a store, or the load of a lane, finds on the stack above the address. */
  readonly above: ValueType | undefined;
}

/** The callee of a call. */
export interface Callee extends Span {
  readonly kind: 'callee';
  readonly callee: number;
}

/** A function. */
export interface DecodedFunction extends BuiltFunction {
  /** The number of its variables that are not parameters. */
  readonly locals: number;
  /** How many declarations of variables there are, where they begin, and where the code does. */
  readonly runs: number;
  readonly declared: number;
  readonly code: number;
  /** In their order. */
  readonly parts: ReadonlyArray<Constant | Callee>;
  readonly constants: ReadonlyArray<Constant>;
  readonly callees: ReadonlyArray<number>;
}

/** The pieces of a function. */
export function decoded({ params, result, body }: BuiltFunction): DecodedFunction {
  const reader = makeReader(body);
  const runs = reader.unsigned();
  const declared = reader.position();
  let locals = 0;
  for (let i = 0; i < runs; i++) {
    locals += reader.unsigned();
    reader.skip(1);
  }
  const code = reader.position();
  const parts: Array<Constant | Callee> = [];
  // The last byte ends the function.
  while (reader.position() < body.length - 1) {
    const part = partAt(reader);
    if (part !== undefined) parts.push(part);
  }
  const constants = parts.filter((part) => part.kind !== 'callee');
  const callees = parts.flatMap((part) => (part.kind === 'callee' ? [part.callee] : []));
  return { params, result, body, locals, runs, declared, code, parts, constants, callees };
}

const [CALL, SIMD, MORE] = [0x10, 0xfd, 0xfc];
const VECTOR_CONSTANT = 12;

const TYPES: Readonly<Record<number, ValueType>> = {
  65: 'i32',
  66: 'i64',
  67: 'f32',
  68: 'f64',
};

/** Reads the next instruction: its constant, or its callee. */
function partAt(reader: Reader): Constant | Callee | undefined {
  const start = reader.position();
  const opcode = reader.byte();
  if (opcode === CALL) {
    const callee = reader.unsigned();
    const end = reader.position();
    return { kind: 'callee', callee, start, from: start + 1, to: end, end };
  }
  const isVector = opcode === SIMD;
  const number = isVector ? reader.unsigned() : opcode;
  const access = isVector ? vectorAccess(number) : scalarAccess(number);
  if (access !== undefined) {
    reader.skipNumber();
    const from = reader.position();
    reader.skipNumber();
    const to = reader.position();
    if (isVector && hasLane(number)) reader.skip(1);
    return { kind: 'offset', above: access.value, start, from, to, end: reader.position() };
  }
  const isConstant = isVector && number === VECTOR_CONSTANT;
  const kind = isConstant ? 'v128' : isVector ? undefined : TYPES[number];
  const from = reader.position();
  if (isVector) reader.skip(vectorImmediates(number));
  else if (opcode === MORE) reader.skip(reader.unsigned() === 11 ? 1 : 0);
  else skipImmediates(opcode, reader);
  const end = reader.position();
  return kind && { kind, above: undefined, start, from, to: end, end };
}
