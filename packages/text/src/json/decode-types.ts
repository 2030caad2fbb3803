/** Rows to types. */
import { remember } from '@baton/base';
import {
  type Attrs,
  addDims,
  anyDim,
  type Dim,
  type DTypeTerm,
  dimOf as dimOfAtom,
  divideDims,
  funcType,
  type GlobalTypeVar,
  globalTypeVar,
  type IncompleteType,
  incompleteType,
  type LaneDType,
  multiplyDims,
  type ParamKind,
  refType,
  type Shape,
  type Type,
  type TypeArg,
  type TypeRelation,
  type TypeVar,
  tensorType,
  tupleType,
  typeCall,
  typeRelation,
  typeVar,
} from '@baton/ir';
import { isDType } from '@baton/tensor';
import type {
  JsonAtom,
  JsonAttrs,
  JsonDim,
  JsonDTypeTerm,
  JsonRelation,
  JsonShape,
  JsonType,
  JsonTypeArg,
} from './codecs.ts';
import { refuse, rowAt } from './fault.ts';

/** Types by the index of their row. */
export interface DecodedTypes {
  readonly at: (index: number, path: string) => Type;
  readonly variable: (index: number, path: string) => TypeVar;
  readonly relation: (relation: JsonRelation, path: string) => TypeRelation;
  readonly arg: (arg: JsonTypeArg, path: string) => TypeArg;
  /** The name of an algebraic data type: one object for each name. */
  readonly header: (name: string) => GlobalTypeVar;
}

/** The most terms and factors of one dimension; this package writes fewer. */
const MAX_DIMENSION_SIZE = 64;

/** The variable or hole of this kind in a row. */
type ReadLeaf = (index: number, kind: ParamKind, path: string) => TypeVar | IncompleteType;

/** Readers of dimensions, with a reader of the variables in them. */
function dimReaders(leaf: ReadLeaf) {
  const shapeOf = (shape: JsonShape, path: string): Shape =>
    'variable' in shape
      ? leaf(shape.variable, 'Shape', path)
      : shape.map((dim, i) => dimOf(dim, `${path}/${i}`));

  const dtypeOf = (dtype: JsonDTypeTerm, path: string): DTypeTerm => {
    if (typeof dtype !== 'string') return leaf(dtype.variable, 'BaseType', path);
    if (isDType(dtype) || isLaneDType(dtype)) return dtype;
    return refuse(path, `\`${dtype.slice(0, 40)}\` is no dtype`);
  };

  // Recursion is over divisions; the depth of all data is checked before.
  const dimOf = (dim: JsonDim, path: string): Dim => {
    if (typeof dim === 'number') return dim;
    if (dim === '?') return anyDim;
    if (dim.terms.length > MAX_DIMENSION_SIZE) return refuse(path, 'too many terms');
    let sum: Dim = dim.constant;
    for (const [i, { coefficient, atoms }] of dim.terms.entries()) {
      if (atoms.length > MAX_DIMENSION_SIZE) return refuse(path, 'too many factors');
      const product = atoms.reduce<Dim>(
        (p, atom, j) => multiplyDims(p, atomOf(atom, `${path}/terms/${i}/atoms/${j}`)),
        coefficient,
      );
      sum = addDims(sum, product);
    }
    if (typeof sum === 'number' && sum < 0) return refuse(path, 'a dimension is at least 0');
    return sum;
  };

  const atomOf = (atom: JsonAtom, path: string): Dim => {
    if ('variable' in atom) return dimOfAtom(leaf(atom.variable, 'ShapeVar', path));
    const numerator = dimOf(atom.numerator, `${path}/numerator`);
    const denominator = dimOf(atom.denominator, `${path}/denominator`);
    const quotient = denominator === 0 ? undefined : divideDims(numerator, denominator);
    return quotient ?? refuse(path, 'this division is not exact');
  };

  return { Shape: shapeOf, BaseType: dtypeOf, ShapeVar: dimOf };
}

/** Reads the rows in their order. */
export function decodeTypes(
  rows: ReadonlyArray<JsonType>,
  attrsOf: (attrs: JsonAttrs, path: string) => Attrs,
): DecodedTypes {
  const types: Type[] = [];
  const headers = new Map<string, GlobalTypeVar>();
  const at = (index: number, path: string): Type => rowAt(types, index, path);
  const header = (name: string): GlobalTypeVar =>
    remember(headers, name, () => globalTypeVar(name));
  const values = {
    Type: at,
    ...dimReaders((index, kind, path) => {
      const type = at(index, path);
      const isLeaf = type._tag === 'TypeVar' || type._tag === 'IncompleteType';
      return isLeaf && type.kind === kind
        ? type
        : refuse(path, `expected a variable of kind ${kind}`);
    }),
  };

  const variable = (index: number, path: string): TypeVar => {
    const type = at(index, path);
    return type._tag === 'TypeVar' ? type : refuse(path, 'expected a type parameter');
  };

  const arg = ({ tag, value }: JsonTypeArg, path: string): TypeArg => {
    // The codec has checked that the value is of the kind that the tag says.
    const read = values[tag] as (value: unknown, path: string) => TypeArg['value'];
    return { _tag: 'TypeArg', kind: tag, value: read(value, `${path}/value`) } as TypeArg;
  };

  const all = <A, B>(items: ReadonlyArray<A>, read: (item: A, path: string) => B, path: string) =>
    items.map((item, i) => read(item, `${path}/${i}`));

  const relation = (r: JsonRelation, path: string): TypeRelation =>
    typeRelation(
      r.name,
      all(r.args, at, `${path}/args`),
      r.inputCount,
      r.attrs && attrsOf(r.attrs, `${path}/attrs`),
    );

  const typeOf = (row: JsonType, path: string): Type => {
    switch (row.tag) {
      case 'TensorType': {
        const shape = values.Shape(row.shape, `${path}/shape`);
        return tensorType(shape, values.BaseType(row.dtype, `${path}/dtype`));
      }
      case 'TupleType':
        return tupleType(all(row.fields, at, `${path}/fields`));
      case 'FuncType':
        return funcType(
          all(row.params, at, `${path}/params`),
          at(row.result, `${path}/result`),
          all(row.typeParams, variable, `${path}/typeParams`),
          all(row.constraints, relation, `${path}/constraints`),
        );
      case 'TypeVar':
        return typeVar(row.name, row.kind);
      case 'GlobalTypeVar':
        return header(row.name);
      case 'TypeCall':
        return typeCall(header(row.name), all(row.args, arg, `${path}/args`));
      case 'RefType':
        return refType(at(row.value, `${path}/value`));
      case 'IncompleteType':
        return incompleteType(row.kind, row.literal);
    }
  };

  for (const [i, row] of rows.entries()) types.push(typeOf(row, `/types/${i}`));
  return { at, variable, relation, arg, header };
}

/** A dtype with a count of lanes. */
function isLaneDType(text: string): text is LaneDType {
  const [, base = ''] = /^([a-z]+\d*)x(?:[2-9]|[1-9]\d{1,3})$/.exec(text) ?? [];
  return isDType(base);
}
