/** The sampler of every operator. */
import type { OpInfo, OpTable } from '@baton/ir';
import { algorithmSamplers } from './algorithms.ts';
import { contractionSamplers } from './contractions.ts';
import { creationSamplers } from './creation.ts';
import { elementwiseSamplers } from './elementwise.ts';
import { exampleSampler } from './examples.ts';
import { familySampler } from './families.ts';
import { imageSamplers } from './images.ts';
import { indexingSamplers } from './indexing.ts';
import { movementSamplers } from './movement.ts';
import { normalizationSamplers } from './normalizations.ts';
import { type Sampler, samplerColumn } from './sampler.ts';

const special: ReadonlyMap<string, Sampler> = new Map([
  ...Object.entries(elementwiseSamplers),
  ...Object.entries(movementSamplers),
  ...Object.entries(contractionSamplers),
  ...Object.entries(algorithmSamplers),
  ...Object.entries(creationSamplers),
  ...Object.entries(imageSamplers),
  ...Object.entries(indexingSamplers),
  ...Object.entries(normalizationSamplers),
]);

/**
 * How calls of the operator are made up: by the sampler that the table's column has for it, by the
 * one that this package has, by its family, or like its examples. `undefined` if there is no way.
 */
export function samplerOf(ops: OpTable, op: OpInfo): Sampler | undefined {
  return (
    ops.read(samplerColumn, op.name) ??
    special.get(op.name) ??
    familySampler(ops, op) ??
    exampleSampler(ops, op)
  );
}

/**
 * The operators that no program calls, since nothing says what a call of them is like: they need an
 * example, or a sampler.
 */
export const operatorsWithoutSampler = (ops: OpTable): ReadonlyArray<string> =>
  ops.names.filter((name) => {
    const op = ops.get(name);
    return op !== undefined && samplerOf(ops, op) === undefined;
  });
