/** The gradients of a call's arguments. */
import {
  type Diagnostic,
  DiagnosticsError,
  fail,
  isLeft,
  type Result,
  right,
  type Span,
} from '@baton/base';
import {
  type Attrs,
  constant,
  type Expr,
  type OpTable,
  type TensorType,
  type Type,
  typeEqual,
} from '@baton/ir';
import { type DType, fromNumbers, isDType, isFloat } from '@baton/tensor';
import { noGradient, tooManyForGradient, unknownForGradient } from '../diagnostics.ts';
import { formOf, reshapingOf } from '../form/form.ts';
import { calculus } from './calculus.ts';
import { definitionColumn, type FormulaSite, type GradientSite, gradientColumn } from './column.ts';
import { derivative } from './derivative.ts';
import { elementwiseGradients } from './elementwise.ts';

/** A call whose gradients are asked for. */
export interface DifferentiatedCall {
  readonly name: string;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Expr>;
  readonly types: ReadonlyArray<Type>;
  readonly type: Type;
  readonly span: Span | undefined;
}

/**
 * The gradients of the arguments of a call from the gradient `g` of its `result`; `undefined` is 0.
 * A call that gives no float, and an argument without floats, have none.
 *
 * **Errors** `GRADIENT_MISSING` if the operator has no gradient, or not for this argument or this
 * call; `GRADIENT_UNKNOWN_SIZE` if it depends on a size that is not known.
 */
export function gradientsOf(
  ops: OpTable,
  called: DifferentiatedCall,
  result: Expr,
  g: Expr,
): Result<ReadonlyArray<Expr | undefined>> {
  const { name, span, args, types, type } = called;
  const stated = ops.read(gradientColumn, name);
  const rule = typeof stated === 'object' ? stated.rule : stated;
  if (rule === 'zero' || !hasFloats(type) || !types.some(hasFloats)) return right([]);
  const site = siteOf(ops, called, result, g);
  let found: ReadonlyArray<Expr | 'none' | undefined> | undefined;
  const form = formOf(ops, name, 'Map');
  if (typeof rule === 'function') {
    const ruled = ofKnownSizes(() => rule(site));
    if (isLeft(ruled)) return ruled;
    found = ruled.right;
  } else if (form !== undefined) {
    const dtype = dtypeOf(type);
    if (dtype === undefined) return fail(unknownForGradient(name, 'the dtype', span));
    const raised = elementwiseGradients(ops, form, site, dtype, args.length);
    found = raised.map((each, i) =>
      each === undefined || each === 'none' ? each : reduced(each, site, called, i),
    );
  } else if (reshapingOf(ops, name) !== undefined) {
    found = [site.reshapeLike(g, site.args[0])];
  }
  if (found === undefined) return fail(noGradient(name, undefined, span));
  const wanted = found.map((each, i) => (hasFloats(types[i]) ? each : undefined));
  if (wanted.includes('none')) return fail(noGradient(name, undefined, span));
  return right(wanted as ReadonlyArray<Expr | undefined>);
}

/** The result of a rule, or the diagnostics of what it asks for and is not known. */
function ofKnownSizes<A>(rule: () => A): Result<A> {
  try {
    return right(rule());
  } catch (error) {
    if (error instanceof DiagnosticsError) return fail(...error.diagnostics);
    throw error;
  }
}

/** The call as an expression of other operators of which its gradient is taken, if there is one. */
export function formulaOf(ops: OpTable, called: DifferentiatedCall): Result<Expr> | undefined {
  const rule = ops.read(gradientColumn, called.name);
  if (rule === undefined || typeof rule !== 'object') return undefined;
  const found = spelledOut(ops, called, rule.as);
  if (isLeft(found)) return rule.rule === undefined ? found : undefined;
  return found.right === undefined ? undefined : right(found.right);
}

/** The call as an expression of other operators, to the bit; `undefined` if none is stated, or a size is unknown. */
export function definitionOf(ops: OpTable, called: DifferentiatedCall): Expr | undefined {
  const definition = ops.read(definitionColumn, called.name);
  const found = definition && spelledOut(ops, called, definition);
  return found === undefined || isLeft(found) ? undefined : found.right;
}

function spelledOut(
  ops: OpTable,
  called: DifferentiatedCall,
  formula: (site: FormulaSite<Attrs>) => Expr | undefined,
): Result<Expr | undefined> {
  // A formula does not read the result, nor its gradient.
  const [unused] = called.args;
  if (unused === undefined) return right(undefined);
  const site = siteOf(ops, called, unused, unused);
  return ofKnownSizes(() => formula(site));
}

