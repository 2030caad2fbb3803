/**
 * The types of Relay: [language §4](https://batonjs.github.io/baton/spec/language#4),
 * [types §1](https://batonjs.github.io/baton/spec/types#1). Plain tagged unions made by the
 * constructors of this file; a type is a DAG, and `hash` and `mentions` are set at birth.
 */
import { hashNumber, hashText, mixHash, remember } from '@baton/base';
import { DTYPES, type DType, STORAGE_DTYPES } from '@baton/tensor';
import type { Attrs } from './attrs.ts';
import { type Dim, dimMentions, hashDim } from './dim.ts';
import { HOLES, type IncompleteType, type Mentions, type TypeVar, VARIABLES } from './variable.ts';

/** The kind of a type-level term. The first four are the kinds of type parameters. */
export type Kind =
  | 'Type'
  | 'Shape'
  | 'BaseType'
  | 'ShapeVar'
  | 'Constraint'
  | 'AdtHandle'
  | 'TypeData';

/** A dtype with a lane count, such as `float16x4`. Legal in types; kernels require one lane. */
export type LaneDType = `${DType}x${number}`;

/** The content of the dtype slot of a tensor type. */
export type DTypeTerm = DType | LaneDType | TypeVar | IncompleteType;

/** The content of the shape slot of a tensor type: dimensions, or one variable for all of them. */
export type Shape = ReadonlyArray<Dim> | TypeVar | IncompleteType;

/** Every tensor, scalars included: a scalar has shape `()`. */
export interface TensorType {
  readonly _tag: 'TensorType';
  readonly shape: Shape;
  readonly dtype: DTypeTerm;
  readonly mentions: Mentions;
  readonly hash: number;
}

export interface TupleType {
  readonly _tag: 'TupleType';
  readonly fields: ReadonlyArray<Type>;
  readonly mentions: Mentions;
  readonly hash: number;
}

export interface FuncType {
  readonly _tag: 'FuncType';
  readonly params: ReadonlyArray<Type>;
  readonly result: Type;
  readonly typeParams: ReadonlyArray<TypeVar>;
  readonly constraints: ReadonlyArray<TypeRelation>;
  readonly mentions: Mentions;
  readonly hash: number;
}

/** The name of an algebraic data type. */
export interface GlobalTypeVar {
  readonly _tag: 'GlobalTypeVar';
  readonly nameHint: string;
  readonly mentions: Mentions;
  readonly hash: number;
}

/** An algebraic data type applied to its arguments: `List[int32]`. */
export interface TypeCall {
  readonly _tag: 'TypeCall';
  readonly func: GlobalTypeVar;
  readonly args: ReadonlyArray<TypeArg>;
  readonly mentions: Mentions;
  readonly hash: number;
}

export interface RefType {
  readonly _tag: 'RefType';
  readonly value: Type;
  readonly mentions: Mentions;
  readonly hash: number;
}

/** A constraint: the relation `name` holds between `args`, the first `inputCount` of them inputs. */
export interface TypeRelation {
  readonly _tag: 'TypeRelation';
  readonly name: string;
  readonly args: ReadonlyArray<Type>;
  readonly inputCount: number;
  readonly attrs: Attrs | undefined;
  readonly mentions: Mentions;
  readonly hash: number;
}

export type Type =
  | TensorType
  | TupleType
  | FuncType
  | TypeVar
  | GlobalTypeVar
  | TypeCall
  | RefType
  | IncompleteType;

/** An argument of a type parameter, of the parameter's kind. */
export type TypeArg =
  | { readonly _tag: 'TypeArg'; readonly kind: 'Type'; readonly value: Type }
  | { readonly _tag: 'TypeArg'; readonly kind: 'Shape'; readonly value: Shape }
  | { readonly _tag: 'TypeArg'; readonly kind: 'BaseType'; readonly value: DTypeTerm }
  | { readonly _tag: 'TypeArg'; readonly kind: 'ShapeVar'; readonly value: Dim };

export interface TypeData {
  readonly _tag: 'TypeData';
  readonly header: GlobalTypeVar;
  readonly typeVars: ReadonlyArray<TypeVar>;
  readonly constructors: ReadonlyArray<ConstructorDef>;
  /** `extern type`: values come from outside. */
  readonly extern: boolean;
}

export interface ConstructorDef {
  readonly name: string;
  readonly inputs: ReadonlyArray<Type>;
}

