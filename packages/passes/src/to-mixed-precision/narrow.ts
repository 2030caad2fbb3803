/** A function whose calls are computed in a narrower type if their operators require it. */
import { type Diagnostic, once, remember } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  call,
  type Expr,
  type Func,
  foldExpr,
  func,
  type IRModule,
  ifElse,
  type Let,
  letIn,
  mapChildren,
  mappedTypes,
  type Type,
  type TypeParts,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  typeEqual,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import {
  callOp,
  dtypeOf,
  isOpCall,
  type OpCall,
  type Precision,
  precisionColumn,
} from '@baton/ops';
import { type Count, isDecidedByCallers, visibleIn, withBody } from '@baton/pass-manager';
import { dtypeInfo, type Tensor, toNumbers } from '@baton/tensor';
import { missingPrecision } from '../diagnostics.ts';

export type NarrowDType = 'float16' | 'bfloat16';

export const COUNTERS = [
  'always',
  'follow',
  'stated',
  'bound narrow',
  'kept: never',
  'kept: wide argument',
] as const;

export interface Narrowing {
  readonly dtype: NarrowDType;
  readonly missingOpMode: 'error' | 'warn' | 'ignore';
  /** Whether the result keeps its type. */
  readonly keeps: boolean;
  readonly count: Count<(typeof COUNTERS)[number] | 'no precision stated'>;
  /** Takes what goes wrong. */
  readonly problems: Diagnostic[];
}

/** The type that becomes narrow. */
const WIDE = 'float32';

/** A value with narrow numbers: a tensor, or a tuple of tensors, some of them narrow. */
interface Narrow {
  readonly value: Expr;
  readonly type: Type;
}

/** The replacement of a node. */
interface Rewritten {
  /** The value in its own type, made when it is asked for. */
  readonly wide: () => Expr;
  readonly narrow?: Narrow;
}

/** The function with calls in the narrow type; the same object if there are none. */
export function inNarrow(f: Func, m: IRModule, options: Narrowing): Func {
  const { order, captured } = visibleIn(f.body, m);
  const lets = new Map<Var, Let>();
  for (const node of order) {
    if (node._tag === 'Let') lets.set(node.variable, node);
  }
  const types = mappedTypes({ dtype: (dtype) => (dtype === WIDE ? options.dtype : dtype) });
  const made: Made = { casts: new Map(), tuples: new Map(), variables: new Map() };
  const site = { m, options, lets, captured, types, made };
  const results = foldExpr<Rewritten>(order, (node, get) =>
    rewritten({ ...site, get: (other) => get(other) ?? as(other) }, node),
  );
  const result = results.get(f.body) ?? as(f.body);
  if (options.keeps || result.narrow === undefined) return withBody(f, result.wide());
  const { value, type } = result.narrow;
  return func(f.params, value, { ...f, retType: f.retType && restated(f.retType, type) });
}

/** The stated type of a result, which may have more sizes than the result shows, made narrow. */
function restated(stated: Type, narrow: Type): Type {
  const one = (was: Type, is: Type | undefined): Type =>
    was._tag === 'TensorType' && is?._tag === 'TensorType' ? tensorType(was.shape, is.dtype) : was;
  return stated._tag === 'TupleType' && narrow._tag === 'TupleType'
    ? tupleType(stated.fields.map((field, i) => one(field, narrow.fields[i])))
    : one(stated, narrow);
}

/** The state that several users of a node share. */
interface Made {
  readonly casts: Map<Expr, Expr>;
  readonly tuples: Map<Expr, Expr>;
  readonly variables: Map<Var, Var>;
}

interface Site {
  readonly m: IRModule;
  readonly options: Narrowing;
  readonly lets: ReadonlyMap<Var, Let>;
  /** The variables that stay. */
  readonly captured: ReadonlySet<Var>;
  readonly types: TypeParts;
  readonly made: Made;
  readonly get: (node: Expr) => Rewritten;
}

const as = (expr: Expr): Rewritten => ({ wide: () => expr });

