/** The builder of a WebAssembly module: functions on one imported memory. */
import { invariant, remember } from '@baton/base';
import { type FunctionBuilder, type FunctionRef, functionBody, type Params } from './function.ts';
import {
  type Code,
  flatten,
  type Operand,
  operandCode,
  type ResultType,
  type Statement,
  TYPE_BYTES,
  unsigned,
  type Value,
  type ValueType,
  vector,
} from './value.ts';

/** A memory of a module. **Units** pages of 65,536 bytes. */
export interface MemoryType {
  readonly minimum: number;
  /** Shared memories need it. */
  readonly maximum?: number;
  /** Whether threads share it. */
  readonly isShared?: boolean;
}

/** A variable of an instance. */
export interface Global {
  readonly value: Value<'i32'>;
  readonly set: (value: Operand<'i32'>) => Statement;
}

/** Which part of the work an instance does, and in how many parts the work is split. */
export interface Part {
  readonly index: Global;
  readonly count: Global;
}

/** A function of a module. */
export interface BuiltFunction {
  readonly params: ReadonlyArray<ValueType>;
  readonly result: ResultType;
  readonly body: Uint8Array;
}

/** Collects the parts of a module. Equal calls in equal order give equal bytes. */
export interface ModuleBuilder {
  /** Imports the memory that all functions work on. */
  readonly importMemory: (module: string, name: string, type: MemoryType) => void;
  /** Adds a function, whose body ends with its result. */
  readonly func: <const P extends ReadonlyArray<ValueType>, R extends ValueType>(
    params: P,
    result: R,
    body: (f: FunctionBuilder, ...params: Params<P>) => Value<R>,
  ) => FunctionRef<P, R>;
  /** Adds a function without a result. */
  readonly procedure: <const P extends ReadonlyArray<ValueType>>(
    params: P,
    body: (f: FunctionBuilder, ...params: Params<P>) => void,
  ) => FunctionRef<P, 'none'>;
  /** Adds a function whose body is there in bytes. */
  readonly encoded: (
    params: ReadonlyArray<ValueType>,
    result: ResultType,
    body: Uint8Array,
  ) => FunctionRef;
  /** The functions in the order of their indices, with their bodies in bytes. */
  readonly functions: ReadonlyArray<BuiltFunction>;
  /** The part of the work that an instance does, if several instances share it. */
  readonly part: Part | undefined;
  /** Whether code is written such that as little of it as possible depends on sizes. */
  readonly isOpen: boolean;
  /** Adds a variable that all functions of an instance share, zero at first. */
  readonly global: (type: 'i32') => Global;
  /** The part that was made for this key, or the part that `make` adds now. */
  readonly once: <A>(key: string, make: () => A) => A;
  /** Makes a function callable from outside. */
  readonly exportFunction: (name: string, ref: FunctionRef) => void;
  /** The module as bytes. */
  readonly finish: () => Uint8Array<ArrayBuffer>;
}

/** Where modules import the functions of `Math` from. */
export const MATH = 'math';

/** The beginning of each module: its mark, and version 1. */
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/** Section numbers, in the order that a module has them. */
const SECTIONS = { types: 1, imports: 2, functions: 3, globals: 6, exports: 7, code: 10 };

/**
 * An empty module; `isShared` gives it a {@link Part}, `isFused` allows its functions to round once,
 * `isOpen` is for code of many sizes, `math` are the functions of `Math` that it imports.
 */
export function makeModule({
  isShared = false,
  isFused = false,
  isOpen = false,
  math = [] as ReadonlyArray<string>,
} = {}): ModuleBuilder {
  const types = new Map<string, { readonly index: number; readonly code: Code }>();
  const imports: Code[] = [];
  const functions: BuiltFunction[] = [];
  const globals: Code[] = [];
  const exports: Code[] = [];
  const parts = new Map<string, unknown>();

  const typeOf = (params: ReadonlyArray<ValueType>, result: ResultType): Code => {
    const key = `${params.join()}:${result}`;
    const made = () => ({ index: types.size, code: signature(params, result) });
    return unsigned(remember(types, key, made).index);
  };

  const add = <const P extends ReadonlyArray<ValueType>, R extends ResultType>(
    params: P,
    result: R,
    body: Code,
  ): FunctionRef<P, R> => {
    const index = math.length + functions.push({ params, result, body: flatten(body) }) - 1;
    return { index, params, result };
  };
  const shared = { isFused, mathOf: (name: string) => importedMath(name, math) };
  for (const name of math) {
    imports.push([nameCode(MATH), nameCode(name), 0x00, typeOf(['f64'], 'f64')]);
  }

  const global = (type: 'i32'): Global => {
    const index = unsigned(globals.length);
    globals.push([TYPE_BYTES[type], 0x01, constantAddress(0)]);
    return {
      value: { type, code: [0x23, index] },
      set: (value) => ({ type: 'none', code: [operandCode(type, value), 0x24, index] }),
    };
  };

  return {
    part: isShared ? { index: global('i32'), count: global('i32') } : undefined,
    isOpen,
    global,
    importMemory: (module, name, type) =>
      void imports.push([nameCode(module), nameCode(name), 0x02, limits(type)]),
    func: (params, result, body) => add(params, result, functionBody(params, result, body, shared)),
    procedure: (params, body) =>
      add(
        params,
        'none',
        functionBody(params, 'none', (f, ...args) => void body(f, ...args), shared),
      ),
    encoded: add,
    functions,
    once: <A>(key: string, make: () => A): A => {
      if (!parts.has(key)) parts.set(key, make());
      return parts.get(key) as A;
    },
    exportFunction: (name, ref) => void exports.push([nameCode(name), 0x00, unsigned(ref.index)]),
    finish: () => {
      const indices = functions.map(({ params, result }) => typeOf(params, result));
      const bodies = functions.map(({ body }) => [unsigned(body.length), body]);
      return flatten([
        HEADER,
        section(
          SECTIONS.types,
          [...types.values()].map(({ code }) => code),
        ),
        section(SECTIONS.imports, imports),
        section(SECTIONS.functions, indices),
        section(SECTIONS.globals, globals),
        section(SECTIONS.exports, exports),
        section(SECTIONS.code, bodies),
      ]);
    },
  };
}

/** An imported function: they come before those of the module. */
function importedMath(name: string, math: ReadonlyArray<string>) {
  const index = math.indexOf(name);
  invariant(index >= 0, 'a module imports the functions that it calls');
  return { index, params: ['f64'], result: 'f64' } as const;
}

const signature = (params: ReadonlyArray<ValueType>, result: ResultType): Code => [
  0x60,
  vector(params.map((type) => [TYPE_BYTES[type]])),
  vector(result === 'none' ? [] : [[TYPE_BYTES[result]]]),
];

function limits({ minimum, maximum, isShared = false }: MemoryType): Code {
  const flags = (maximum === undefined ? 0 : 1) | (isShared ? 2 : 0);
  return [flags, unsigned(minimum), maximum === undefined ? [] : unsigned(maximum)];
}

function section(id: number, items: ReadonlyArray<Code>): Code {
  if (items.length === 0) return [];
  const content = flatten(vector(items));
  return [id, unsigned(content.length), content];
}

/** The expression that a global begins with. */
const constantAddress = (address: number): Code => [operandCode('i32', address), 0x0b];

/** A name in UTF-8, with its length. */
function nameCode(name: string): Code {
  const bytes = [...encodeURIComponent(name).matchAll(/%(..)|./g)].map(([character, hex]) =>
    hex === undefined ? character.charCodeAt(0) : Number.parseInt(hex, 16),
  );
  return [unsigned(bytes.length), bytes];
}
