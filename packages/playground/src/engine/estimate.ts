/** The time of a program by the cost model of rules. */
import { isLeft } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { runPass, visibleIn } from '@baton/pass-manager';
import { kernelFusion, passes } from '@baton/passes';
import { BYTES_PER_SECOND, roofline } from '@baton/rewrites';
import type { Figures } from '../protocol.ts';
import { figuresOf } from './programs.ts';

/** The time of a program's kernels after fusion. **Units** milliseconds. */
export function estimatedMs(m: IRModule): number {
  const fused = runPass(kernelFusion)(m);
  const module = isLeft(fused) ? m : fused.right.module;
  const cost = roofline();
  const nodes = [...module.functions.values()].flatMap((f) => visibleIn(f.body, module).order);
  return msOf(nodes.reduce((sum, node) => sum + cost(node, module), 0));
}

/** Converts a cost of the model to a time. **Units** milliseconds. */
export const msOf = (cost: number): number => (cost / BYTES_PER_SECOND) * 1000;

/** The figures of a program with its time; nodes are counted before fusion, to recognize biases. */
export function estimatedFigures(m: IRModule): Figures {
  const flat = runPass(passes.defuseOps)(m);
  const { nodes } = figuresOf(isLeft(flat) ? m : flat.right.module);
  return { ...figuresOf(m), nodes, estimatedMs: estimatedMs(m) };
}