const TAG_HASH = {
  TensorType: 0x1a3f,
  TupleType: 0x2b71,
  FuncType: 0x3c95,
  GlobalTypeVar: 0x5e23,
  TypeCall: 0x6f47,
  RefType: 0x7a89,
  TypeRelation: 0x9cd7,
} as const;

const none: ReadonlyArray<never> = [];

const hashShape = (shape: Shape): number =>
  '_tag' in shape
    ? shape.hash
    : shape.reduce<number>((h, dim) => mixHash(h, hashDim(dim)), shape.length);

const shapeMentions = (shape: Shape): Mentions => {
  if ('_tag' in shape) return shape.mentions;
  let found = 0;
  for (const dim of shape) if (typeof dim !== 'number') found |= dimMentions(dim);
  return found;
};

const dtypeMentions = (dtype: DTypeTerm): Mentions =>
  typeof dtype === 'string' ? 0 : dtype.mentions;

const argMentions = (arg: TypeArg): Mentions => {
  switch (arg.kind) {
    case 'Type':
      return arg.value.mentions;
    case 'Shape':
      return shapeMentions(arg.value);
    case 'BaseType':
      return dtypeMentions(arg.value);
    case 'ShapeVar':
      return dimMentions(arg.value);
  }
};

const allMention = (parts: ReadonlyArray<{ readonly mentions: Mentions }>): Mentions => {
  let found = 0;
  for (const part of parts) found |= part.mentions;
  return found;
};

const hashDType = (dtype: DTypeTerm): number =>
  typeof dtype === 'string' ? hashText(dtype) : dtype.hash;

const hashAll = (seed: number, parts: ReadonlyArray<{ readonly hash: number }>): number =>
  parts.reduce((h, part) => mixHash(h, part.hash), seed);

/** Up to this number, relations are hashed again for each function. */
const FEW_RELATIONS = 16;

/** The hashes of long lists: the functions of a group have one list of relations. */
const relationHashes = new WeakMap<ReadonlyArray<TypeRelation>, number>();

/** As {@link hashAll}, but a long list is walked once. */
const hashRelations = (seed: number, relations: ReadonlyArray<TypeRelation>): number =>
  relations.length <= FEW_RELATIONS
    ? hashAll(seed, relations)
    : mixHash(
        seed,
        remember(relationHashes, relations, () => hashAll(relations.length, relations)),
      );

const relationMentions = new WeakMap<ReadonlyArray<TypeRelation>, Mentions>();

const mentionedBy = (relations: ReadonlyArray<TypeRelation>): Mentions =>
  relations.length <= FEW_RELATIONS
    ? allMention(relations)
    : remember(relationMentions, relations, () => allMention(relations));

/** Whether a type mentions no hole at any depth. **Complexity** O(1). */
export const isClosed = (type: { readonly mentions: Mentions }): boolean =>
  (type.mentions & HOLES) === 0;

/** Whether a type mentions type parameters, its own bound ones included. **Complexity** O(1). */
export const mentionsTypeVars = (type: { readonly mentions: Mentions }): boolean =>
  (type.mentions & VARIABLES) !== 0;

/** `Tensor[shape, dtype]`. */
export const tensorType = (shape: Shape, dtype: DTypeTerm): TensorType => ({
  _tag: 'TensorType',
  shape,
  dtype,
  mentions: shapeMentions(shape) | dtypeMentions(dtype),
  hash: mixHash(mixHash(TAG_HASH.TensorType, hashShape(shape)), hashDType(dtype)),
});

/** A tensor type of rank 0; one object for each dtype. */
export const scalarType = (dtype: DTypeTerm): TensorType =>
  (typeof dtype === 'string' ? scalars.get(dtype) : undefined) ?? tensorType([], dtype);

const scalars: ReadonlyMap<string, TensorType> = new Map(
  [...DTYPES, ...STORAGE_DTYPES].map((dtype) => [dtype, tensorType([], dtype)]),
);

/** `(T1, .., Tn)`. */
export const tupleType = (fields: ReadonlyArray<Type>): TupleType => ({
  _tag: 'TupleType',
  fields,
  mentions: allMention(fields),
  hash: hashAll(mixHash(TAG_HASH.TupleType, fields.length), fields),
});

/** `fn [typeParams](params) -> result where constraints`. */
export const funcType = (
  params: ReadonlyArray<Type>,
  result: Type,
  typeParams: ReadonlyArray<TypeVar> = none,
  constraints: ReadonlyArray<TypeRelation> = none,
): FuncType => ({
  _tag: 'FuncType',
  params,
  result,
  typeParams,
  constraints,
  mentions: allMention(params) | result.mentions | mentionedBy(constraints),
  hash: hashRelations(
    mixHash(hashAll(mixHash(TAG_HASH.FuncType, params.length), params), result.hash),
    constraints,
  ),
});

