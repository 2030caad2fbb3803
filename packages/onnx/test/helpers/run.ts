/** The values of an imported function, operator by operator. */
import { orThrow } from '@baton/base';
import { type Expr, type Func, postOrderExprs } from '@baton/ir';
import { evaluateCall, type OpValue, standardOps } from '@baton/ops';
import { isTensor, type Tensor } from '@baton/tensor';

/** The results of a function for these arguments. */
export function run(f: Func, args: ReadonlyArray<Tensor>): ReadonlyArray<Tensor> {
  const values = new Map<Expr, OpValue>(f.params.map((p, i) => [p, args[i] ?? []]));
  const get = (expr: Expr): OpValue => values.get(expr) ?? [];
  for (const expr of postOrderExprs([f.body])) {
    if (!values.has(expr) && expr._tag !== 'Op') values.set(expr, computed(expr, get));
  }
  const result = get(f.body);
  return isTensor(result) ? [result] : result.filter(isTensor);
}

function computed(expr: Expr, get: (expr: Expr) => OpValue): OpValue {
  switch (expr._tag) {
    case 'Constant':
      return expr.data;
    case 'Tuple':
      return expr.fields.map(get);
    case 'TupleGetItem': {
      const of = get(expr.tuple);
      return isTensor(of) ? [] : (of[expr.index] ?? []);
    }
    case 'Call':
      return orThrow(evaluateCall(standardOps, expr, expr.args.map(get)));
    default:
      throw new Error(`import makes no ${expr._tag}`);
  }
}
