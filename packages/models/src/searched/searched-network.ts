/** The networks on which searches for faster tensor programs are compared. */
import type { IRModule, OpTable } from '@baton/ir';
import { squeezenet } from '../squeezenet.ts';
import { bert } from './bert.ts';
import { inceptionV3 } from './inception-v3.ts';
import { nasRnn } from './nas-rnn.ts';
import { nasnetA } from './nasnet-a.ts';
import { resnext50 } from './resnext50.ts';
import { vgg19 } from './vgg19.ts';

const BUILDERS = {
  bert,
  resnext50,
  nasnetA,
  nasRnn,
  inceptionV3,
  squeezenet: (ops: OpTable): IRModule => squeezenet({ ops }),
  vgg19,
} as const satisfies Readonly<Record<string, (ops: OpTable) => IRModule>>;

export type SearchedNetworkName = keyof typeof BUILDERS;

export interface SearchedNetworkOptions {
  readonly ops: OpTable;
}

/**
 * A network of the table in which Tensat and TASO are compared, in the sizes of Tensat's examples.
 * It is meant for searches: weights are constants of one number each, which take no memory, except
 * those of SqueezeNet.
 *
 * **Source** Yang et al., Equality Saturation for Tensor Graph Superoptimization, 2021, section 6.
 */
export const searchedNetwork = (
  name: SearchedNetworkName,
  { ops }: SearchedNetworkOptions,
): IRModule => BUILDERS[name](ops);
