/**
 * The types of reversed programs: a tensor with a reference for its gradient, and a function that
 * also takes the back-propagator. [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import { memoFold } from '@baton/base';
import {
  adtConstructor,
  type Constructor,
  funcType,
  type GlobalTypeVar,
  globalTypeVar,
  type IRModule,
  refType,
  type Type,
  type TypeData,
  type TypeParts,
  tupleType,
  typeCall,
  typeChildren,
  withTypeParts,
} from '@baton/ir';

/** The back-propagator: a reference to a function without arguments. */
export const BACK_TYPE: Type = refType(funcType([], tupleType([])));

/** Types, data types and constructors of reversed programs. */
export interface ReverseTypes extends TypeParts {
  readonly ctor: (ctor: Constructor) => Constructor;
  /** The data types that are not as they were, with their constructors. */
  readonly definitions: ReadonlyMap<string, TypeData>;
  readonly constructors: ReadonlyMap<string, Constructor>;
}

const stays = <A>(part: A): A => part;

/**
 * The reversed types of a module. A data type whose definition states tensors or functions becomes
 * one with reversed fields, named `List_grad`; others, such as `List[A]`, only get other arguments.
 */
export function reverseTypes(m: IRModule): ReverseTypes {
  const changed = changedData(m);
  const taken = new Set([...m.typeDefinitions.keys(), ...m.constructors.keys()]);
  const headers = new Map<string, GlobalTypeVar>();
  for (const name of changed) headers.set(name, globalTypeVar(freshName(name, taken)));
  const header = (old: GlobalTypeVar): GlobalTypeVar => headers.get(old.nameHint) ?? old;
  const type = memoFold<Type, Type>(typeChildren, (old, get) => {
    const parts = { type: get, shape: stays, dtype: stays, dim: stays };
    const made = withTypeParts(old, parts);
    switch (made._tag) {
      case 'TensorType':
        return tupleType([made, refType(made)]);
      case 'FuncType':
        return funcType([...made.params, BACK_TYPE], made.result, made.typeParams);
      case 'GlobalTypeVar':
        return header(made);
      case 'TypeCall':
        return headers.has(made.func.nameHint) ? typeCall(header(made.func), made.args) : made;
      default:
        return made;
    }
  });
  const definitions = new Map<string, TypeData>();
  const constructors = new Map<string, Constructor>();
  const reversed = new Map<string, Constructor>();
  let tag = Math.max(-1, ...[...m.constructors.values()].map((ctor) => ctor.tag));
  for (const [name, made] of headers) {
    const data = m.typeDefinitions.get(name);
    if (data === undefined) continue;
    const own = data.constructors.map((ctor) => {
      const definition = { name: freshName(ctor.name, taken), inputs: ctor.inputs.map(type) };
      tag++;
      const built = adtConstructor(definition.name, definition.inputs, made, tag);
      constructors.set(definition.name, built);
      reversed.set(ctor.name, built);
      return definition;
    });
    definitions.set(made.nameHint, { ...data, header: made, constructors: own });
  }
  return {
    type,
    shape: stays,
    dtype: stays,
    dim: stays,
    ctor: (ctor) => reversed.get(ctor.nameHint) ?? ctor,
    definitions,
    constructors,
  };
}

/** A name with `_grad` that nothing has yet. */
export function freshName(name: string, taken: Set<string>): string {
  let made = `${name}_grad`;
  for (let i = 1; taken.has(made); i++) made = `${name}_grad${i}`;
  taken.add(made);
  return made;
}

/** The data types that state a tensor or a function, or hold another such data type. */
function changedData(m: IRModule): ReadonlySet<string> {
  const changed = new Set<string>();
  for (let before = -1; before < changed.size; ) {
    before = changed.size;
    const isReversed = memoFold<Type, boolean>(typeChildren, (type, get) => {
      if (type._tag === 'TensorType' || type._tag === 'FuncType') return true;
      if (type._tag === 'GlobalTypeVar') return changed.has(type.nameHint);
      if (type._tag === 'TypeCall' && changed.has(type.func.nameHint)) return true;
      return typeChildren(type).some(get);
    });
    for (const [name, data] of m.typeDefinitions) {
      if (data.constructors.some((ctor) => ctor.inputs.some(isReversed))) changed.add(name);
    }
  }
  return changed;
}
