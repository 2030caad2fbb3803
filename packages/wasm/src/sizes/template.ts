/**
 * Templates: the code of one kernel at many sizes. Code for two sizes differs in constants, as long as
 * its loops are the same; a template is what they have in common, and those of the constants that have
 * differed are read from memory when the kernel begins. So code for a further size is there already.
 *
 * This is anti-unification (Plotkin 1970) of the code that was written for the sizes: nothing is said
 * about sizes that are not numbers, and for each size the instructions are those that were written for it.
 */
import { type Code, flatten, TYPE_BYTES, unsigned, type ValueType } from '../emit/value.ts';
import type { Constant, DecodedFunction } from './decode.ts';

/** A function, and a text of it that is equal for functions that differ in constants and callees at most. */
export interface SkeletonFunction extends DecodedFunction {
  readonly skeleton: string;
}

/** Code that was written for one size. */
export interface Sample {
  /** Callees before their callers; the last is the kernel. */
  readonly functions: ReadonlyArray<SkeletonFunction>;
  /** The place among them of a function by the number that calls have for it. */
  readonly places: ReadonlyMap<number, number>;
  /** Equal texts mean code that differs in constants at most. */
  readonly skeleton: string;
}

/** The code of a function, with those that it calls. A function is added after its callees. */
export function sampleOf(root: number, functionAt: (index: number) => SkeletonFunction): Sample {
  const members = new Set([root]);
  // Also visits what is added meanwhile.
  for (const member of members)
    for (const callee of functionAt(member).callees) members.add(callee);
  const sorted = [...members].sort((a, b) => a - b);
  const places = new Map(sorted.map((index, place) => [index, place]));
  const functions = sorted.map(functionAt);
  const texts = functions.map(
    ({ skeleton, callees }) => `${skeleton}(${callees.map((callee) => places.get(callee))})`,
  );
  return { functions, places, skeleton: texts.join() };
}

/** The text of a function without its constants and callees. The instructions around them remain. */
export function skeletonOf({ params, result, body, code, parts }: DecodedFunction): string {
  const kept = new Uint8Array(body.length);
  let [size, at] = [0, 0];
  const keep = (to: number): void => {
    kept.set(body.subarray(at, to), size);
    size += to - at;
  };
  for (const { from, to } of parts) {
    keep(from);
    at = to;
  }
  keep(body.length);
  return `${params} ${result} ${code} ${textOf(kept.subarray(0, size))}`;
}

const CHUNK = 4096;

/** Bytes as a text, a character each. */
export function textOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return text;
}

/** The constants of the functions of a sample, numbered from the first function on. */
export function differences(a: Sample, b: Sample): ReadonlyArray<number> {
  const found: number[] = [];
  let first = 0;
  for (const [place, one] of a.functions.entries()) {
    const other = b.functions[place] as SkeletonFunction;
    if (one !== other) {
      for (let i = 0; i < one.constants.length; i++) {
        const [x, y] = [one.constants[i] as Constant, other.constants[i] as Constant];
        if (!isSame(one.body, x, other.body, y)) found.push(first + i);
      }
    }
    first += one.constants.length;
  }
  return found;
}

function isSame(a: Uint8Array, x: Constant, b: Uint8Array, y: Constant): boolean {
  const length = x.to - x.from;
  if (length !== y.to - y.from) return false;
  for (let i = 0; i < length; i++) if (a[x.from + i] !== b[y.from + i]) return false;
  return true;
}

/** The constants that are read from memory, each with its place there, and the bytes of all. */
export interface Layout {
  readonly places: ReadonlyMap<number, number>;
  readonly bytes: number;
}

const WIDTHS: Readonly<Record<Constant['kind'], number>> = {
  i32: 4,
  offset: 4,
  f32: 4,
  i64: 8,
  f64: 8,
  v128: 16,
};

/** A place in memory for each of some constants. */
export function layoutOf({ functions }: Sample, varying: ReadonlySet<number>): Layout {
  const places = new Map<number, number>();
  let [bytes, number] = [0, 0];
  for (const { constants } of functions) {
    for (const { kind } of constants) {
      if (varying.has(number)) {
        places.set(number, bytes);
        bytes += WIDTHS[kind];
      }
      number++;
    }
  }
  return { places, bytes };
}

