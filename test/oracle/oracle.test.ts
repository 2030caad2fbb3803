/**
 * Each kernel against onnxruntime, on random shapes, attributes and numbers; the importer of ONNX
 * against both: it reads the model that onnxruntime runs; and the exporter: onnxruntime runs the
 * model that it writes of the calls.
 *
 * Numbers are multiples of 1/8 where results are compared to the last bit: sums, products and
 * comparisons of them are exact in any order, and whatever jumps (rounding, comparison, order) is
 * asked at the places where it jumps. Functions that no grid makes exact are compared in units in the
 * last place of their type (2^-23 of the size of a float32, 2^-52 of a float64): a few for elementary
 * functions, 64 to 256 for normalizations and for images, whose places onnxruntime computes in single
 * precision; of the size of the operands where results cancel. Whole numbers are equal or wrong.
 */
import { standardOps, staticFormColumn } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';
import { older } from './mapped/older.ts';
import { onnxOnly } from './mapped/onnx-only.ts';
import { mappings, UNMAPPED } from './mappings.ts';
import { compareOperator } from './oracle.ts';

const SEED = 20261121;
const INSTANCES = amount(100, { quick: 5 });
const OLDER_INSTANCES = amount(40, { quick: 3 });
const FREE = process.env.BATON_FREE === 'all' ? INSTANCES : amount(12, { quick: 3 });

describe('a kernel, the importer and the exporter agree with onnxruntime on', () => {
  test.each(Object.entries(mappings))('%s', async (name, mapping) => {
    const outcome = await compareOperator(name, mapping, INSTANCES, SEED, {
      kernel: true,
      exporter: true,
      importer: true,
      free: FREE,
    });
    expect(outcome.differences).toEqual([]);
    expect(outcome.instances).toBe(INSTANCES);
  });
});

describe('the importer agrees with onnxruntime where Relay has no such operator, on', () => {
  test.each(Object.entries(onnxOnly))('%s', async (name, mapping) => {
    const voices = { kernel: false, exporter: false, importer: true, free: FREE };
    const outcome = await compareOperator(name, mapping, INSTANCES, SEED, voices);
    expect(outcome.differences).toEqual([]);
    expect(outcome.instances).toBe(INSTANCES);
  });
});

describe('the importer reads operators as their operator set has them,', () => {
  test.each(Object.entries(older))('%s', async (name, { opset, mapping }) => {
    const voices = { kernel: false, exporter: false, importer: true, free: FREE, opset };
    const outcome = await compareOperator(name, mapping, OLDER_INSTANCES, SEED, voices);
    expect(outcome.differences).toEqual([]);
    expect(outcome.instances).toBe(OLDER_INSTANCES);
  });
});

test('every operator is compared, or there is a reason why it is not', () => {
  const compared = new Set([...Object.keys(mappings), ...Object.keys(UNMAPPED)]);
  // An operator of sizes of the run has the kernel of its static form.
  const dynamic = standardOps.names.filter((name) => {
    const form = standardOps.read(staticFormColumn, name);
    return !compared.has(name) && form !== undefined && compared.has(form.name);
  });
  const named = [...compared, ...dynamic];
  expect(named.toSorted()).toEqual([...standardOps.names].toSorted());
});
