/** Imports that own their bytes: weights move to aligned places in the file, and are not copied. */
import { orThrow } from '@baton/base';
import { standardOps } from '@baton/ops';
import { type Tensor, toBytes } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { importOnnx } from '../src/index.ts';
import { modelBytes } from './helpers/encode.ts';
import { mainOf } from './helpers/import.ts';

const FLOAT = { type: 1, width: 4 };
const TYPES = [FLOAT, { type: 10, width: 2 }, { type: 2, width: 1 }, { type: 11, width: 8 }];

/** The weights of a model with one of each element type, after a name of some length. */
function weights(count: number, nameLength: number, ownsBytes: boolean): ReadonlyArray<Tensor> {
  const initializers = TYPES.map(({ type, width }, i) => ({
    name: `${'w'.repeat(nameLength)}${i}`,
    dims: [count],
    type,
    raw: Array.from({ length: count * width }, (_, at) => (at * 7 + i) % 64),
  }));
  const outputs = initializers.map(({ name }) => name);
  const bytes = Uint8Array.from(modelBytes({ nodes: [], initializers, outputs }, 13));
  const { body } = mainOf(
    orThrow(importOnnx(bytes, { ops: standardOps, source: 'test', ownsBytes })),
  );
  const fields = body._tag === 'Tuple' ? body.fields : [];
  const tensors = fields.flatMap((field) => (field._tag === 'Constant' ? [field.data] : []));
  expect(tensors).toHaveLength(TYPES.length);
  const isOfFile = (t: Tensor): boolean => t.data.buffer === bytes.buffer;
  if (ownsBytes && count >= MOVED) expect(tensors.slice(0, 3).every(isOfFile)).toBe(true);
  return tensors;
}

/** This number of elements is moved, whatever their type; fewer may be copied. */
const MOVED = 2 ** 14;

/** The elements in few characters. */
const toText = (t: Tensor): string => `${t.dtype} ${Buffer.from(toBytes(t)).toString('base64')}`;

describe('an import that owns its bytes', () => {
  it.each([5, MOVED + 3])('gives the same %i elements', (count) => {
    for (let nameLength = 1; nameLength <= 4; nameLength++) {
      const [own, copied] = [true, false].map((owns) => weights(count, nameLength, owns));
      expect(own?.map(toText)).toEqual(copied?.map(toText));
    }
  });
});
