/** The networks of `@baton/models`, with the standard operators bound: the namespace `models`. */
import type { IRModule } from '@baton/ir';
import * as models from '@baton/models';
import { standardOps } from '@baton/ops';
import type { WithDefaultOps } from './bound.ts';

/** As `mlp` of `@baton/models`. */
export const mlp = (options: WithDefaultOps<models.MlpOptions> = {}): IRModule =>
  models.mlp({ ops: standardOps, ...options });

/** As `resnet18` of `@baton/models`. */
export const resnet18 = (options: WithDefaultOps<models.ResNetOptions> = {}): IRModule =>
  models.resnet18({ ops: standardOps, ...options });

/** As `resnet50` of `@baton/models`. */
export const resnet50 = (options: WithDefaultOps<models.ResNetOptions> = {}): IRModule =>
  models.resnet50({ ops: standardOps, ...options });

/** As `mobilenetV2` of `@baton/models`. */
export const mobilenetV2 = (options: WithDefaultOps<models.MobileNetV2Options> = {}): IRModule =>
  models.mobilenetV2({ ops: standardOps, ...options });

/** As `squeezenet` of `@baton/models`. */
export const squeezenet = (options: WithDefaultOps<models.SqueezeNetOptions> = {}): IRModule =>
  models.squeezenet({ ops: standardOps, ...options });

/** As `densenet121` of `@baton/models`. */
export const densenet121 = (options: WithDefaultOps<models.DenseNet121Options> = {}): IRModule =>
  models.densenet121({ ops: standardOps, ...options });

/** As `searchedNetwork` of `@baton/models`. */
export const searchedNetwork = (
  name: models.SearchedNetworkName,
  options: WithDefaultOps<models.SearchedNetworkOptions> = {},
): IRModule => models.searchedNetwork(name, { ops: standardOps, ...options });

/** As `lstm` of `@baton/models`. */
export const lstm = (options: WithDefaultOps<models.LstmOptions> = {}): IRModule =>
  models.lstm({ ops: standardOps, ...options });

/** As `transformerEncoder` of `@baton/models`. */
export const transformerEncoder = (
  options: WithDefaultOps<models.TransformerEncoderOptions> = {},
): IRModule => models.transformerEncoder({ ops: standardOps, ...options });

/** As `decoder` of `@baton/models`. */
export const decoder = (options: WithDefaultOps<models.DecoderOptions> = {}): IRModule =>
  models.decoder({ ops: standardOps, ...options });

/** As `vit` of `@baton/models`. */
export const vit = (options: WithDefaultOps<models.VitOptions> = {}): IRModule =>
  models.vit({ ops: standardOps, ...options });

/** As `bert` of `@baton/models`. */
export const bert = (options: WithDefaultOps<models.BertOptions> = {}): IRModule =>
  models.bert({ ops: standardOps, ...options });

/** As `gpt2` of `@baton/models`. */
export const gpt2 = (options: WithDefaultOps<models.Gpt2Options> = {}): IRModule =>
  models.gpt2({ ops: standardOps, ...options });

/** As `unet` of `@baton/models`. */
export const unet = (options: WithDefaultOps<models.UnetOptions> = {}): IRModule =>
  models.unet({ ops: standardOps, ...options });

/** As `detector` of `@baton/models`. */
export const detector = (options: WithDefaultOps<models.DetectorOptions> = {}): IRModule =>
  models.detector({ ops: standardOps, ...options });
