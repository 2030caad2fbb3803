/**
 * FirstOrderGradient: functions become functions that also give the gradients of their parameters.
 * [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import { firstOrderGradient as gradientOf } from '@baton/autodiff';
import { right } from '@baton/base';
import { functionPass, inferType, isOpaque, type Pass } from '@baton/pass-manager';

/**
 * Makes each function give its value and the gradients of its parameters, as one graph:
 *
 * ```
 * def @main(%x: float32) { %x * %x }
 * =>
 * def @main(%x: float32) -> (float32, (float32,)) {
 *   %0 = multiply(%x, %x);
 *   %1 = ones_like(%0);
 *   %2 = multiply(%1, %x);
 *   (%0, (add(%2, %2),))
 * }
 * ```
 *
 * A body has tensors, tuples, calls of operators, and calls of function literals.
 *
 * **Errors** `GRADIENT_CONSTRUCT` for another construct, `GRADIENT_RESULT`, `GRADIENT_MISSING`,
 * `GRADIENT_UNKNOWN_SIZE`.
 * **Complexity** linear in the nodes and their uses.
 */
export const firstOrderGradient: Pass = functionPass({
  name: 'FirstOrderGradient',
  doc: 'Makes functions return the gradients of their parameters along with their values.',
  level: 0,
  requires: [inferType],
  counters: ['function'],
  run: (f, m, { count }) => {
    if (isOpaque(f)) return right(f);
    count('function');
    return gradientOf(m, f);
  },
});
