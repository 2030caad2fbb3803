import { measureModule, models, orThrow, passes, runPass } from 'batonjs';
import { describe, expect, it } from 'vitest';

/** The products of each network: the blocks of the papers, with their layers. */
const PRODUCTS = [
  ['bert', { 'nn.matmul': 8 * 4, 'nn.batch_matmul': 8 * 2 }],
  ['resnext50', { 'nn.conv2d': 1 + 16 * 3 + 4 }],
  ['nasnetA', { 'nn.conv2d': 1 + 15 * (2 + 5 * 2) + 3 * (2 + 5 * 2) }],
  ['nasRnn', { 'nn.matmul': 5 * 8 * 2 }],
  ['inceptionV3', { 'nn.conv2d': 5 + 3 * 7 + 4 + 4 * 10 + 6 + 2 * 9 }],
  ['squeezenet', { 'nn.conv2d': 2 + 8 * 3 }],
  ['vgg19', { 'nn.conv2d': 16, 'nn.dense': 3 }],
] as const;

describe('networks that are searched', () => {
  it.each(PRODUCTS)('%s has the layers of its paper', (name, products) => {
    const m = orThrow(runPass(passes.inferType)(models.searchedNetwork(name))).module;
    const { byOp } = measureModule(m);
    for (const [op, count] of Object.entries(products)) expect(byOp[op]).toBe(count);
  });
});
