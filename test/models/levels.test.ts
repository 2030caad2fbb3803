/** No level makes a program do more than the original: docs/adr/0010-levels-never-worse.md. */
import { type IRModule, inferTypes, measureModule, models, orThrow } from 'batonjs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildNet, netPlans } from '../passes/nets.ts';
import { amount, isThorough } from '../tier.ts';
import { atLevel, LEVELS, moreThanLevel3, worse } from './costs.ts';

const { densenet121, lstm, mlp, mobilenetV2, resnet18, squeezenet, transformerEncoder } = models;
const { bert, detector, gpt2, unet, vit } = models;

const SEED = 20_261_122;

const image = { imageSize: 32, classes: 10 };

/** Operator calls of the original network, then at the levels 0 to 3. */
const NODES: ReadonlyArray<readonly [string, IRModule, ReadonlyArray<number>]> = [
  ['mlp', mlp({ inputs: 12, hidden: [8, 6] }), [6, 6, 6, 6, 6]],
  ['resnet18', resnet18({ ...image, width: 4 }), [70, 70, 70, 70, 50]],
  ['mobilenet_v2', mobilenetV2({ ...image, widthMultiplier: 0.25 }), [154, 154, 154, 154, 102]],
  ['squeezenet', squeezenet({ imageSize: 63, widthMultiplier: 0.25 }), [67, 66, 66, 66, 66]],
  ['densenet121', densenet121({ ...image, growth: 4 }), [428, 428, 428, 428, 369]],
  ['lstm', lstm({ steps: 8, hidden: 8 }), [114, 114, 114, 112, 112]],
  [
    'transformer_encoder',
    transformerEncoder({ layers: 2, heads: 4, width: 16, sequenceLength: 8 }),
    [62, 62, 62, 62, 62],
  ],
  ['vit', vit({ ...image, layers: 2, heads: 2, width: 16 }), [120, 115, 115, 114, 110]],
  [
    'bert',
    bert({ layers: 2, heads: 2, width: 16, sequenceLength: 8, vocabulary: 32 }),
    [132, 123, 123, 121, 119],
  ],
  [
    'gpt2',
    gpt2({ layers: 2, heads: 2, width: 16, past: 7, vocabulary: 32, positions: 16 }),
    [166, 162, 162, 144, 139],
  ],
  ['unet', unet({ imageSize: 32, width: 4, depth: 2 }), [39, 39, 39, 39, 29]],
  ['detector', detector({ imageSize: 64, width: 4, classes: 3 }), [117, 115, 115, 115, 98]],
];

describe('U.14 no level makes a network do more', () => {
  it.each(NODES)('%s', (_, module, nodes) => {
    const m = orThrow(inferTypes(module));
    expect(worse(m)).toEqual([]);
    const found = [m, ...LEVELS.map((level) => atLevel(level, m))];
    expect(found.map((at) => measureModule(at).nodes)).toEqual(nodes);
  });

  const searched = NODES.filter(([name]) => isThorough || name !== 'densenet121');
  it.each(searched)('nor does saturation more than the ordered passes: %s', (_, module) => {
    expect(moreThanLevel3(orThrow(inferTypes(module)))).toEqual([]);
  });

  it('nor a random network of scales, shifts and normalizations in any layout', () => {
    fc.assert(
      fc.property(netPlans, (plan) => {
        expect(worse(orThrow(inferTypes(buildNet(plan).module)))).toEqual([]);
      }),
      { seed: SEED, numRuns: amount(60, { quick: 12 }) },
    );
  });
});