/** Whether the operator has a gradient, at least for some calls and some arguments. */
export function hasGradient(ops: OpTable, name: string): boolean {
  if (ops.read(gradientColumn, name) !== undefined) return true;
  if (reshapingOf(ops, name) !== undefined) return true;
  const form = formOf(ops, name, 'Map');
  const operands = ['x', 'y', 'z'] as const;
  return (
    form !== undefined && operands.every((operand) => derivative(form.expr, operand) !== undefined)
  );
}

/** Whether a type has a tensor of floats, as far as tuples go; one of unknown dtype may be. */
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

/** An elementwise gradient in the shape of its argument. */
function reduced(
  gradient: Expr,
  site: GradientSite<Attrs>,
  { types, type, args }: DifferentiatedCall,
  i: number,
): Expr {
  const [own, arg] = [types[i], args[i]];
  if (arg === undefined || own === undefined) return gradient;
  const along = site.vectorAxis(i);
  if (along !== undefined) return site.op('sum', [gradient], { axis: [along], exclude: true });
  return typeEqual(own, type) ? gradient : site.sumLike(gradient, arg);
}

const dtypeOf = (type: Type | undefined): DType | undefined =>
  type?._tag === 'TensorType' && typeof type.dtype === 'string' && isDType(type.dtype)
    ? type.dtype
    : undefined;

/** The most calls of a rule or a formula for each tensor: windows may be as long as an axis. */
const MOST_CALLS = 4096;

function siteOf(
  ops: OpTable,
  { name, attrs, args, types, type, span }: DifferentiatedCall,
  result: Expr,
  g: Expr,
): GradientSite<Attrs> {
  const plain = calculus(ops, span);
  const parts = [...types, type].reduce(
    (sum, one) => sum + (one._tag === 'TupleType' ? one.fields.length : 1),
    0,
  );
  const most = MOST_CALLS * parts;
  let callsLeft = most;
  const words: typeof plain = {
    ...plain,
    op: (...given) =>
      callsLeft-- > 0 ? plain.op(...given) : refuse(tooManyForGradient(name, most, span)),
  };
  // A rule cannot go on without what it asks for.
  const refuse = (problem: Diagnostic): never => {
    throw new DiagnosticsError([problem]);
  };
  const unknown = (what: string): never => refuse(unknownForGradient(name, what, span));
  const sizesOf = (of: Type | undefined): ReadonlyArray<number> => {
    const shape = of?._tag === 'TensorType' && !('_tag' in of.shape) ? of.shape : undefined;
    const sizes = shape?.filter((dim) => typeof dim === 'number');
    if (sizes === undefined || sizes.length !== shape?.length) unknown('a size');
    return sizes ?? [];
  };
  const sizes = (index: number): ReadonlyArray<number> => sizesOf(types[index]);
  const numbers = (values: ReadonlyArray<number>, shape: ReadonlyArray<number>): Expr => {
    const dtype = dtypeOf(types[0]);
    if (dtype === undefined) unknown('the dtype');
    return constant(fromNumbers(values, shape, dtype ?? 'float32'), span);
  };
  const number = (value: number): Expr => numbers([value], []);
  return {
    ...words,
    // A typed call has as many arguments as its operator has inputs, which a rule knows.
    args: args as GradientSite<Attrs>['args'],
    attrs,
    result,
    g,
    rank: (index) => {
      const rank = rankOf(types[index]);
      if (rank === undefined) unknown('a rank');
      return rank ?? 0;
    },
    sizes,
    fieldSizes: (index) => {
      const tupled = types[index];
      return tupled?._tag === 'TupleType' ? tupled.fields.map(sizesOf) : [];
    },
    resultSizes: () => sizesOf(type),
    number,
    numbers,
    ratio: (index) => {
      const [own, its] = [staticCount(types[index]), staticCount(type)];
      if (own !== undefined && its !== undefined) return number(own / Math.max(its, 1));
      const count = (of: Expr) => words.op('ndarray_size', [of], { dtype: 'int64' });
      const like = (of: Expr) => words.op('cast_like', [count(of), args[0] ?? of]);
      return words.over(like(args[index] ?? result), like(result));
    },
    refuse: (reason) => refuse(noGradient(name, reason, span)),
    vectorAxis: (index) => {
      const along = formOf(ops, name, 'Map')?.vectorAlong;
      return index === 1 && along !== undefined ? along(attrs) : undefined;
    },
  };
}

const rankOf = (type: Type | undefined): number | undefined =>
  type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape.length : undefined;

function staticCount(type: Type | undefined): number | undefined {
  const shape = (type as TensorType | undefined)?.shape;
  if (shape === undefined || '_tag' in shape) return undefined;
  let count = 1;
  for (const dim of shape) {
    if (typeof dim !== 'number') return undefined;
    count *= dim;
  }
  return count;
}
