/**
 * Results that take their shape or type from another tensor: rows 1 and 2 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { type Call, constant, type Expr } from '@baton/ir';
import { concreteColumn, dtypeOf, staticTensor } from '@baton/ops';
import { tensor } from '@baton/tensor';
import { countOperator } from '../operator-rows.ts';
import { build, isCallOf, LIKE, type Rule, type RuleContext } from './rule.ts';

/** `zeros_like(x) => zeros(shape, dtype)` and its kind, where the shape is known in full. */
export const concretize: Rule = (call, context) => {
  if (call.op._tag !== 'Op') return undefined;
  const to = context.ops.read(concreteColumn, call.op.name);
  const result = context.typeOf(call);
  const known = result && staticTensor(result);
  if (to === undefined || known === undefined || !isDroppable(call, to.dropped, context)) {
    return undefined;
  }
  countOperator(LIKE, context.count, call.op.name);
  const kept = to.kept === undefined ? undefined : call.args[to.kept];
  const args: Expr[] = kept === undefined ? [] : [kept];
  if (to.takesShape === true) {
    args.push(constant(tensor(known.shape, [known.shape.length], 'int32'), call.span));
  }
  return build(context, to.op, args, call.span, to.attrs(known.shape, known.dtype));
};

/** `cast_like(x, y) => cast(x, dtype of y)`. */
export const castToKnown: Rule = (call, context) => {
  const [x, like] = call.args;
  const dtype = like && dtypeOf(context.typeOf(like));
  if (!isCallOf(call, 'cast_like') || x === undefined || typeof dtype !== 'string')
    return undefined;
  if (!isDroppable(call, 1, context)) return undefined;
  context.count('cast_like');
  return build(context, 'cast', [x], call.span, { dtype });
};

const isDroppable = (call: Call, index: number, context: RuleContext): boolean => {
  const arg = call.args[index];
  const mayDrop = arg !== undefined && context.mayDrop(arg);
  if (!mayDrop) context.count('kept: like a stateful value');
  return mayDrop;
};
