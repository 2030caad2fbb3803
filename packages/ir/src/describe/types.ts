/** Types as text: [language §8](https://batonjs.github.io/baton/spec/language#8). */
import { memoFold } from '@baton/base';
import type { Dim, DimAtom, DimQuotient, DimSum, DimTerm } from '../types/dim.ts';
import { freeTypeVarsOf } from '../types/free-type-vars.ts';
import {
  type DTypeTerm,
  type FuncType,
  type Shape,
  type TensorType,
  type Type,
  type TypeArg,
  type TypeRelation,
  typeChildren,
} from '../types/type.ts';
import type { IncompleteType, TypeVar } from '../types/variable.ts';
import { attrTexts } from './attributes.ts';

export interface TypeNames {
  readonly typeVar: (variable: TypeVar) => string;
  /** Names for type parameters within one type, different from those in `taken`. */
  readonly within: (
    variables: ReadonlyArray<TypeVar>,
    taken: ReadonlySet<string>,
  ) => ReadonlyMap<TypeVar, string>;
  readonly taken?: ReadonlySet<string>;
  /** An unknown dtype; `_` by default, as in a text. */
  readonly dtypeHole?: (hole: IncompleteType) => string;
}

/** A piece of a type's text, or a type whose text replaces it. */
type Piece = string | Type;

/**
 * A type in the notation of the text format, with variables named by `outer`, cut after a number of
 * characters.
 *
 * **Complexity** linear in the text, which may be much longer than a type that shares its parts.
 */
export function typeText(type: Type, outer: TypeNames, maxCharacters: number = Infinity): string {
  if (type._tag === 'TensorType') return tensorText(type, outer);
  if (type._tag === 'TypeVar') return outer.typeVar(type);
  const root = bindsTypeVars(type) ? apartFrom(type, outer) : outer;
  const parts: string[] = [];
  let length = 0;
  const pending: Piece[] = [type];
  // The names of type parameters are valid within their function.
  const scopes: TypeNames[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (length > maxCharacters) return `${parts.join('')} ..`;
    if (next === LEAVE) scopes.pop();
    else if (typeof next === 'string') {
      parts.push(next);
      length += next.length;
    } else {
      let names = scopes.at(-1) as TypeNames;
      if (next._tag === 'FuncType' && next.typeParams.length > 0) {
        names = withOwnNames(next, names);
        scopes.push(names);
        pending.push(LEAVE);
      }
      const pieces = piecesOf(next, names);
      for (let i = pieces.length - 1; i >= 0; i--) pending.push(pieces[i] as Piece);
    }
  }
  return parts.join('');
}

/** A character in no type's text. */
const LEAVE = '\0';

/** The facts about a type that are needed before its text is made. */
interface TypeSummary {
  readonly size: number;
  readonly binds: boolean;
}

const summary: (type: Type) => TypeSummary = memoFold<Type, TypeSummary>(
  typeChildren,
  (type, get) => {
    let size = 1 + rankOf(type);
    let binds = type._tag === 'FuncType' && type.typeParams.length > 0;
    for (const child of typeChildren(type)) {
      const below = get(child);
      size += below.size;
      binds ||= below.binds;
    }
    return { size, binds };
  },
);

/**
 * The number of types and dimensions in a type's text, at most `Infinity`.
 *
 * **Complexity** linear in the distinct types that are new: the types along a chain of tuples
 * contain each other.
 */
export const textSize = (type: Type): number =>
  isLeaf(type) ? 1 + rankOf(type) : summary(type).size;

/** Whether a type contains polymorphic functions. */
export const bindsTypeVars = (type: Type): boolean => !isLeaf(type) && summary(type).binds;

const isLeaf = ({ _tag: tag }: Type): boolean => tag === 'TensorType' || tag === 'TypeVar';

const rankOf = (type: Type): number =>
  type._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape.length : 0;

/** The names around a type, in which its own type parameters have different names. */
const apartFrom = (type: Type, names: TypeNames): TypeNames => ({
  ...names,
  taken: new Set([...(names.taken ?? []), ...freeTypeVarsOf([type]).map(names.typeVar)]),
});

