/** A call that a definition expands: its known facts, and the calls to expand it with. */
import {
  type Diagnostic,
  DiagnosticsError,
  fail,
  type Result,
  right,
  type Span,
} from '@baton/base';
import {
  type Attrs,
  constant,
  type Dim,
  type Expr,
  isStaticDim,
  type OpTable,
  type Type,
} from '@baton/ir';
import { type DType, fromNumbers, isDType, type Tensor } from '@baton/tensor';
import { noGradient, tooManyCalls, unknownInDefinition } from '../diagnostics.ts';
import { type Calculus, calculus } from './calculus.ts';

export interface CallFacts {
  readonly name: string;
  readonly attrs: Attrs;
  readonly args: ReadonlyArray<Expr>;
  readonly types: ReadonlyArray<Type>;
  readonly type: Type;
  readonly span: Span | undefined;
}

/**
 * The facts that computed holes may read. Reading an unknown size, rank or dtype makes the
 * definition an error.
 */
export interface FactSite<A> {
  readonly attrs: A;
  readonly rank: (index: number) => number;
  readonly sizes: (index: number) => ReadonlyArray<number>;
  readonly dtype: (index: number) => DType;
  /** `undefined` if the argument is not a constant. */
  readonly constant: (index: number) => Tensor | undefined;
}

export interface DefinitionSite<A> extends Calculus, FactSite<A> {
  /** The arguments, one for each of the operator's inputs. */
  readonly args: readonly [Expr, Expr, Expr, Expr, Expr];
  readonly areSized: (...indices: ReadonlyArray<number>) => boolean;
  readonly fieldSizes: (index: number) => ReadonlyArray<ReadonlyArray<number>>;
  readonly resultSizes: () => ReadonlyArray<number>;
  /** A scalar constant in the dtype of the first argument. */
  readonly number: (value: number) => Expr;
  /** A constant tensor in the dtype of the first argument. */
  readonly numbers: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => Expr;
  /** Reports why this call has no gradient. */
  readonly refuse: (reason: string) => ReadonlyArray<undefined>;
}

/** The most calls of a definition for each tensor: a window may be as long as an axis. */
const MOST_CALLS = 4096;

export function siteOf(
  ops: OpTable,
  { name, attrs, args, types, type, span }: CallFacts,
): DefinitionSite<Attrs> {
  // Code cannot continue without the fact that it reads.
  const stop = (problem: Diagnostic): never => {
    throw new DiagnosticsError([problem]);
  };
  const unknown = (what: string): never => stop(unknownInDefinition(name, what, span));
  const words = counted(calculus(ops, span), mostCalls([...types, type]), (most) =>
    stop(tooManyCalls(name, most, span)),
  );
  const sizes = (index: number): ReadonlyArray<number> =>
    sizesOf(types[index]) ?? unknown('a size');
  const dtype = (index: number): DType => dtypeOf(types[index]) ?? unknown('the dtype');
  const numbers = (values: ReadonlyArray<number>, shape: ReadonlyArray<number>): Expr =>
    constant(fromNumbers(values, shape, dtype(0)), span);
  const number = (value: number): Expr => numbers([value], []);
  return {
    ...words,
    args: args as DefinitionSite<Attrs>['args'],
    attrs,
    rank: (index) => dimsIn(types[index])?.length ?? unknown('a rank'),
    sizes,
    dtype,
    constant: (index) => {
      const arg = args[index];
      return arg?._tag === 'Constant' ? arg.data : undefined;
    },
    areSized: (...indices) => indices.every((index) => sizesOf(types[index]) !== undefined),
    fieldSizes: (index) => {
      const tupled = types[index];
      const fields = tupled?._tag === 'TupleType' ? tupled.fields : [];
      return fields.map((field) => sizesOf(field) ?? unknown('a size'));
    },
    resultSizes: () => sizesOf(type) ?? unknown('a size'),
    number,
    numbers,
    refuse: (reason) => stop(noGradient(name, reason, span)),
  };
}

/** The result of `read`, or the diagnostics of the unknown facts that it needs. */
export function ofKnown<A>(read: () => A): Result<A> {
  try {
    return right(read());
  } catch (error) {
    if (error instanceof DiagnosticsError) return fail(...error.diagnostics);
    throw error;
  }
}

const mostCalls = (types: ReadonlyArray<Type>): number =>
  MOST_CALLS *
  types.reduce((sum, one) => sum + (one._tag === 'TupleType' ? one.fields.length : 1), 0);

/** The calculus, limited to `most` calls. */
function counted(plain: Calculus, most: number, stop: (most: number) => never): Calculus {
  let left = most;
  return { ...plain, op: (...given) => (left-- > 0 ? plain.op(...given) : stop(most)) };
}

export const dtypeOf = (type: Type | undefined): DType | undefined =>
  type?._tag === 'TensorType' && typeof type.dtype === 'string' && isDType(type.dtype)
    ? type.dtype
    : undefined;

const dimsIn = (type: Type | undefined): ReadonlyArray<Dim> | undefined =>
  type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : undefined;

export function sizesOf(type: Type | undefined): ReadonlyArray<number> | undefined {
  const dims = dimsIn(type);
  const sizes = dims?.filter(isStaticDim);
  return sizes?.length === dims?.length ? sizes : undefined;
}
