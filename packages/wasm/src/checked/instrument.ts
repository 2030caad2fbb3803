/**
 * Instruments a module: it calls a function of the host before each load and store, before each call in an
 * exported function, which is the call of a kernel, and at the end of that function. This works on the bytes of the module: the code
 * is the one that users run, and the compiler needs no hooks.
 */
import { invariant } from '@baton/base';

import {
  type Access,
  hasLane,
  scalarAccess,
  skipImmediates,
  vectorAccess,
  vectorImmediates,
} from '../emit/accesses.ts';
import { makeReader, type Reader } from '../emit/reader.ts';
import { type Code, flatten, TYPE_BYTES, unsigned, type ValueType } from '../emit/value.ts';

/** Where the instrumented module imports its functions from. */
export const CHECKS = 'checks';

/** The functions of the host. They stop the run by throwing. **Units** bytes. */
export interface Watch {
  /** A kernel begins: the next call of an exported function. */
  readonly enter: () => void;
  /** An exported function ends, and with it the last kernel. */
  readonly leave: () => void;
  /** `access` is the index of one of the module's {@link Instrumented.accesses}. */
  readonly access: (address: number, offset: number, access: number) => void;
  /** Called before a fill. */
  readonly fill: (address: number, bytes: number) => void;
}

/** A module that reports its accesses. */
export interface Instrumented {
  readonly code: Uint8Array<ArrayBuffer>;
  readonly accesses: ReadonlyArray<Access>;
}

/** The imported functions: after those that the module imports, before its own. */
const IMPORTS = {
  enter: [],
  leave: [],
  access: ['i32', 'i32', 'i32'],
  fill: ['i32', 'i32'],
} as const;
const NAMES = Object.keys(IMPORTS) as ReadonlyArray<keyof typeof IMPORTS>;
const [ENTER, LEAVE, ACCESS, FILL] = NAMES.map((_, i) => i) as [number, number, number, number];

/** The index of a function with the host's functions after the imported ones. */
const shifted = (index: number, { imported }: Parts): number =>
  index < imported ? index : index + NAMES.length;

const SECTION = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 };

/** The sections of a module, and the signatures of its functions. */
interface Parts {
  readonly bytes: Uint8Array;
  readonly sections: ReadonlyMap<number, { readonly start: number; readonly end: number }>;
  /** The number of parameters of each type, and the type of each function. */
  readonly params: ReadonlyArray<number>;
  readonly types: ReadonlyArray<number>;
  readonly exported: ReadonlySet<number>;
  /** How many functions the module imports. */
  readonly imported: number;
  readonly isReported: boolean;
}

/** What is reported besides the beginning and the end of kernels. */
export interface InstrumentOptions {
  /** Whether loads, stores and fills are. */
  readonly accesses: boolean;
}

/** The module with calls of the host in it. */
export function instrumented(bytes: Uint8Array, options: InstrumentOptions): Instrumented {
  const parts = partsOf(bytes, options);
  const accesses: Access[] = [];
  const out: Code[] = [bytes.subarray(0, HEADER_BYTES)];
  for (const [id, { start, end }] of parts.sections) {
    const content = changed(id, parts, accesses) ?? bytes.subarray(start, end);
    const flat = flatten(content);
    out.push([id, unsigned(flat.length), flat]);
  }
  return { code: flatten(out), accesses };
}

const HEADER_BYTES = 8;

/** The new content of a section; `undefined` if it does not change. */
function changed(id: number, parts: Parts, accesses: Access[]): Code | undefined {
  const { bytes, sections, params } = parts;
  const { start, end } = sections.get(id) as { readonly start: number; readonly end: number };
  const reader = makeReader(bytes, start);
  /** The items of the section, and new ones. */
  const longer = (more: ReadonlyArray<Code>): Code => {
    const count = reader.unsigned();
    return [unsigned(count + more.length), bytes.subarray(reader.position(), end), ...more];
  };
  switch (id) {
    case SECTION.types:
      return longer(NAMES.map((name) => signature(IMPORTS[name])));
    case SECTION.imports:
      return longer(
        NAMES.map((name, i) => [nameCode(CHECKS), nameCode(name), 0, unsigned(params.length + i)]),
      );
    case SECTION.exports:
      return exportsOf(reader, parts);
    case SECTION.code:
      return bodies(reader, parts, accesses);
    default:
      return undefined;
  }
}

const signature = (params: ReadonlyArray<ValueType>): Code => [
  0x60,
  unsigned(params.length),
  params.map((type) => TYPE_BYTES[type]),
  0,
];

const nameCode = (name: string): Code => [
  unsigned(name.length),
  [...name].map((character) => character.charCodeAt(0)),
];

function partsOf(bytes: Uint8Array, options: InstrumentOptions): Parts {
  const sections = new Map<number, { readonly start: number; readonly end: number }>();
  const reader = makeReader(bytes, HEADER_BYTES);
  while (reader.position() < bytes.length) {
    const id = reader.byte();
    const size = reader.unsigned();
    const start = reader.position();
    sections.set(id, { start, end: start + size });
    reader.skip(size);
  }
  const at = (id: number): Reader => makeReader(bytes, sections.get(id)?.start);
  const list = <A>(from: Reader, item: () => A): A[] =>
    Array.from({ length: from.unsigned() }, item);
  const types = at(SECTION.types);
  const params = list(types, () => {
    types.skip(1);
    const count = types.unsigned();
    types.skip(count);
    types.skip(types.unsigned());
    return count;
  });
  const imports = at(SECTION.imports);
  const functions = at(SECTION.functions);
  const exported = at(SECTION.exports);
  const indices = list(exported, () => {
    exported.skip(exported.unsigned());
    exported.skip(1);
    return exported.unsigned();
  });
  return {
    ...{ bytes, sections, params },
    types: list(functions, functions.unsigned),
    exported: new Set(indices),
    imported: list(imports, () => {
      for (let i = 0; i < 2; i++) imports.skip(imports.unsigned());
      const isFunction = imports.byte() === 0;
      // A memory has flags, a minimum, and perhaps a maximum.
      const flags = imports.unsigned();
      for (let i = isFunction ? 2 : 1 - (flags & 1); i < 2; i++) imports.unsigned();
      return isFunction;
    }).filter((isFunction) => isFunction).length,
    isReported: options.accesses,
  };
}