function rewritten(site: Site, node: Expr): Rewritten {
  switch (node._tag) {
    case 'Var':
      return boundTo(site, node) ?? as(node);
    case 'Let':
      return letOf(site, node);
    case 'Tuple': {
      const fields = node.fields.map((field) => flat(site.get(field)));
      if (fields.every((field) => field.narrow === undefined)) break;
      const types = fields.map((field, i) => field.narrow?.type ?? typeOfField(site, node, i));
      if (!types.every((type) => type !== undefined)) break;
      const value = tuple(
        fields.map((field) => field.narrow?.value ?? field.wide()),
        node.span,
      );
      return {
        narrow: { value, type: tupleType(types) },
        wide: once(() => mapChildren(node, (field) => site.get(field).wide())),
      };
    }
    case 'TupleGetItem': {
      const { narrow } = site.get(node.tuple);
      const type = narrow?.type._tag === 'TupleType' ? narrow.type.fields[node.index] : undefined;
      if (narrow === undefined || type === undefined) break;
      const value = tupleGetItem(narrow.value, node.index, node.span);
      return isSame(type, typeOf(site.m, node)) ? as(value) : narrowed(site, node, value, type);
    }
    case 'If': {
      const [whenTrue, whenFalse] = [
        site.get(node.trueBranch).narrow,
        site.get(node.falseBranch).narrow,
      ];
      if (!whenTrue || !whenFalse || !typeEqual(whenTrue.type, whenFalse.type)) break;
      const cond = site.get(node.cond).wide();
      const value = ifElse(cond, whenTrue.value, whenFalse.value, node.span);
      return narrowed(site, node, value, whenTrue.type);
    }
    case 'Call': {
      const made = isOpCall(node) ? calledNarrow(site, node) : undefined;
      if (made !== undefined) return made;
    }
  }
  return as(mapChildren(node, (child) => site.get(child).wide()));
}

/** A tuple inside a tuple is wide. */
const flat = (field: Rewritten): Rewritten =>
  field.narrow?.type._tag === 'TupleType' ? as(field.wide()) : field;

const typeOfField = ({ m }: Site, node: Expr & { readonly _tag: 'Tuple' }, at: number) =>
  typeOf(m, node.fields[at] as Expr);

const isSame = (a: Type, b: Type | undefined): boolean => b !== undefined && typeEqual(a, b);

const narrowed = ({ m }: Site, node: Expr, value: Expr, type: Type): Rewritten => ({
  narrow: { value, type },
  wide: once(() => recast(m, value, type, typeOf(m, node))),
});

/** A value of the type `from` in the type `to`: the casts of its tensors. */
function recast(m: IRModule, value: Expr, from: Type, to: Type | undefined): Expr {
  const back = (of: Expr, narrow: Type | undefined, wide: Type | undefined): Expr => {
    const [is, was] = [dtypeOf(narrow), dtypeOf(wide)];
    return is === was || typeof was !== 'string'
      ? of
      : callOp(m.ops, 'cast', [of], { dtype: was }, of.span);
  };
  if (from._tag !== 'TupleType' || to?._tag !== 'TupleType') return back(value, from, to);
  const fields = from.fields.map((field, i) => back(tupleGetItem(value, i), field, to.fields[i]));
  return tuple(fields, value.span);
}

function boundTo(site: Site, node: Var): Rewritten | undefined {
  const binder = site.captured.has(node) ? undefined : site.lets.get(node);
  const narrow = binder && site.get(binder.value).narrow;
  return narrow && narrowed(site, node, renamed(site, node, narrow.type), narrow.type);
}

const renamed = ({ made }: Site, was: Var, type: Type): Var =>
  remember(made.variables, was, () => variable(was.nameHint, type, was.span));

function letOf(site: Site, node: Let): Rewritten {
  const [value, body] = [site.get(node.value), site.get(node.body)];
  const isNarrow = value.narrow !== undefined && !site.captured.has(node.variable);
  if (isNarrow) site.options.count('bound narrow');
  const bind = (inner: Expr): Expr => {
    if (isNarrow && value.narrow !== undefined) {
      const { value: bound, type } = value.narrow;
      return letIn(renamed(site, node.variable, type), bound, inner, node.span);
    }
    const bound = value.wide();
    if (bound === node.value && inner === node.body) return node;
    return letIn(node.variable, bound, inner, node.span);
  };
  if (body.narrow === undefined) return as(bind(body.wide()));
  return narrowed(site, node, bind(body.narrow.value), body.narrow.type);
}

