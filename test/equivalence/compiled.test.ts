/** Comparisons on an executor whose code no watch sees: the noise is the interpreter's. */
import { orThrow } from '@baton/base';
import { checkEquivalent } from '@baton/equivalence';
import { interpreter } from '@baton/executor';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { makeWasm } from '@baton/wasm';
import { describe, expect, test } from 'vitest';

const read = (body: string) =>
  orThrow(
    parseModule(`#[version = "0.0.5"]\ndef @main(%x: Tensor[(4, 16), float32]) { ${body} }`, {
      ops: standardOps,
    }),
  );

const compiled = makeWasm({ leastElements: 0 });

describe.each([
  ['interpreter', interpreter],
  ['wasm', compiled],
] as const)('on the executor %s', (_name, executor) => {
  // A sum that cancels loses ten bits, which one that does not keeps.
  const cancels = read('tanh(%x + 1024f - 1024f)');
  const keeps = read('tanh(%x)');

  test.each(['native', 'special'] as const)('the %s regime excuses what cancels', (regime) => {
    const options = { executor, regimes: [regime], needs: ['reassoc', 'nsz'] } as const;
    expect(orThrow(checkEquivalent(cancels, keeps, options)).verdict).toBe('equal');
  });

  test.each(['native', 'special'] as const)('the %s regime sees a wrong number', (regime) => {
    const options = { executor, regimes: [regime], needs: ['reassoc', 'nsz'] } as const;
    const wrong = read('tanh(%x * 1.001f)');
    expect(orThrow(checkEquivalent(keeps, wrong, options)).verdict).toBe('different');
  });
});
