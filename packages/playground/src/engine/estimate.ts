/** The time of a program by the cost model of rules. */
import { isLeft } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { runPass, visibleIn } from '@baton/pass-manager';
import { kernelFusion } from '@baton/passes';
import { roofline } from '@baton/rewrites';
import type { Figures } from '../protocol.ts';
import { figuresOf } from './programs.ts';

/** The time of the kernels that fusion makes of a program. **Units** milliseconds. */
export function estimatedMs(m: IRModule): number {
  const fused = runPass(kernelFusion)(m);
  const module = isLeft(fused) ? m : fused.right.module;
  const cost = roofline();
  const nodes = [...module.functions.values()].flatMap((f) => visibleIn(f.body, module).order);
  return nodes.reduce((sum, node) => sum + cost(node, module), 0) / BYTES_PER_MS;
}

/** The bytes that the machine of the cost model moves in a millisecond. */
export const BYTES_PER_MS = 1e7;

/** The figures of a program with its time. */
export const estimatedFigures = (m: IRModule): Figures => ({
  ...figuresOf(m),
  estimatedMs: estimatedMs(m),
});
