/**
 * Each kernel against onnxruntime, on random shapes, attributes and numbers: onnxruntime runs the file
 * that the exporter writes of the calls, and the importer reads it again. An operator set's own nodes,
 * and those of older sets, are written by hand, and the importer is compared.
 *
 * Numbers are multiples of 1/8 where results are compared bitwise: sums, products and
 * comparisons of them are exact in any order, and whatever jumps (rounding, comparison, order) is
 * drawn at the points where it jumps. Functions that no grid makes exact are compared in units in the
 * last place of their type (2^-23 of the size of a float32, 2^-52 of a float64): a few for elementary
 * functions, 64 to 256 for normalizations and for images, whose positions onnxruntime computes in single
 * precision; of the size of the operands where results cancel. Whole numbers are equal or wrong.
 */
import { standardOps, staticFormColumn } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { amount } from '../tier.ts';
import { draws, UNCOMPARED } from './draws.ts';
import { older } from './nodes/older.ts';
import { onnxOnly } from './nodes/onnx-only.ts';
import { compareNode, compareOperator } from './oracle.ts';

const SEED = 20261121;
const INSTANCES = amount(100, { quick: 5 });
const OLDER_INSTANCES = amount(40, { quick: 3 });
const FREE = process.env.BATON_FREE === 'all' ? INSTANCES : amount(12, { quick: 3 });

const AMOUNT = { count: INSTANCES, free: FREE, seed: SEED };

describe('a kernel, and the exporter and the importer, agree with onnxruntime on', () => {
  test.each(Object.entries(draws))('%s', async (name, draw) => {
    const outcome = await compareOperator(name, draw, AMOUNT);
    expect(outcome.differences).toEqual([]);
    expect(outcome.instances).toBe(INSTANCES);
  });
});

describe('the importer agrees with onnxruntime on nodes that the exporter does not write:', () => {
  test.each(Object.entries(onnxOnly))('%s', async (name, draw) => {
    const outcome = await compareNode(name, draw, AMOUNT);
    expect(outcome.differences).toEqual([]);
    expect(outcome.instances).toBe(INSTANCES);
  });
});

describe('the importer reads operators as their operator set has them,', () => {
  test.each(Object.entries(older))('%s', async (name, { opset, draw }) => {
    const outcome = await compareNode(name, draw, { ...AMOUNT, count: OLDER_INSTANCES }, opset);
    expect(outcome.differences).toEqual([]);
    expect(outcome.instances).toBe(OLDER_INSTANCES);
  });
});

test('every operator is compared, or there is a reason why it is not', () => {
  const compared = new Set([...Object.keys(draws), ...Object.keys(UNCOMPARED)]);
  // An operator of sizes of the run has the kernel of its static form.
  const dynamic = standardOps.names.filter((name) => {
    const form = standardOps.read(staticFormColumn, name);
    return !compared.has(name) && form !== undefined && compared.has(form.name);
  });
  const named = [...compared, ...dynamic];
  expect(named.toSorted()).toEqual([...standardOps.names].toSorted());
});
