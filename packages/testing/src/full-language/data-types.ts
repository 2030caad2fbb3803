/** Algebraic data types: those of the library, and random ones. */
import { hashText } from '@baton/base';
import {
  adtConstructor,
  type Constructor,
  globalTypeVar,
  replaceTypeVars,
  scalarType,
  type Type,
  type TypeArg,
  type TypeCall,
  type TypeData,
  type TypeVar,
  tupleType,
  typeCall,
  typeVar,
} from '@baton/ir';
import type { DType } from '@baton/tensor';
import type { Choices } from '../generate/random.ts';

export interface DataType {
  readonly data: TypeData;
  readonly constructors: ReadonlyArray<Constructor>;
}

const LETTERS = ['A', 'B'];

/** A random data type: up to two parameters and three constructors, the first the least deep. */
export function someDataType(random: Choices, index: number, float: DType): DataType {
  const name = `D${index}`;
  const header = globalTypeVar(name);
  const typeVars = LETTERS.slice(0, random.int(0, 2)).map((letter) => typeVar(letter));
  const self = typeCall(header, typeVars.map(argOf));
  const scalars = [scalarType(float), scalarType('int32'), scalarType('bool')];
  const atom = (): Type =>
    typeVars.length > 0 && random.chance(0.6) ? random.pick(typeVars) : random.pick(scalars);
  const input = (isFirst: boolean): Type => {
    if (!isFirst && random.chance(0.35)) return self;
    return random.chance(0.15) ? tupleType([atom(), atom()]) : atom();
  };
  const constructors = Array.from({ length: random.int(1, 3) }, (_, i) => ({
    name: `${name}${'XYZ'[i]}`,
    inputs: Array.from({ length: random.int(i === 0 ? 0 : 1, 2) }, () => input(i === 0)),
  }));
  const data: TypeData = { _tag: 'TypeData', header, typeVars, constructors, extern: false };
  return {
    data,
    constructors: constructors.map((c, i) =>
      adtConstructor(c.name, c.inputs, header, ((hashText(name) & 0xff) << 24) | i),
    ),
  };
}

const argOf = (value: Type): TypeArg => ({ _tag: 'TypeArg', kind: 'Type', value });

export const dataTypeOf = ({ data }: DataType, types: ReadonlyArray<Type>): TypeCall =>
  typeCall(data.header, types.map(argOf));

export function inputsOf(
  { data }: DataType,
  ctor: Constructor,
  type: TypeCall,
): ReadonlyArray<Type> {
  const args = new Map<TypeVar, TypeArg>();
  data.typeVars.forEach((v, i) => {
    const arg = type.args[i];
    if (arg !== undefined) args.set(v, arg);
  });
  const { type: instance } = replaceTypeVars(args);
  return ctor.inputs.map(instance);
}
