import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { mappings, NOT_IMPORTED, UNMAPPED } from './mappings.ts';
import { compareOperator } from './oracle.ts';

const SEED = 20261121;
const INSTANCES = 100;

describe('a kernel, and the importer, agree with onnxruntime on', () => {
  test.each(Object.entries(mappings))('%s', async (name, mapping) => {
    const outcome = await compareOperator(name, mapping, INSTANCES, SEED, !(name in NOT_IMPORTED));
    expect(outcome.differences).toEqual([]);
    expect(outcome.instances).toBe(INSTANCES);
  });
});

test('every operator is compared, or there is a reason why it is not', () => {
  const named = [...Object.keys(mappings), ...Object.keys(UNMAPPED)];
  expect(named.toSorted()).toEqual([...standardOps.names].toSorted());
});

test('only graphs of compared operators are kept from the importer', () => {
  expect(Object.keys(NOT_IMPORTED).filter((name) => !(name in mappings))).toEqual([]);
});