/**
 * Names for the type parameters of a function type. They are valid only within it, so its text
 * depends neither on the rest of the text, nor on sharing with other types.
 */
function withOwnNames({ typeParams }: FuncType, names: TypeNames): TypeNames {
  const taken = names.taken ?? new Set();
  const own = names.within(typeParams, taken);
  return {
    ...names,
    taken: new Set([...taken, ...own.values()]),
    typeVar: (v) => own.get(v) ?? names.typeVar(v),
  };
}

/** `[A, n: ShapeVar]`, or nothing. */
export function typeParamsText(params: ReadonlyArray<TypeVar>, names: TypeNames): string {
  if (params.length === 0) return '';
  const texts = params.map((p) =>
    p.kind === 'Type' ? names.typeVar(p) : `${names.typeVar(p)}: ${p.kind}`,
  );
  return `[${texts.join(', ')}]`;
}

/** `R(A, B, key=1)`; `attrsText` writes the attributes. */
export function relationText(
  relation: TypeRelation,
  names: TypeNames,
  attrsText: (relation: TypeRelation) => ReadonlyArray<string>,
): string {
  const args = relation.args.map((arg) => typeText(arg, names));
  return `${relation.name}(${[...args, ...attrsText(relation)].join(', ')})`;
}

/** `[T1, .., Tn]`, or nothing: the type arguments of a call. */
export function typeArgsText(args: ReadonlyArray<TypeArg>, names: TypeNames): string {
  if (args.length === 0) return '';
  const texts = args.map((arg) =>
    argPieces(arg, names)
      .map((p) => (typeof p === 'string' ? p : typeText(p, names)))
      .join(''),
  );
  return `[${texts.join(', ')}]`;
}

function piecesOf(type: Type, names: TypeNames): ReadonlyArray<Piece> {
  switch (type._tag) {
    case 'TensorType':
      return [tensorText(type, names)];
    case 'TupleType':
      return type.fields.length === 1
        ? ['(', ...type.fields, ',)']
        : ['(', ...joined(type.fields.map((f) => [f])), ')'];
    case 'FuncType':
      return funcPieces(type, names);
    case 'TypeVar':
      return [names.typeVar(type)];
    case 'GlobalTypeVar':
      return [type.nameHint];
    case 'TypeCall':
      return [type.func.nameHint, '[', ...joined(type.args.map((a) => argPieces(a, names))), ']'];
    case 'RefType':
      return ['ref(', type.value, ')'];
    case 'IncompleteType':
      return ['_'];
  }
}

const joined = (lists: ReadonlyArray<ReadonlyArray<Piece>>): ReadonlyArray<Piece> =>
  lists.flatMap((list, i) => (i === 0 ? list : [', ', ...list]));

/** A function type with constraints is in parentheses, so that they belong to it. */
function funcPieces(type: FuncType, names: TypeNames): ReadonlyArray<Piece> {
  const params = typeParamsText(type.typeParams, names);
  const head: ReadonlyArray<Piece> = [
    params === '' ? 'fn (' : `fn ${params}(`,
    ...joined(type.params.map((p) => [p])),
    ') -> ',
    type.result,
  ];
  if (type.constraints.length === 0) return head;
  const relations = type.constraints.map((c): ReadonlyArray<Piece> => {
    const attrs = attrTexts(c.attrs ?? {}, undefined).map((text) => [text]);
    return [`${c.name}(`, ...joined([...c.args.map((a) => [a]), ...attrs]), ')'];
  });
  return ['(', ...head, ' where ', ...joined(relations), ')'];
}

function argPieces(arg: TypeArg, names: TypeNames): ReadonlyArray<Piece> {
  switch (arg.kind) {
    case 'Type':
      return [arg.value];
    case 'Shape':
      return [shapeText(arg.value, names)];
    case 'BaseType':
      return [dtypeText(arg.value, names)];
    case 'ShapeVar':
      return [dimText(arg.value, names)];
  }
}

