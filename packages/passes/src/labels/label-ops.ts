/**
 * LabelOps: kernels get labels by which profiles and logs name them.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */

import { right } from '@baton/base';
import { type Func, func, mapChildren, mapFunctions, rewriteExpr } from '@baton/ir';
import { inferType, isPrimitive, type Pass, pass } from '@baton/pass-manager';

/**
 * Gives each kernel the attribute `hash`, which equal kernels share:
 *
 * ```
 * fn (%p0: float32, Primitive=1) { exp(%p0) }
 * =>
 * fn (%p0: float32, Primitive=1, hash="5f3a09c1") { exp(%p0) }
 * ```
 *
 * The label follows from the structure alone, so that it is the same in each run, and a second pass
 * finds it there. Nothing else changes.
 *
 * **Complexity** linear in the module.
 */
export const labelOps: Pass = pass({
  name: 'LabelOps',
  doc: 'Labels kernels by their structure.',
  level: 1,
  requires: [inferType],
  counters: ['kernel'],
  isIdempotent: true,
  run: (m, { count }) =>
    right(
      mapFunctions(
        m,
        (f) =>
          rewriteExpr(f, (node, get) => {
            if (node._tag !== 'Function' || !isPrimitive(node)) return undefined;
            const labelled = withLabel(mapChildren(node, get) as Func);
            if (labelled.attrs.hash === node.attrs.hash) return undefined;
            count('kernel');
            return labelled;
          }) as Func,
      ),
    ),
});

/** The function with the hash of its structure as an attribute. */
function withLabel(f: Func): Func {
  const { hash: _, ...attrs } = f.attrs;
  const bare = func(f.params, f.body, { ...f, attrs });
  const hash = (bare.hash >>> 0).toString(16).padStart(8, '0');
  return func(f.params, f.body, { ...f, attrs: { ...attrs, hash } });
}
