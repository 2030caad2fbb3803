/** A small table of operators, and short names for building programs. */
import { builderSpan, type Diagnostic, diagnostic, fail, isLeft, right } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  addDims,
  anyDim,
  call,
  constant,
  type Dim,
  type Expr,
  type Func,
  func,
  type IRModule,
  inferTypes,
  irModule,
  isAnyDim,
  type OpInfo,
  opRef,
  opTable,
  type Relation,
  type RelationContext,
  scalarType,
  type TensorType,
  type Type,
  tensorType,
} from '@baton/ir';
import { type DType, scalar, tensor } from '@baton/tensor';

export const f32 = scalarType('float32');
export const i32 = scalarType('int32');
export const bool = scalarType('bool');
export const t = (...dims: Dim[]): Type => tensorType(dims, 'float32');

const shaped = (type: Type | undefined, context: RelationContext): TensorType | undefined => {
  if (type === undefined || type._tag === 'IncompleteType' || type._tag === 'TypeVar') {
    return undefined;
  }
  if (type._tag !== 'TensorType') return context.fail('OP_NOT_TENSOR', 'expected a tensor');
  return type;
};

const broadcastDim = (a: Dim, b: Dim): Dim | undefined => {
  if (a === 1) return b;
  if (b === 1) return a;
  if (isAnyDim(a)) return b;
  return isAnyDim(b) || a === b ? a : undefined;
};

const broadcast =
  (result?: DType): Relation =>
  (args, _attrs, context) => {
    const a = shaped(args[0], context);
    const b = shaped(args[1], context);
    if (a === undefined || b === undefined) return undefined;
    const dtype = context.unifyDTypes(a.dtype, b.dtype);
    if (dtype === undefined) return context.fail('OP_DTYPE', 'the dtypes differ');
    if ('_tag' in a.shape || '_tag' in b.shape) return undefined;
    const [x, y] = [a.shape, b.shape];
    const rank = Math.max(x.length, y.length);
    const dims = Array.from({ length: rank }, (_, i) =>
      broadcastDim(x[i - rank + x.length] ?? 1, y[i - rank + y.length] ?? 1),
    );
    return dims.every((dim) => dim !== undefined)
      ? tensorType(dims as Dim[], result ?? dtype)
      : context.fail('OP_BROADCAST', 'incompatible broadcast type');
  };

const identity: Relation = (args) => args[0];

const dense: Relation = (args, attrs, context) => {
  const x = shaped(args[0], context);
  if (x === undefined || '_tag' in x.shape) return undefined;
  const units = attrs.units as number;
  const weight = tensorType([units, x.shape.at(-1) ?? anyDim], x.dtype);
  const given = args[1];
  if (given === undefined || !context.unify(given, weight)) return undefined;
  return tensorType([...x.shape.slice(0, -1), units], x.dtype);
};

const concatenate: Relation = (args, _attrs, context) => {
  const list = args[0];
  if (list?._tag !== 'TupleType') return undefined;
  const fields = list.fields.map((field) => shaped(field, context));
  const [first] = fields;
  if (first === undefined || '_tag' in first.shape) return undefined;
  let rows: Dim = 0;
  for (const field of fields) {
    if (field === undefined || '_tag' in field.shape) return undefined;
    rows = addDims(rows, field.shape[0] ?? 0);
  }
  return tensorType([rows, ...first.shape.slice(1)], first.dtype);
};

const arange: Relation = (_args, _attrs, context) => {
  const stop = context.constant(0);
  return tensorType([stop === undefined ? anyDim : Number(stop.data[0])], 'int32');
};

const op = (
  name: string,
  inputs: ReadonlyArray<string>,
  relation: Relation,
  fields: Readonly<Record<string, AttrValue | undefined>> = {},
): OpInfo => ({
  name,
  doc: name,
  source: 'this test',
  inputs: inputs.map((input) => ({ name: input })),
  attrs: {
    fields: Object.entries(fields).map(([field, defaultValue]) => ({
      name: field,
      defaultValue,
      isFloat: false,
    })),
    decode: (given: Attrs) => {
      const unknown = Object.keys(given).find((k) => !Object.hasOwn(fields, k));
      if (unknown !== undefined) return fail(diagnostic('ATTR_UNKNOWN', `no attribute ${unknown}`));
      const missing = Object.keys(fields).find(
        (k) => fields[k] === undefined && !Object.hasOwn(given, k),
      );
      if (missing !== undefined) return fail(diagnostic('ATTR_MISSING', `missing ${missing}`));
      return right({ ...fields, ...given } as Attrs);
    },
  },
  relation,
  effect: 'total',
  nonComputational: false,
  facets: new Map(),
});

export const ops = opTable([
  op('add', ['lhs', 'rhs'], broadcast()),
  op('subtract', ['lhs', 'rhs'], broadcast()),
  op('equal', ['lhs', 'rhs'], broadcast('bool')),
  op('log', ['x'], identity),
  op('nn.relu', ['x'], identity),
  op('nn.dense', ['data', 'weight'], dense, { units: undefined }),
  op('concatenate', ['data'], concatenate),
  op('arange', ['stop'], arange),
  op('broken', ['x'], () => {
    throw new Error('out of order');
  }),
]);

export const userOp = op('my_log', ['x'], identity);

export const at = (name: string) => builderSpan(name);
export const app = (name: string, args: Expr[], span?: string, attrs: Attrs = {}): Expr =>
  call(opRef(name), args, { attrs, span: span === undefined ? undefined : at(span) });
export const add = (a: Expr, b: Expr, span?: string): Expr => app('add', [a, b], span);
export const log = (a: Expr, span?: string): Expr => app('log', [a], span);

export const lit = (value: number, span?: string): Expr =>
  Number.isInteger(value)
    ? constant(
        scalar(value, value === (value | 0) ? 'int32' : 'int64'),
        span === undefined ? undefined : at(span),
        'int',
      )
    : constant(scalar(value, 'float32'), span === undefined ? undefined : at(span), 'float');
export const num = (value: number, dtype: DType, span?: string): Expr =>
  constant(scalar(value, dtype), span === undefined ? undefined : at(span));
export const yes = constant(tensor([1], [], 'bool'));

export const moduleOf = (functions: Record<string, Func>): IRModule =>
  irModule({ functions: new Map(Object.entries(functions)), ops });

/** A module with one function, without parameters. */
export const entry = (body: Expr): IRModule => moduleOf({ main: func([], body) });

export const inferred = (m: IRModule): IRModule => {
  const result = inferTypes(m);
  if (isLeft(result)) throw new Error(result.left.map((d) => `${d.code} ${d.message}`).join('\n'));
  return result.right;
};

/** `code@span` of each diagnostic. */
export const problems = (m: IRModule): ReadonlyArray<string> => {
  const result = inferTypes(m);
  return isLeft(result) ? result.left.map(placed) : [];
};

const placed = (d: Diagnostic): string =>
  `${d.code}@${d.span?._tag === 'BuilderSpan' ? d.span.name : '-'}`;

export const mainOf = (m: IRModule): Func => {
  const main = m.functions.get('main');
  if (main === undefined) throw new Error('no main');
  return main;
};