function tensorText(type: TensorType, names: TypeNames): string {
  const isScalar = !('_tag' in type.shape) && type.shape.length === 0;
  const dtype = dtypeText(type.dtype, names);
  if (isScalar && (typeof type.dtype === 'string' || isLiteralHole(type.dtype, names)))
    return dtype;
  return `Tensor[${shapeText(type.shape, names)}, ${dtype}]`;
}

/** Whether a scalar of this dtype is named after its literal, and not by a type. */
const isLiteralHole = (dtype: DTypeTerm, names: TypeNames): boolean =>
  names.dtypeHole !== undefined &&
  typeof dtype !== 'string' &&
  dtype._tag === 'IncompleteType' &&
  dtype.literal !== undefined;

export function shapeText(shape: Shape, names: TypeNames): string {
  if ('_tag' in shape) return shape._tag === 'TypeVar' ? names.typeVar(shape) : '_';
  return `(${shape.map((dim) => dimText(dim, names)).join(', ')})`;
}

export function dtypeText(dtype: DTypeTerm, names: TypeNames): string {
  if (typeof dtype === 'string') return dtype;
  return dtype._tag === 'TypeVar' ? names.typeVar(dtype) : (names.dtypeHole?.(dtype) ?? '_');
}

/** A dimension in normal form, such as `n * m - 2 * n + 1`. */
export function dimText(dim: Dim, names: TypeNames): string {
  if (typeof dim === 'number') return String(dim);
  if (dim._tag === 'AnyDim') return '?';
  const alone = loneQuotient(dim);
  if (alone !== undefined) return quotientText(alone, names);
  const [first, ...rest] = dim.terms;
  if (first === undefined) return String(dim.constant);
  let text = termText(first, names);
  for (const { coefficient, atoms } of rest) {
    text += coefficient < 0 ? ' - ' : ' + ';
    text += termText({ coefficient: Math.abs(coefficient), atoms }, names);
  }
  if (dim.constant === 0) return text;
  return `${text} ${dim.constant < 0 ? '-' : '+'} ${Math.abs(dim.constant)}`;
}

function termText({ coefficient, atoms }: DimTerm, names: TypeNames): string {
  const factors = atoms.map((atom) => atomText(atom, names));
  return coefficient === 1 ? factors.join(' * ') : [String(coefficient), ...factors].join(' * ');
}

function atomText(atom: DimAtom, names: TypeNames): string {
  if (atom._tag === 'TypeVar') return names.typeVar(atom);
  if (atom._tag === 'IncompleteType') return '_';
  return `(${quotientText(atom, names)})`;
}

/** `n / 2`, `2 * n / m`, `(n + 1) / (2 * m)`: division binds like multiplication, from the left. */
function quotientText({ numerator, denominator }: DimQuotient, names: TypeNames): string {
  const above = dimText(numerator, names);
  const below = dimText(denominator, names);
  const dividend = isTerm(numerator) ? above : `(${above})`;
  return `${dividend} / ${isAtom(denominator) ? below : `(${below})`}`;
}

/** Whether a dimension is written without `+` and `-`. */
const isTerm = (dim: Dim): boolean =>
  typeof dim === 'number' ||
  dim._tag === 'AnyDim' ||
  dim.terms.length + (dim.constant === 0 ? 0 : 1) === 1;

/** Whether a dimension is written as one number or name. */
function isAtom(dim: Dim): boolean {
  if (typeof dim === 'number') return dim >= 0;
  if (dim._tag === 'AnyDim' || !isTerm(dim)) return dim._tag === 'AnyDim';
  const [term] = dim.terms;
  return term?.coefficient === 1 && term.atoms.length === 1 && term.atoms[0]?._tag === 'TypeVar';
}

/** The division that a dimension consists of: in parentheses it could be read as a shape. */
function loneQuotient(dim: DimSum): DimQuotient | undefined {
  const [term] = dim.terms;
  if (dim.constant !== 0 || dim.terms.length > 1 || term?.coefficient !== 1) return undefined;
  const [atom] = term.atoms;
  return term.atoms.length === 1 && atom?._tag === 'DimQuotient' ? atom : undefined;
}
