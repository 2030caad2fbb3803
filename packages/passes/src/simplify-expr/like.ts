/**
 * Results that take their shape or type from another tensor: rows 1 and 2 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { constant, type Expr } from '@baton/ir';
import {
  concreteColumn,
  dtypeOf,
  isCallOf,
  type OpCall,
  operandOf,
  staticTensor,
} from '@baton/ops';
import { operatorRow } from '@baton/pass-manager';
import { isDType, tensor } from '@baton/tensor';
import { build, type Rule, type RuleContext } from './rule.ts';

/** `zeros_like(x) => zeros(shape, dtype)` and similar calls, if the shape is fully known. */
export const concretize: Rule = (call, context) => {
  const to = context.ops.read(concreteColumn, call.op.name);
  const result = context.typeOf(call);
  const known = result && staticTensor(result);
  if (to === undefined || known === undefined || !isDroppable(call, to.dropped, context)) {
    return undefined;
  }
  context.count(operatorRow(call.op.name));
  const args: Expr[] = to.kept === undefined ? [] : [operandOf(call, to.kept)];
  if (to.takesShape === true) {
    args.push(constant(tensor(known.shape, [known.shape.length], 'int32'), call.span));
  }
  return build(context, to.op, args, call.span, to.attrs(known.shape, known.dtype));
};

/** `cast_like(x, y) => cast(x, dtype of y)`. */
export const castToKnown: Rule = (call, context) => {
  if (!isCallOf(call, 'cast_like')) return undefined;
  const dtype = dtypeOf(context.typeOf(operandOf(call, 1)));
  if (!isDType(dtype) || !isDroppable(call, 1, context)) return undefined;
  context.count('cast_like');
  return build(context, 'cast', [operandOf(call, 0)], call.span, { dtype });
};

const isDroppable = (call: OpCall, index: number, context: RuleContext): boolean => {
  const mayDrop = context.mayDrop(operandOf(call, index));
  if (!mayDrop) context.count('kept: like a stateful value');
  return mayDrop;
};
