/** The budget of a run of passes. */
import { type Analysis, analysis, type Budget, budgetWithin, type Limits } from '@baton/base';
import { type IRModule, postOrderExprs } from '@baton/ir';
import { dtypeInfo, shapeSize } from '@baton/tensor';

/** Bytes of constants that passes may compute of any program, and for each byte of its constants. */
const COMPUTED_BYTES = { base: 2 ** 27, factor: 16 };

/** Nodes that a pass may make of any program, and for each of its nodes. */
const MADE_NODES = { base: 100_000, factor: 20 };

/** The budget of a run on a program: the defaults follow from the program's size. */
export const budgetFor = (m: IRModule, limits: Limits): Budget =>
  budgetWithin(limits, () => defaultLimits(m));

const defaultLimits: Analysis<IRModule, Limits> = analysis((m) => {
  const nodes = postOrderExprs([...m.functions.values()]);
  let bytes = 0;
  for (const node of nodes) {
    if (node._tag !== 'Constant') continue;
    bytes += shapeSize(node.data.shape) * dtypeInfo(node.data.dtype).bytes;
  }
  return {
    bytes: COMPUTED_BYTES.base + COMPUTED_BYTES.factor * bytes,
    nodes: MADE_NODES.base + MADE_NODES.factor * nodes.length,
  };
});
