/**
 * SplitArgs: concatenations of many tensors become concatenations of concatenations.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { wholeNumber } from '@baton/base';
import { type Expr, type IRModule, tuple, typeOf } from '@baton/ir';
import { callOp, dimsOf, isCallOf, type OpCall, operandOf } from '@baton/ops';
import { type Pass, rewriteFunc, rewritingPass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';

export interface SplitArgsOptions {
  /** The most tensors that a concatenation takes. @defaultValue 128 */
  readonly maxArgs?: number;
}

/** Backends with fewer arguments of a kernel are rare. */
const MAX_ARGS = 128;

/**
 * Gives every concatenation few enough tensors for a kernel:
 *
 * ```
 * concatenate((%a, %b, %c, %d, %e))                                        (at most 3)
 * =>
 * concatenate((annotation.stop_fusion(concatenate((%a, %b, %c))),
 *              annotation.stop_fusion(concatenate((%d, %e)))))
 * ```
 *
 * The barriers keep the parts in kernels of their own. A tuple that is no literal stays, and so does a
 * call on a type parameter: nothing says that its parts can be concatenated.
 *
 * **Complexity** linear in the function.
 */
export const splitArgs: ConfigurablePass<SplitArgsOptions> = configurable(
  { maxArgs: wholeNumber(2) },
  ({ maxArgs = MAX_ARGS }): Pass =>
    rewritingPass({
      name: 'SplitArgs',
      doc: 'Splits concatenations that have too many operands for a kernel.',
      subject: 'sizes',
      level: 1,
      counters: ['concatenation split'],
      isIdempotent: true,
      run: (f, m, { count }) =>
        rewriteFunc(f, m, (node, get) => {
          if (!isCallOf(node, 'concatenate')) return undefined;
          const data = get(operandOf(node, 0));
          if (data._tag !== 'Tuple' || data.fields.length <= maxArgs) return undefined;
          if (!hasKnownRank(m, node)) return undefined;
          count('concatenation split');
          return joined(m, node, data.fields, maxArgs);
        }),
    }),
);

/** Whether each field of the tuple that a call is given has a known rank. */
function hasKnownRank(m: IRModule, node: OpCall): boolean {
  const type = typeOf(m, operandOf(node, 0));
  return type?._tag === 'TupleType' && type.fields.every((field) => dimsOf(field) !== undefined);
}

/** The concatenation of tensors by groups, and of these by groups, until they are few. */
function joined(m: IRModule, node: OpCall, fields: ReadonlyArray<Expr>, maxArgs: number): Expr {
  const { attrs, span } = node;
  const whole = (parts: ReadonlyArray<Expr>): Expr =>
    callOp(m.ops, 'concatenate', [tuple(parts, span)], attrs, span);
  let parts = fields;
  while (parts.length > maxArgs) {
    const count = Math.ceil(parts.length / maxArgs);
    parts = Array.from({ length: count }, (_, i) => {
      const group = parts.slice(i * maxArgs, (i + 1) * maxArgs);
      const [only] = group;
      if (only !== undefined && group.length === 1) return only;
      return callOp(m.ops, 'annotation.stop_fusion', [whole(group)], {}, span);
    });
  }
  return whole(parts);
}