/** The exports, which are all functions. */
function exportsOf(reader: Reader, parts: Parts): Code {
  const count = reader.unsigned();
  const items = Array.from({ length: count }, (): Code => {
    const length = reader.unsigned();
    const name = Array.from({ length }, reader.byte);
    const kind = reader.byte();
    invariant(kind === 0, 'a module exports functions');
    return [unsigned(length), name, kind, unsigned(shifted(reader.unsigned(), parts))];
  });
  return [unsigned(count), items];
}

function bodies(reader: Reader, parts: Parts, accesses: Access[]): Code {
  const count = reader.unsigned();
  const items = Array.from({ length: count }, (_, index): Code => {
    const end = reader.unsigned() + reader.position();
    const params = parts.params[parts.types[index] as number] as number;
    const flat = flatten(
      bodyOf(reader, end, params, parts, parts.exported.has(index + parts.imported), accesses),
    );
    return [unsigned(flat.length), flat];
  });
  return [unsigned(count), items];
}

/** New variables of each function: the address, the bytes of a fill, and a value of each type. */
const LOCALS = ['i32', 'i32', 'i32', 'i64', 'f32', 'f64', 'v128'] as const;

function bodyOf(
  reader: Reader,
  end: number,
  params: number,
  parts: Parts,
  isRun: boolean,
  accesses: Access[],
): Code {
  const { bytes, isReported } = parts;
  const runs = reader.unsigned();
  const own = reader.position();
  let first = params;
  for (let i = 0; i < runs; i++) {
    first += reader.unsigned();
    reader.skip(1);
  }
  const locals: Code = [
    unsigned(runs + LOCALS.length),
    bytes.subarray(own, reader.position()),
    LOCALS.map((type) => [1, TYPE_BYTES[type]]),
  ];
  const out: Code[] = [locals];
  // The last byte ends the function.
  while (reader.position() < end - 1) {
    const start = reader.position();
    const code = instruction(reader, parts, first, isRun, accesses);
    const isCall = bytes[start] === CALL;
    out.push(isReported || isCall ? code : bytes.subarray(start, reader.position()));
  }
  out.push(isRun ? callOf(LEAVE, parts) : [], bytes.subarray(reader.position(), end));
  reader.skip(end - reader.position());
  return out;
}

/** One instruction, after its check. `first` is the index of the new variables. */
function instruction(
  reader: Reader,
  parts: Parts,
  first: number,
  isRun: boolean,
  accesses: Access[],
): Code {
  const { bytes } = parts;
  const start = reader.position();
  const opcode = reader.byte();
  if (opcode === CALL) {
    const callee = unsigned(shifted(reader.unsigned(), parts));
    return [isRun ? callOf(ENTER, parts) : [], CALL, callee];
  }
  const isVector = opcode === SIMD;
  const number = isVector ? reader.unsigned() : opcode;
  const found = isVector ? vectorAccess(number) : scalarAccess(number);
  const whole = (): Uint8Array => bytes.subarray(start, reader.position());
  if (found !== undefined) {
    reader.skipNumber();
    const offset = reader.unsigned();
    if (isVector && hasLane(number)) reader.skip(1);
    const access = accesses.push(found) - 1;
    return [told(found, first, [i32(offset), i32(access), callOf(ACCESS, parts)]), whole()];
  }
  if (opcode === MORE) {
    const isFill = reader.unsigned() === 11;
    reader.skip(isFill ? 1 : 0);
    return [isFill ? filled(first, parts) : [], whole()];
  }
  if (isVector) reader.skip(vectorImmediates(number));
  else skipImmediates(opcode, reader);
  return whole();
}

const [CALL, SIMD, MORE] = [0x10, 0xfd, 0xfc];
/** A call of a function of the host. */
const callOf = (name: number, { imported }: Parts): Code => [CALL, unsigned(imported + name)];

const [GET, SET, TEE] = [0x20, 0x21, 0x22];

/** A constant below 2^31, in signed LEB128. */
function i32(value: number): Code {
  const code: number[] = [0x41];
  let rest = value;
  while (rest >= 64) {
    code.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...code, rest];
}

/** Reports an address on the stack; a value may be above it. */
function told({ value }: Access, first: number, tell: Code): Code {
  const kept = value && unsigned(first + 2 + LOCALS.slice(2).indexOf(value as 'i32'));
  const address = unsigned(first);
  return [
    kept === undefined ? [] : [SET, kept],
    ...[TEE, address, GET, address, tell],
    kept === undefined ? [] : [GET, kept],
  ];
}

/** Reports a fill: the address, the byte and the number of bytes are on the stack. */
function filled(first: number, parts: Parts): Code {
  const [address, bytes, byte] = [unsigned(first), unsigned(first + 1), unsigned(first + 2)];
  return [
    ...[SET, bytes, SET, byte, TEE, address, GET, address, GET, bytes, callOf(FILL, parts)],
    ...[GET, byte, GET, bytes],
  ];
}
