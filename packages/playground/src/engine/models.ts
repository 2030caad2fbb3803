/** The networks of the gallery, built by code with generated weights. */
import type { IRModule } from '@baton/ir';
import { lstm, mobilenetV2, resnet18, squeezenet, transformerEncoder } from '@baton/models';
import { standardOps as ops } from '@baton/ops';
import type { ModelName } from '../protocol.ts';

/** The size of images: a fifth of the usual work, with all layers. */
const IMAGE = { ops, imageSize: 96 };

const BUILDERS: Readonly<Record<ModelName, () => IRModule>> = {
  squeezenet: () => squeezenet(IMAGE),
  'mobilenet-v2': () => mobilenetV2(IMAGE),
  resnet18: () => resnet18(IMAGE),
  transformer: () => transformerEncoder({ ops }),
  lstm: () => lstm({ ops }),
};

export const modelOf = (name: ModelName): IRModule => BUILDERS[name]();
