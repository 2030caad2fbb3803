/** `Tile`: the tensor repeated along each axis. */
import type { OnnxOperator } from '../node/operator.ts';

export const tile: OnnxOperator = {
  opType: 'Tile',
  versions: [6, 13],
  inputs: [2, 2],
  convert: (context) => {
    const reps = context.ints(1);
    if (reps === undefined) return undefined;
    return context.call('tile', [context.input(0)], { reps });
  },
};
