/** `Tile`: the tensor repeated along each axis. */
import { anyDim, type Dim, isStaticDim, multiplyDims } from '@baton/ir';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const tile: OnnxImporter = {
  opType: 'Tile',
  since: 6,
  kernelSince: 6,
  kernelReads: [1],
  // The sizes of the result take more nodes to say.
  kernelWhen: (context) => openReps(context) !== undefined,
  convert: (context) => {
    const [x, list] = [context.input(0), context.input(1)];
    const open = openReps(context);
    if (open === undefined) {
      const known = context.valueOf(list) === undefined ? context.sizes(1) : undefined;
      const reps = known?.filter(isStaticDim) ?? context.ints(1);
      return reps && context.call('tile', [x], { reps });
    }
    const dims = context.dimsOf(x);
    const [count] = context.dimsOf(list);
    // There is one number for each axis.
    const isCounted = count !== undefined && isStaticDim(count);
    const reps = isCounted ? list : context.call('reshape', [list], { newshape: [dims.length] });
    const made = context.call('dyn.tile', [x, reps]);
    const sizes = dims.map((dim, axis) => multiplyDims(dim, open[axis] ?? anyDim));
    if (context.hasFailed() || sizes.includes(0) || !sizes.some(isStaticDim)) return made;
    const newshape = sizes.map((size) => (isStaticDim(size) ? size : 0));
    return context.call('reshape', [made], { newshape });
  },
};

/** The numbers of repeats, if only the run knows them all. */
function openReps(context: NodeContext): ReadonlyArray<Dim> | undefined {
  if (context.valueOf(context.input(1)) !== undefined) return undefined;
  const reps = context.sizes(1) ?? context.dimsOf(context.input(0)).map(() => anyDim);
  return reps.every(isStaticDim) ? undefined : reps;
}
