/** `prepare` on a chosen executor. */
import { isLeft } from '@baton/base';
import { orThrow, parseModule, prepare, tensor, wasm } from 'batonjs';
import { describe, expect, it } from 'vitest';

const m = orThrow(
  parseModule('#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) { tanh(%x) }'),
);

describe('prepare', () => {
  it('runs on the executor that is given', () => {
    const seen: string[] = [];
    const executor = {
      ...wasm,
      prepare: (given: typeof m, limits = {}) => {
        seen.push(Object.keys(limits).join());
        return wasm.prepare(given, limits);
      },
    };
    const program = orThrow(prepare(m, { executor, fuel: 1000 }));
    const value = orThrow(program.run([tensor(new Float32Array([0, 0]), [2], 'float32')]));
    expect(value).toMatchObject({ shape: [2], dtype: 'float32' });
    expect(seen).toEqual(['fuel']);
  });

  it('refuses an option that there is not', () => {
    const refused = prepare(m, { runner: wasm } as never);
    expect(isLeft(refused) && refused.left[0].message).toBe('prepare has no option `runner`');
  });
});
