/** The comparison of a golden program before and after passes. */
import { orThrow } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { allClose, printShape } from '@baton/tensor';
import { expect } from 'vitest';
import type { GoldenFile } from './format.ts';
import { inputsFor } from './inputs.ts';

/** Expects the same results for seeded inputs, but for rounding. */
export function expectSameValues(
  name: string,
  file: GoldenFile,
  input: IRModule,
  output: IRModule,
): void {
  const main = input.functions.get('main');
  if (main === undefined) throw new Error('a golden program has a main');
  const args = inputsFor(main, name, file.positive);
  const before = leaves(orThrow(evaluate(input, args)));
  const after = leaves(orThrow(evaluate(output, args)));
  expect(after.length).toBe(before.length);
  for (const [at, wanted] of before.entries()) {
    const found = after[at];
    if (wanted._tag !== 'Tensor') expect(found?._tag).toBe(wanted._tag);
    else if (found?._tag !== 'Tensor') expect(found?._tag).toBe('Tensor');
    else {
      const tolerance = wanted.dtype === 'float16' ? 1e-2 : 1e-4;
      const agree = allClose(found, wanted, { rtol: tolerance, atol: tolerance });
      expect(agree, `result ${at} of shape ${printShape(wanted.shape)}`).toBe(true);
    }
  }
}

/** The tensors and closures of a value, tuples taken apart. */
function leaves(value: Value): ReadonlyArray<Value> {
  const found: Value[] = [];
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'Tuple') pending.push(...next.fields);
    else found.push(next);
  }
  return found;
}
