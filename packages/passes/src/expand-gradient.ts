/**
 * ExpandGradient: gradients in programs become the functions that they stand for.
 * [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import { expandGradients } from '@baton/autodiff';
import { inferType, type Pass, pass } from '@baton/pass-manager';

/**
 * Replaces each call of the operator `gradient` by a function that gives the value of its argument
 * and the gradients of its parameters:
 *
 * ```
 * gradient(@square)(%x)   =>   fn (%x: float32) -> (float32, (float32,)) { .. }(%x)
 * ```
 *
 * Global functions that it calls get a reversed twin, such as `@square_grad`. Executors and
 * `optimize` run it first.
 *
 * **Errors** of `expandGradients`.
 * **Complexity** linear in the functions and in what they become, for each level of nesting.
 */
export const expandGradient: Pass = pass({
  name: 'ExpandGradient',
  doc: 'Expands gradients into the functions that compute them.',
  subject: 'functions',
  level: 0,
  requires: [inferType],
  counters: ['higher order', 'first order'],
  isIdempotent: true,
  run: (m, { count }) =>
    expandGradients(m, (mode) => count(mode === 'first_order' ? 'first order' : 'higher order')),
});
