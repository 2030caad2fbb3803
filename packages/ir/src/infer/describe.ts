/** Types in messages: short however large the type is. */
import type { Dim, DimAtom } from '../types/dim.ts';
import type { DTypeTerm, FuncType, Shape, Type, TypeArg } from '../types/type.ts';

/** Longer descriptions are cut. */
const MAX_CHARACTERS = 240;

/** A type in the notation of the text format; cut after some 240 characters. */
export function describeType(type: Type): string {
  let text = '';
  const pending: (Type | string)[] = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (text.length > MAX_CHARACTERS) return `${text} ..`;
    if (typeof next === 'string') text += next;
    else pending.push(...pieces(next).reverse());
  }
  return text;
}

/** A dimension in the notation of the text format. */
export function describeDim(dim: Dim): string {
  if (typeof dim === 'number') return String(dim);
  if (dim._tag === 'AnyDim') return '?';
  const terms = dim.terms.map(({ coefficient, atoms }) =>
    [...(coefficient === 1 ? [] : [String(coefficient)]), ...atoms.map(describeAtom)].join(' * '),
  );
  return [...terms, ...(dim.constant === 0 ? [] : [String(dim.constant)])].join(' + ');
}

/** A dtype, or what stands for one. */
export function describeDType(dtype: DTypeTerm): string {
  if (typeof dtype === 'string') return dtype;
  if (dtype._tag === 'TypeVar') return dtype.nameHint;
  return dtype.literal === undefined ? '_' : `{${dtype.literal} literal}`;
}

const describeAtom = (atom: DimAtom): string => {
  if (atom._tag === 'TypeVar') return atom.nameHint;
  return atom._tag === 'IncompleteType' ? '_' : '(.. / ..)';
};

const describeShape = (shape: Shape): string => {
  if ('_tag' in shape) return shape._tag === 'TypeVar' ? shape.nameHint : '_';
  const dims = shape.map(describeDim).join(', ');
  return shape.length === 1 ? `(${dims},)` : `(${dims})`;
};

const separated = <A>(parts: ReadonlyArray<A>): (A | string)[] =>
  parts.flatMap((part, i) => (i === 0 ? [part] : [', ', part]));

function argPiece(arg: TypeArg): Type | string {
  switch (arg.kind) {
    case 'Type':
      return arg.value;
    case 'Shape':
      return describeShape(arg.value);
    case 'BaseType':
      return describeDType(arg.value);
    case 'ShapeVar':
      return describeDim(arg.value);
  }
}

function pieces(type: Type): (Type | string)[] {
  switch (type._tag) {
    case 'TensorType':
      return '_tag' in type.shape || type.shape.length > 0
        ? [`Tensor[${describeShape(type.shape)}, ${describeDType(type.dtype)}]`]
        : [describeDType(type.dtype)];
    case 'TupleType':
      return ['(', ...separated(type.fields), type.fields.length === 1 ? ',)' : ')'];
    case 'FuncType':
      return functionPieces(type);
    case 'TypeVar':
    case 'GlobalTypeVar':
      return [type.nameHint];
    case 'TypeCall':
      return [type.func.nameHint, '[', ...separated(type.args.map(argPiece)), ']'];
    case 'RefType':
      return ['ref(', type.value, ')'];
    case 'IncompleteType':
      return ['_'];
  }
}

function functionPieces(type: FuncType): (Type | string)[] {
  const params = type.typeParams.map((v) =>
    v.kind === 'Type' ? v.nameHint : `${v.nameHint}: ${v.kind}`,
  );
  const head = [
    params.length === 0 ? 'fn (' : `fn [${params.join(', ')}](`,
    ...separated(type.params),
    ') -> ',
    type.result,
  ];
  if (type.constraints.length === 0) return head;
  const relations = type.constraints.flatMap((c, i): (Type | string)[] => [
    `${i === 0 ? '' : ', '}${c.name}(`,
    ...separated(c.args),
    ')',
  ]);
  return ['(', ...head, ' where ', ...relations, ')'];
}
