/** Typed pieces of WebAssembly code: instructions that leave one value, or none, on the stack. */
import { invariant } from '@baton/base';

/** The types of locals, parameters and stack values. */
export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

/** What a piece of code leaves on the stack. */
export type ResultType = ValueType | 'none';

/** Bytes as a rope: joining pieces copies nothing, and {@link flatten} writes all at once. */
export type Code = ReadonlyArray<number | Code> | Uint8Array;

/**
 * Code that leaves one value of a type, or nothing.
 *
 * A value that is used twice is computed twice: `FunctionBuilder.let` keeps it in a local.
 */
export interface Value<T extends ResultType = ResultType> {
  readonly type: T;
  readonly code: Code;
}

/** Code that leaves nothing: a store, a call without result. */
export type Statement = Value<'none'>;

/** An operand: a value, or a plain number that becomes a constant of the type. */
export type Operand<T extends ValueType> =
  | Value<T>
  | (T extends 'i32' | 'f32' | 'f64' ? number : T extends 'i64' ? bigint : never);

/** The bytes that stand for the types. */
export const TYPE_BYTES: Readonly<Record<ResultType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f32: 0x7d,
  f64: 0x7c,
  v128: 0x7b,
  none: 0x40,
};

/** The code of an operand. Throws if it has another type. */
export function operandCode<T extends ValueType>(type: T, operand: Operand<T>): Code {
  if (typeof operand === 'object') {
    expected('operand', type, operand.type);
    return operand.code;
  }
  return constantCode(type, operand);
}

/** The code of operands of such types. Throws if there are more or fewer. */
export function operandCodes(
  types: ReadonlyArray<ValueType>,
  operands: ReadonlyArray<Operand<ValueType>>,
): ReadonlyArray<Code> {
  expected('operands', types.length, operands.length);
  return types.map((type, i) => operandCode(type, operands[i] as Operand<ValueType>));
}

/** The instruction that pushes a constant. */
function constantCode(type: ValueType, value: number | bigint): Code {
  switch (type) {
    case 'i32':
      invariant(Number.isInteger(value), `${value} is no i32`);
      return [0x41, signed(BigInt.asIntN(32, BigInt(value)))];
    case 'i64':
      return [0x42, signed(BigInt.asIntN(64, BigInt(value)))];
    case 'f32':
      return [0x43, bytesOf(new Float32Array([Number(value)]))];
    case 'f64':
      return [0x44, bytesOf(new Float64Array([Number(value)]))];
    case 'v128':
      invariant(false, 'no v128');
  }
}

/** Checks what TypeScript checks of code that is not computed: a type, or a count. */
export function expected<T>(what: string, wanted: T, found: T): void {
  if (found !== wanted) invariant(false, `${what}: expected ${wanted}, found ${found}`);
}

/** The bytes of a typed array. WebAssembly and all hosts that run it are little-endian. */
export const bytesOf = (data: ArrayBufferView): Code =>
  new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice();

/** An integer of 32 bits without sign in LEB128. */
export function unsigned(value: number): Code {
  invariant(Number.isInteger(value) && value >= 0 && value < 2 ** 32, `${value} is no u32`);
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** An integer with sign in LEB128. */
function signed(value: bigint): Code {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const isLast = (low & 0x40) === 0 ? rest === 0n : rest === -1n;
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

/** A count followed by its items. */
export const vector = (items: ReadonlyArray<Code>): Code => [unsigned(items.length), ...items];

/** The code of a constant of a vector, which is told from other code. */
class VectorConstant extends Uint8Array {}

/** Marks the code of a constant. */
export const vectorConstant = (code: Code): Code => new VectorConstant(flatten(code));

/** The bytes of a constant as text; `undefined` for other code. */
export const constantKey = (code: Code): string | undefined =>
  code instanceof VectorConstant ? code.join() : undefined;

/** Room for bytes, which all calls of {@link flatten} share. */
let room = new Uint8Array(2 ** 12);

function makeRoom(size: number): void {
  if (size <= room.length) return;
  const larger = new Uint8Array(2 * size);
  larger.set(room);
  room = larger;
}

/** The bytes of a rope, of any depth, with other code for parts of it. **Complexity** linear. */
export function flatten(
  code: Code,
  otherFor?: (part: Code) => Code | undefined,
): Uint8Array<ArrayBuffer> {
  let size = 0;
  const stack: Code[] = [];
  const places: number[] = [];
  const enter = (part: Code): void => {
    const own = otherFor?.(part) ?? part;
    if (own instanceof Uint8Array) {
      makeRoom(size + own.length);
      room.set(own, size);
      size += own.length;
    } else {
      stack.push(own);
      places.push(0);
    }
  };
  enter(code);
  while (stack.length > 0) {
    const top = stack.length - 1;
    const items = stack[top] as ReadonlyArray<number | Code>;
    let at = places[top] as number;
    makeRoom(size + items.length - at);
    let item = items[at];
    for (; typeof item === 'number'; item = items[++at]) room[size++] = item;
    if (item === undefined) {
      stack.pop();
      places.pop();
    } else {
      places[top] = at + 1;
      enter(item);
    }
  }
  return room.slice(0, size);
}
