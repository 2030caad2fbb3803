/** Samplers of sorting, searching and counting. */
import type { Sampler } from './sampler.ts';

/** How many places hold is for the values to say: a sum along them has a shape again. */
const argwhere: Sampler = (b, op) => {
  const x = b.operand({ dtype: 'bool', rank: [1, 3] });
  const places = b.call(op.name, [x]);
  return b.random.chance(0.5)
    ? b.call('sum', [places], { axis: [0] })
    : b.call('shape_of', [b.call('transpose', [places])]);
};

/** Samplers by operator. */
export const algorithmSamplers: Readonly<Record<string, Sampler>> = { argwhere };
