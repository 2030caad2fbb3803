/**
 * ExpandGradient: gradients in programs become the functions that they stand for.
 * [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import { expandGradients, gradientsAsGraphs } from '@baton/autodiff';
import { aBoolean } from '@baton/base';
import { inferType, pass } from '@baton/pass-manager';
import { type ConfigurablePass, configurable } from './configurable.ts';

/** The options of {@link expandGradient}. */
export interface ExpandGradientOptions {
  /** Whether the gradient of straight-line code is a graph in either mode, as executors have it. */
  readonly asGraphs?: boolean;
}

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
export const expandGradient: ConfigurablePass<ExpandGradientOptions> = configurable(
  { asGraphs: aBoolean },
  ({ asGraphs = false }) =>
    pass({
      name: 'ExpandGradient',
      doc: 'Expands gradients into the functions that compute them.',
      subject: 'functions',
      level: 0,
      requires: [inferType],
      counters: ['higher order', 'first order'],
      isIdempotent: true,
      run: (m, { count }) =>
        (asGraphs ? gradientsAsGraphs : expandGradients)(m, (mode) =>
          count(mode === 'first_order' ? 'first order' : 'higher order'),
        ),
    }),
);
