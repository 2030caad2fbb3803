/** BubbleUpSlices: only the parts of values that slices take are computed. */
import { inferType, type Pass, rewriteFunc, rewritingPass, visibleIn } from '@baton/pass-manager';
import { narrowing } from './narrowed.ts';
import { isCut, partsIn } from './parts.ts';

/**
 * Computes only the part of a value that is used:
 *
 * ```
 * take(nn.dense(%x, %w), 0, axis=0)
 * =>
 * squeeze(nn.dense(strided_slice(%x, begin=[0], end=[1], axes=[0]), %w), axis=[0])
 * ```
 *
 * A classifier of tokens reads one of them: in the last layer, what only the others need falls away. The part
 * of a value is the smallest box around what its users read, if that is at most half of an axis. The
 * form of each operator says which part of its operands it needs; slices stay above the operators that
 * need all. A function whose products stay the same is changed only if it gets no more nodes.
 *
 * **Complexity** linear in the function.
 *
 * **Source** MLIR's BubbleUpExtractSliceOpPattern; Halide's bounds inference.
 */
export const bubbleUpSlices: Pass = rewritingPass({
  name: 'BubbleUpSlices',
  doc: 'Computes only the parts of values that slices take.',
  subject: 'sizes',
  level: 3,
  requires: [inferType],
  counters: ['call narrowed'],
  isIdempotent: true,
  run: (f, m, { count }) => {
    const { order } = visibleIn(f.body, m);
    const parts = partsIn(f, m, order);
    const narrowed = [...parts].filter(([, part]) => isCut(part.box));
    if (narrowed.length === 0) return f;
    const made = rewriteFunc(f, m, narrowing(m, parts), order);
    const isSmaller = visibleIn(made.body, m).order.length <= order.length;
    if (!isSmaller && !narrowed.some(([, part]) => part.isProduct)) return f;
    for (const _ of narrowed) count('call narrowed');
    return made;
  },
});
