/** The gradients of a call's arguments. */
import { fail, isLeft, type Result, right } from '@baton/base';
import { type Attrs, type Expr, type OpTable, type Type, typeEqual } from '@baton/ir';
import { isDType, isFloat } from '@baton/tensor';
import { definitionColumn } from '../definition/column.ts';
import { type CallFacts, dtypeOf, ofKnown, siteOf, sizesOf } from '../definition/site.ts';
import { noGradient, unknownInDefinition } from '../diagnostics.ts';
import { formOf, reshapingOf } from '../form/form.ts';
import { type GradientSite, gradientColumn } from './column.ts';
import { derivative } from './derivative.ts';
import { elementwiseGradients } from './elementwise.ts';

/** One for each argument; `undefined` and missing ones are 0. */
export type Gradients = ReadonlyArray<Expr | undefined>;

/**
 * The gradients of the arguments of a call from the gradient `g` of its `result`; `undefined` is 0.
 * A call that returns no float, and an argument without floats, have none. `ofDefinition` returns
 * those of the operator's definition, if it defines the call; it is used if the operator has no
 * gradient. **Errors** `GRADIENT_MISSING` if the operator has no gradient, or none for this
 * argument or this call; `GRADIENT_UNKNOWN_SIZE` if it depends on an unknown size.
 */
export function gradientsOf(
  ops: OpTable,
  called: CallFacts,
  { result, g }: { readonly result: Expr; readonly g: Expr },
  ofDefinition: () => Result<Gradients> | undefined,
): Result<Gradients> {
  const { name, span, types, type } = called;
  const rule = ops.read(gradientColumn, name);
  if (rule === 'zero' || !hasFloats(type) || !types.some(hasFloats)) return right([]);
  const site = gradientSite(ops, called, result, g);
  const ruled = rule === undefined ? right(undefined) : ofKnown(() => rule(site));
  if (isLeft(ruled)) return ruled;
  const found = ruled.right ?? ofDefinition() ?? ofForm(ops, called, site);
  if ('_tag' in found && isLeft(found)) return found;
  const all = '_tag' in found ? found.right : found;
  const wanted = all.map((each, i) => (hasFloats(types[i]) ? each : undefined));
  if (wanted.includes('none')) return fail(noGradient(name, undefined, span));
  return right(wanted as Gradients);
}

function ofForm(
  ops: OpTable,
  called: CallFacts,
  site: GradientSite<Attrs>,
): Result<ReadonlyArray<Expr | 'none' | undefined>> {
  const { name, span, args, type } = called;
  const form = formOf(ops, name, 'Map');
  if (form === undefined) {
    const [first] = site.args;
    return reshapingOf(ops, name) === undefined
      ? fail(noGradient(name, undefined, span))
      : right([site.reshapeLike(site.g, first)]);
  }
  const dtype = dtypeOf(type);
  if (dtype === undefined) return fail(unknownInDefinition(name, 'the dtype', span));
  const raised = elementwiseGradients(ops, form, site, dtype, args.length);
  return right(
    raised.map((each, i) =>
      each === undefined || each === 'none' ? each : reduced(each, site, called, i),
    ),
  );
}

/** Whether the operator has a gradient, at least for some calls and arguments. */
export function hasGradient(ops: OpTable, name: string): boolean {
  if (ops.read(gradientColumn, name) !== undefined) return true;
  if (ops.read(definitionColumn, name) !== undefined) return true;
  if (reshapingOf(ops, name) !== undefined) return true;
  const form = formOf(ops, name, 'Map');
  const operands = ['x', 'y', 'z'] as const;
  return (
    form !== undefined && operands.every((operand) => derivative(form.expr, operand) !== undefined)
  );
}

/**
 * Whether a type contains a tensor of floats, inside tuples as well; an unknown dtype may be one.
 */
export function hasFloats(type: Type | undefined): boolean {
  const pending = type === undefined ? [] : [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'TupleType') pending.push(...next.fields);
    else if (next._tag !== 'TensorType') return true;
    else if (typeof next.dtype !== 'string' || !isDType(next.dtype)) return true;
    else if (isFloat(next.dtype)) return true;
  }
  return false;
}

function reduced(
  gradient: Expr,
  site: GradientSite<Attrs>,
  { types, type, args }: CallFacts,
  i: number,
): Expr {
  const [own, arg] = [types[i], args[i]];
  if (arg === undefined || own === undefined) return gradient;
  const along = site.vectorAxis(i);
  if (along !== undefined) return site.op('sum', [gradient], { axis: [along], exclude: true });
  return typeEqual(own, type) ? gradient : site.sumLike(gradient, arg);
}

function gradientSite(ops: OpTable, called: CallFacts, result: Expr, g: Expr): GradientSite<Attrs> {
  const { name, attrs, args, types, type } = called;
  const site = siteOf(ops, called);
  return {
    ...site,
    result,
    g,
    ratio: (index) => {
      const [own, its] = [countOf(types[index]), countOf(type)];
      if (own !== undefined && its !== undefined) return site.number(own / Math.max(its, 1));
      const count = (of: Expr) => site.op('ndarray_size', [of], { dtype: 'int64' });
      const like = (of: Expr) => site.op('cast_like', [count(of), args[0] ?? of]);
      return site.over(like(args[index] ?? result), like(result));
    },
    vectorAxis: (index) => {
      const along = formOf(ops, name, 'Map')?.vectorAlong;
      return index === 1 && along !== undefined ? along(attrs) : undefined;
    },
  };
}

const countOf = (type: Type | undefined): number | undefined =>
  sizesOf(type)?.reduce((product, size) => product * size, 1);
