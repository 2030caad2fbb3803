/** Data types that represent types of functions. */
import { memoFold } from '@baton/base';
import {
  adtConstructor,
  type Clause,
  type Constructor,
  call,
  clause,
  type Expr,
  type Func,
  type FuncType,
  func,
  globalTypeVar,
  globalVar,
  type IRModule,
  match,
  type Pattern,
  type Type,
  type TypeCall,
  type TypeData,
  typeCall,
  typeChildren,
  typeEqual,
  type Var,
  variable,
  withTypeParts,
} from '@baton/ir';

/** A type of functions as data. */
export interface Encoding {
  readonly type: FuncType;
  readonly data: TypeCall;
  /** The function that calls a function given as data. */
  readonly apply: string;
  /** The parameters of `apply`: the function as data, then the arguments. */
  readonly self: Var;
  readonly params: ReadonlyArray<Var>;
  readonly result: Type;
  readonly clauses: { readonly ctor: Constructor; readonly taken: Clause }[];
}

export class Encodings {
  readonly #m: IRModule;
  readonly #all: Encoding[] = [];
  #tag: number;
  #hasGeneric = false;
  readonly #convert: (type: Type) => Type;

  constructor(m: IRModule) {
    this.#m = m;
    this.#tag = Math.max(-1, ...[...m.constructors.values()].map(({ tag }) => tag)) + 1;
    const stays = <A>(part: A): A => part;
    this.#convert = memoFold<Type, Type>(typeChildren, (type, get) => {
      if (type._tag === 'FuncType') return this.#of(type, get).data;
      return withTypeParts(type, { type: get, shape: stays, dtype: stays, dim: stays });
    });
  }

  /** Whether a polymorphic function type was met, which has no encoding. */
  get hasGeneric(): boolean {
    return this.#hasGeneric;
  }

  get size(): number {
    return this.#all.length;
  }

  /** The type with functions replaced by data. */
  type(type: Type): Type {
    return this.#convert(type);
  }

  of(type: FuncType): Encoding {
    return this.#of(type, this.#convert);
  }

  constructorOf(encoding: Encoding, inputs: ReadonlyArray<Type>): Constructor {
    const name = `${encoding.data.func.nameHint}_${encoding.clauses.length}`;
    return adtConstructor(name, inputs, encoding.data.func, this.#tag++);
  }

  /** The definitions that the encodings add to a module. */
  definitions(): {
    readonly types: ReadonlyArray<readonly [string, TypeData]>;
    readonly constructors: ReadonlyArray<readonly [string, Constructor]>;
    readonly functions: ReadonlyArray<readonly [string, Func]>;
  } {
    const closed = this.#all.map((encoding) => this.#closed(encoding));
    return {
      types: closed.map((one) => [one.data.func.nameHint, typeData(one)]),
      constructors: closed.flatMap((one) =>
        one.clauses.map(({ ctor }) => [ctor.nameHint, ctor] as const),
      ),
      functions: closed.map((one) => [one.apply, applyOf(one)]),
    };
  }

  #of(type: FuncType, convert: (type: Type) => Type): Encoding {
    const known = this.#all.find((one) => typeEqual(one.type, type));
    if (known !== undefined) return known;
    if (type.typeParams.length > 0) this.#hasGeneric = true;
    const names = this.#names();
    const data = typeCall(globalTypeVar(names.data), []);
    const made: Encoding = {
      type,
      data,
      apply: names.apply,
      self: variable('f', data),
      params: type.params.map((param, i) => variable(`x${i}`, convert(param))),
      result: convert(type.result),
      clauses: [],
    };
    this.#all.push(made);
    return made;
  }

  #names(): { readonly data: string; readonly apply: string } {
    for (let i = this.#all.length; ; i++) {
      const [data, apply] = [`Fn${i}`, `apply_${i}`];
      const isTaken = [...this.#m.constructors.keys()].some((name) => name.startsWith(`${data}_`));
      const isKnown = this.#m.typeDefinitions.has(data) || this.#m.functions.has(apply);
      if (!isTaken && !isKnown && this.#all.every((one) => one.apply !== apply)) {
        return { data, apply };
      }
    }
  }

  /** A type without functions has one that is never made, and would never return. */
  #closed(encoding: Encoding): Encoding {
    if (encoding.clauses.length > 0) return encoding;
    const ctor = this.constructorOf(encoding, []);
    const body = call(globalVar(encoding.apply), [encoding.self, ...encoding.params]);
    const taken = clause(patternOf(ctor, []), body);
    return { ...encoding, clauses: [{ ctor, taken }] };
  }
}

export const patternOf = (ctor: Constructor, fields: ReadonlyArray<Var>): Pattern => ({
  _tag: 'PatternConstructor',
  ctor,
  patterns: fields.map((v) => ({ _tag: 'PatternVar', variable: v, span: v.span })),
  span: undefined,
});

const typeData = ({ data, clauses }: Encoding): TypeData => ({
  _tag: 'TypeData',
  header: data.func,
  typeVars: [],
  constructors: clauses.map(({ ctor }) => ({ name: ctor.nameHint, inputs: ctor.inputs })),
  extern: false,
});

const applyOf = ({ self, params, result, clauses }: Encoding): Func => {
  const body: Expr = match(
    self,
    clauses.map(({ taken }) => taken),
    true,
  );
  return func([self, ...params], body, { retType: result });
};