/** A call in the narrow type, or with narrow arguments; nothing if it stays wide. */
function calledNarrow(site: Site, node: OpCall): Rewritten | undefined {
  const { m, types, options } = site;
  const was = typeOf(m, node);
  const precision = precisionOf(site, node);
  if (precision === 'never') {
    if (isWide(was)) options.count('kept: never');
    return undefined;
  }
  if (was === undefined || isDecidedByCallers(m, node)) return undefined;
  const args = node.args.map((arg) => argOf(site, arg, precision));
  if (!args.every((arg) => arg !== undefined)) {
    options.count('kept: wide argument');
    return undefined;
  }
  const attrs = precision === 'stated' ? node.attrs : narrowAttrs(node.attrs, options.dtype);
  const isFed = args.some((arg, i) => arg !== site.get(node.args[i] as Expr).wide());
  if (!isFed && (attrs === node.attrs || !isWide(was))) return undefined;
  const value = call(node.op, args, { attrs, span: node.span });
  const type = typeOf(m, value);
  const wanted = types.type(was);
  if (type === undefined || !(typeEqual(type, wanted) || typeEqual(type, was))) return undefined;
  options.count(precision);
  return typeEqual(type, was) ? as(value) : narrowed(site, node, value, type);
}

function precisionOf({ m, options }: Site, node: OpCall): Precision {
  const rule = m.ops.read(precisionColumn, node.op.name);
  if (rule !== undefined) return rule(node.attrs, Number(dtypeInfo(options.dtype).max));
  if (options.missingOpMode === 'warn') options.count('no precision stated');
  if (options.missingOpMode === 'error') {
    options.problems.push(missingPrecision(node.op.name, node.span));
  }
  return 'follow';
}

const isWide = (type: Type | undefined): boolean =>
  type?._tag === 'TupleType' ? type.fields.some(isWideTensor) : isWideTensor(type);

const isWideTensor = (type: Type | undefined): boolean => dtypeOf(type) === WIDE;

/** An argument in the narrow type; nothing if it is wide and may stay so. */
function argOf(site: Site, arg: Expr, precision: Precision): Expr | undefined {
  const { narrow, wide } = site.get(arg);
  if (precision === 'stated') return narrow?.value ?? wide();
  const isForced = precision === 'always';
  if (arg._tag !== 'Tuple') return narrowForm(site, arg, isForced);
  const fields = arg.fields.map((field) => narrowForm(site, field, isForced));
  if (!fields.every((field) => field !== undefined)) return undefined;
  if (fields.every((field, i) => field === arg.fields[i])) return arg;
  return remember(site.made.tuples, arg, () => tuple(fields, arg.span));
}

/** A tensor, or a tuple of tensors that is no literal, in the narrow type. */
function narrowForm(site: Site, expr: Expr, isForced: boolean): Expr | undefined {
  const { narrow, wide } = site.get(expr);
  if (narrow !== undefined && !isWide(narrow.type)) return narrow.value;
  const type = typeOf(site.m, expr);
  if (type === undefined || !isWide(type)) return wide();
  if (!isForced && !isFree(site, expr)) return undefined;
  const { m, made, types } = site;
  return remember(made.casts, expr, () => recast(m, wide(), type, types.type(type)));
}

/** Whether a value costs nothing in another type: a parameter, or a constant within its range. */
function isFree({ lets, options }: Site, expr: Expr): boolean {
  if (expr._tag === 'Var') return !lets.has(expr);
  return expr._tag === 'Constant' && fits(expr.data, Number(dtypeInfo(options.dtype).max));
}

const fits = (data: Tensor, largest: number): boolean =>
  toNumbers(data).every((value) => !Number.isFinite(value) || Math.abs(value) <= largest);

function narrowAttrs(attrs: Attrs, dtype: NarrowDType): Attrs {
  const next: Record<string, AttrValue> = { ...attrs };
  if (attrs.dtype === WIDE) next.dtype = dtype;
  if ([WIDE, '', null].some((value) => attrs.out_dtype === value)) next.out_dtype = dtype;
  return next.dtype === attrs.dtype && next.out_dtype === attrs.out_dtype ? attrs : next;
}
