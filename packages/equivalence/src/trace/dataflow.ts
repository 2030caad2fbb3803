/** The calls of a program's dataflow, and their values in a run. */
import { isLeft, type Result, right, spanLeaves } from '@baton/base';
import { type Arguments, evaluate } from '@baton/executor';
import {
  type Call,
  children,
  type Expr,
  func,
  type IRModule,
  inferTypes,
  tuple,
  typeOf,
  walkExpr,
  withFunctions,
} from '@baton/ir';
import type { Tensor } from '@baton/tensor';

export interface Traced {
  readonly call: Call;
  readonly value: Tensor;
}

const DATAFLOW: ReadonlySet<Expr['_tag']> = new Set(['Call', 'Tuple', 'TupleGetItem']);

/** The calls of operators in the dataflow of `@main`, each after its arguments. */
function dataflowCalls(m: IRModule): ReadonlyArray<Call> {
  const main = m.functions.get('main');
  if (main === undefined) return [];
  const calls: Call[] = [];
  const seen = new Set<Expr>();
  const enter = (expr: Expr): boolean => {
    if (seen.has(expr) || !DATAFLOW.has(expr._tag)) return false;
    seen.add(expr);
    return true;
  };
  walkExpr(main.body, enter, (expr) => {
    if (expr._tag === 'Call' && expr.op._tag === 'Op') calls.push(expr);
  });
  return calls;
}

export function traced(m: IRModule, args: Arguments): Result<ReadonlyArray<Traced>> {
  const typed = inferTypes(m);
  if (isLeft(typed)) return typed;
  const main = typed.right.functions.get('main');
  if (main === undefined) return right([]);
  const calls = dataflowCalls(typed.right).filter(
    (call) => typeOf(typed.right, call)?._tag === 'TensorType',
  );
  const { params, attrs, typeParams, constraints } = main;
  const watched = func(params, tuple(calls), { attrs, typeParams, constraints });
  const value = evaluate(withFunctions(typed.right, new Map([['main', watched]])), args);
  if (isLeft(value)) return value;
  const fields = value.right._tag === 'Tuple' ? value.right.fields : [];
  return right(
    fields.flatMap((field, i) => {
      const call = calls[i];
      return field._tag === 'Tensor' && call !== undefined ? [{ call, value: field }] : [];
    }),
  );
}

/** The calls that compute an expression's tensors, through tuples. */
export function sourcesOf(expr: Expr): ReadonlyArray<Call> {
  const found = new Set<Call>();
  const pending = [...children(expr)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'Call') found.add(next);
    else if (DATAFLOW.has(next._tag)) pending.push(...children(next));
  }
  return [...found];
}

/** A call in words: its operator, and the node of the model's file that it comes from. */
export function nameOfCall({ op, span }: Call): string {
  const place = spanLeaves(span).find(({ _tag }) => _tag === 'NodeSpan');
  const operator = op._tag === 'Op' ? op.name : op._tag;
  return place?._tag === 'NodeSpan' ? `${place.name} (${operator})` : operator;
}
