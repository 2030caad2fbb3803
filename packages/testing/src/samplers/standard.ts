/** The sampler of every operator. */
import type { OpInfo, OpTable } from '@baton/ir';
import { kernelColumn, type SampledPattern, samplingColumn } from '@baton/ops';
import { algorithmSamplers } from './algorithms.ts';
import { contractionSamplers, convolution } from './contractions.ts';
import { creationSamplers } from './creation.ts';
import { elementwiseSamplers } from './elementwise.ts';
import { exampleSampler } from './examples.ts';
import { familySampler } from './families.ts';
import { adaptivePool, imageSamplers, pooling, resize } from './images.ts';
import { indexingSamplers } from './indexing.ts';
import { movementSamplers } from './movement.ts';
import { normalizationSamplers } from './normalizations.ts';
import { type Sampler, type Samplers, samplerColumn } from './sampler.ts';

const NAMED: Samplers = {
  ...elementwiseSamplers,
  ...movementSamplers,
  ...contractionSamplers,
  ...algorithmSamplers,
  ...creationSamplers,
  ...imageSamplers,
  ...indexingSamplers,
  ...normalizationSamplers,
};

function patternSampler(pattern: SampledPattern): Sampler | undefined {
  if (typeof pattern === 'string')
    return Object.hasOwn(NAMED, pattern) ? NAMED[pattern] : undefined;
  switch (pattern.as) {
    case 'convolution':
      return convolution(pattern);
    case 'pool':
      return pooling(pattern);
    case 'pool to a size':
      return adaptivePool(pattern);
    case 'resize':
      return resize(pattern);
  }
}

/** The sampler of an operator: of its column, definition, name, family or examples. */
export function samplerOf(ops: OpTable, op: OpInfo): Sampler | undefined {
  const own = ops.read(samplerColumn, op.name);
  const stated = ops.read(samplingColumn, op.name)?.pattern;
  if (own !== undefined) return own;
  if (stated !== undefined) return patternSampler(stated);
  return patternSampler(op.name) ?? familySampler(ops, op) ?? exampleSampler(ops, op);
}

/** The operators that no program calls: they need an example or a sampler. */
export const operatorsWithoutSampler = (ops: OpTable): ReadonlyArray<string> =>
  ops.names.filter((name) => {
    const op = ops.get(name);
    const isComputed = ops.read(kernelColumn, name) !== undefined;
    return op !== undefined && isComputed && samplerOf(ops, op) === undefined;
  });
