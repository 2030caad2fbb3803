/** Steps that run their reference kernel. */
import { type Lowering, newResult, storedValue } from './lowering.ts';
import type { RegionStep } from './region.ts';
import type { Window } from './window.ts';

/** The results of a step that runs the operator's reference kernel. */
export function referenced(
  { call, args, results }: RegionStep,
  state: Lowering,
): ReadonlyArray<Window> {
  const operands = args.map((arg) => storedValue(arg, state));
  const made = results.map((at) => newResult(at, state));
  state.kernels.push({ _tag: 'Reference', call, args: operands, results: made });
  return made;
}