/** Writes the constants of a sample to their places. */
export function constantsIn({ functions }: Sample, { places, bytes }: Layout): Uint8Array {
  const into = new Uint8Array(bytes);
  const view = new DataView(into.buffer);
  let first = 0;
  let place = 0;
  const pending = [...places];
  for (const { body, constants } of functions) {
    for (; place < pending.length; place++) {
      const [number, at] = pending[place] as readonly [number, number];
      const constant = constants[number - first];
      if (constant === undefined) break;
      const { kind, from, to } = constant;
      const value = body.subarray(from, to);
      if (kind === 'i32') view.setInt32(at, Number(signedOf(value)), true);
      else if (kind === 'offset') view.setUint32(at, unsignedOf(value), true);
      else if (kind === 'i64') view.setBigInt64(at, signedOf(value), true);
      else into.set(value, at);
    }
    first += constants.length;
  }
  return into;
}

const unsignedOf = (bytes: Uint8Array): number =>
  bytes.reduceRight((sum, byte) => sum * 128 + (byte & 0x7f), 0);

/** An integer with sign in LEB128. */
function signedOf(bytes: Uint8Array): bigint {
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
  }
  const isNegative = ((bytes.at(-1) as number) & 0x40) !== 0;
  return isNegative ? value - (1n << shift) : value;
}

/** A function as it is written into a module: its type, and its body but for the functions it calls. */
export interface WrittenFunction extends Pick<DecodedFunction, 'params' | 'result'> {
  readonly bodyOf: (indexOf: (place: number) => number) => Uint8Array<ArrayBuffer>;
}

/** The functions of a sample that read some of their constants from memory. */
export function written(
  { functions, places: callees }: Sample,
  { places }: Layout,
): ReadonlyArray<WrittenFunction> {
  let first = 0;
  return functions.map((func) => {
    const own = first;
    first += func.constants.length;
    const { params, result } = func;
    return {
      params,
      result,
      bodyOf: (indexOf) => {
        const placeOf = (i: number): number | undefined => places.get(own + i);
        const indexAt = (callee: number): number => indexOf(callees.get(callee) as number);
        return bodyWith(func, placeOf, indexAt);
      },
    };
  });
}

/** The number of the variable that holds the address of the constants in memory. */
const CONSTANTS = 0;

const [CALL, GET, SET, ADD, GET_GLOBAL, END] = [0x10, 0x20, 0x21, 0x6a, 0x23, 0x0b];

/** The body of a function, in which the constants with a place are variables that it reads when it begins. */
function bodyWith(
  { params, locals, runs, declared, code, body, parts }: DecodedFunction,
  placeOf: (constant: number) => number | undefined,
  indexAt: (callee: number) => number,
): Uint8Array<ArrayBuffer> {
  const types: ValueType[] = [];
  const variable = (type: ValueType): Code =>
    unsigned(params.length + locals + types.push(type) - 1);
  const kept = new Map<ValueType, Code>();
  const begin: Code[] = [];
  const out: Code[] = [];
  let at = code;
  let next = 0;
  for (const part of parts) {
    const { kind, start, end } = part;
    if (kind === 'callee') {
      out.push(body.subarray(at, start), [CALL, unsigned(indexAt(part.callee))]);
      at = end;
      continue;
    }
    const place = placeOf(next++);
    if (place === undefined) continue;
    const type = kind === 'offset' ? 'i32' : kind;
    const own = variable(type);
    begin.push([GET_GLOBAL, CONSTANTS, LOADS[type], unsigned(place), SET, own]);
    out.push(body.subarray(at, start));
    if (kind !== 'offset') out.push([GET, own]);
    else {
      const { above } = part;
      const value = above && (kept.get(above) ?? variable(above));
      if (above && value) kept.set(above, value);
      out.push(value ? [SET, value, GET, own, ADD, GET, value] : [GET, own, ADD]);
      // The instruction with no offset.
      out.push(body.subarray(start, part.from), [0], body.subarray(part.to, end));
    }
    at = end;
  }
  out.push(body.subarray(at, body.length - 1));
  const more = types.map((type) => [1, TYPE_BYTES[type]]);
  return flatten([
    ...[unsigned(runs + more.length), body.subarray(declared, code)],
    ...[...more, ...begin, ...out, [END]],
  ]);
}

/** The loads of each type, without an alignment that they could count on. */
const LOADS: Readonly<Record<ValueType, Code>> = {
  i32: [0x28, 0],
  i64: [0x29, 0],
  f32: [0x2a, 0],
  f64: [0x2b, 0],
  v128: [0xfd, 0x00, 0],
};