/** The name of an algebraic data type; one object a module. */
export const globalTypeVar = (nameHint: string): GlobalTypeVar => ({
  _tag: 'GlobalTypeVar',
  nameHint,
  mentions: 0,
  hash: mixHash(TAG_HASH.GlobalTypeVar, hashText(nameHint)),
});

/** `D[args]`. */
export const typeCall = (func: GlobalTypeVar, args: ReadonlyArray<TypeArg>): TypeCall => ({
  _tag: 'TypeCall',
  func,
  args,
  mentions: args.reduce((found, arg) => found | argMentions(arg), 0),
  hash: args.reduce(
    (h, arg) => mixHash(h, hashTypeArg(arg)),
    mixHash(TAG_HASH.TypeCall, func.hash),
  ),
});

/** `ref(T)`. */
export const refType = (value: Type): RefType => ({
  _tag: 'RefType',
  value,
  mentions: value.mentions,
  hash: mixHash(TAG_HASH.RefType, value.hash),
});

/** `name(args)`, the first `inputCount` arguments being inputs. */
export const typeRelation = (
  name: string,
  args: ReadonlyArray<Type>,
  inputCount: number,
  attrs?: Attrs,
): TypeRelation => ({
  _tag: 'TypeRelation',
  name,
  args,
  inputCount,
  attrs,
  mentions: allMention(args),
  hash: hashAll(mixHash(TAG_HASH.TypeRelation, hashText(name)), args),
});

const hashTypeArg = (arg: TypeArg): number => {
  switch (arg.kind) {
    case 'Type':
      return arg.value.hash;
    case 'Shape':
      return hashShape(arg.value);
    case 'BaseType':
      return hashDType(arg.value);
    case 'ShapeVar':
      return mixHash(hashNumber(1), hashDim(arg.value));
  }
};

/** The types directly below a type, left to right. Dimensions and dtypes are not types. */
export function typeChildren(type: Type): ReadonlyArray<Type> {
  switch (type._tag) {
    case 'TupleType':
      return type.fields;
    case 'FuncType': {
      const parts = [...type.params, type.result];
      for (const { args } of type.constraints) parts.push(...args);
      return parts;
    }
    case 'TypeCall': {
      const args = type.args.every(isTypeArg) ? type.args : type.args.filter(isTypeArg);
      return args.map((arg) => arg.value);
    }
    case 'RefType':
      return [type.value];
    case 'TensorType':
    case 'TypeVar':
    case 'GlobalTypeVar':
    case 'IncompleteType':
      return none;
  }
}

/**
 * Puts what `pick` gives for the types directly below a type on a stack, the leftmost on top; nothing
 * for `undefined`. Unlike {@link typeChildren} it makes no list.
 */
export function pushTypeChildren(type: Type, stack: Type[], pick: Pick): void {
  switch (type._tag) {
    case 'TupleType':
      pushPicked(type.fields, stack, pick);
      return;
    case 'FuncType': {
      const { params, result, constraints } = type;
      for (let i = constraints.length - 1; i >= 0; i--) {
        pushPicked((constraints[i] as TypeRelation).args, stack, pick);
      }
      pushOne(result, stack, pick);
      pushPicked(params, stack, pick);
      return;
    }
    case 'TypeCall':
      for (let i = type.args.length - 1; i >= 0; i--) {
        const arg = type.args[i] as TypeArg;
        if (arg.kind === 'Type') pushOne(arg.value, stack, pick);
      }
      return;
    case 'RefType':
      pushOne(type.value, stack, pick);
      return;
    case 'TensorType':
    case 'TypeVar':
    case 'GlobalTypeVar':
    case 'IncompleteType':
      return;
  }
}

type Pick = (part: Type) => Type | undefined;

function pushPicked(types: ReadonlyArray<Type>, stack: Type[], pick: Pick): void {
  for (let i = types.length - 1; i >= 0; i--) pushOne(types[i] as Type, stack, pick);
}

function pushOne(type: Type, stack: Type[], pick: Pick): void {
  const picked = pick(type);
  if (picked !== undefined) stack.push(picked);
}

/** Whether an argument of a type parameter is a type. */
export const isTypeArg = (arg: TypeArg): arg is Extract<TypeArg, { readonly kind: 'Type' }> =>
  arg.kind === 'Type';
