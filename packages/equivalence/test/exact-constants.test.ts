/** Rounded constants have no version in float64. */
import { orThrow } from '@baton/base';
import { type IRModule, inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';
import { exactInFloat64 } from '../src/exact-constants.ts';

const moduleOf = (body: string): IRModule =>
  orThrow(
    inferTypes(
      orThrow(
        parseModule(`#[version = "0.0.5"]\ndef @main(%x: Tensor[(3), float32]) { ${body} }`, {
          ops: standardOps,
        }),
      ),
    ),
  );

const before = moduleOf('%x / 0.7f');

test.each([
  ['a constant of both', '%x / 0.7f', true],
  ['a plain number', '%x * 0.5f', true],
  ['a plain number of a narrow type', 'cast(%x, dtype="float16") * 1.5f16', true],
  ['a computed number', '%x * 1.4285715f', false],
  ['a number rounded to a narrow type', 'cast(%x, dtype="float16") / 0.7f16', false],
])('%s', (_, after, isExact) => {
  expect(exactInFloat64(before, moduleOf(after))).toBe(isExact);
});
