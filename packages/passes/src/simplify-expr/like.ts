/**
 * Results that take their shape or type from another tensor: rows 1 and 2 of
 * [passes §7](https://batonjs.github.io/baton/spec/passes#7).
 */
import { type Attrs, constant, type Expr, noAttrs } from '@baton/ir';
import { dtypeOf, staticTensor } from '@baton/ops';
import { isDType, tensor } from '@baton/tensor';
import { type OpCall, operandOf } from '../op-call.ts';
import { build, type Row, type Rule, type RuleContext } from './rule.ts';

/** The operator that is given the shape, and the position of what it takes from another tensor. */
interface Concrete {
  readonly row: Row;
  readonly name: string;
  /** The argument that stays. */
  readonly kept: number | undefined;
  /** The argument of which only the type matters. */
  readonly dropped: number;
  readonly attrs: (shape: ReadonlyArray<number>, dtype: string) => Attrs;
  /** Whether the shape is an operand, after the argument that stays. */
  readonly takesShape?: boolean;
}

const CONCRETE: ReadonlyMap<string, Concrete> = new Map([
  ['zeros_like', { row: 'zeros_like', ...created('zeros'), kept: undefined }],
  ['ones_like', { row: 'ones_like', ...created('ones'), kept: undefined }],
  ['full_like', { row: 'full_like', ...created('full'), kept: 1 }],
  ['reshape_like', { row: 'reshape_like', ...shaped('reshape'), attrs: reshapeAttrs }],
  ['broadcast_to_like', { row: 'broadcast_to_like', ...shaped('broadcast_to') }],
  [
    'collapse_sum_like',
    {
      row: 'collapse_sum_like',
      ...shaped('collapse_sum_to'),
      attrs: () => noAttrs,
      takesShape: true,
    },
  ],
]);

/** `zeros_like(x) => zeros(shape, dtype)` and its kind, where the shape is known in full. */
export const concretize: Rule = (call, context) => {
  const to = CONCRETE.get(call.op.name);
  const result = context.typeOf(call);
  const known = result && staticTensor(result);
  if (to === undefined || known === undefined || !isDroppable(call, to.dropped, context)) {
    return undefined;
  }
  context.count(to.row);
  const args: Expr[] = to.kept === undefined ? [] : [operandOf(call, to.kept)];
  if (to.takesShape === true) {
    args.push(constant(tensor(known.shape, [known.shape.length], 'int32'), call.span));
  }
  return build(context, to.name, args, call.span, to.attrs(known.shape, known.dtype));
};

/** `cast_like(x, y) => cast(x, dtype of y)`. */
export const castToKnown: Rule = (call, context) => {
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

function created(name: string) {
  return {
    name,
    dropped: 0,
    attrs: (shape: ReadonlyArray<number>, dtype: string): Attrs => ({ shape, dtype }),
  };
}

function shaped(name: string) {
  return { name, kept: 0, dropped: 1, attrs: (shape: ReadonlyArray<number>): Attrs => ({ shape }) };
}

function reshapeAttrs(shape: ReadonlyArray<number>): Attrs {
  return { newshape: shape, allowzero: shape.includes(0) ? 1 : 0 };
}
