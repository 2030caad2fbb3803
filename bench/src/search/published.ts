/** The figures of Tensat's paper: Yang et al., MLSys 2021, on a GPU with measured costs. */
import type { models } from 'batonjs';

/** Seconds of search, and what the found program gains, in percent. */
export interface Published {
  readonly name: Parameters<typeof models.searchedNetwork>[0];
  readonly tasoSeconds: number;
  readonly tensatSeconds: number;
  readonly tasoGain: number;
  readonly tensatGain: number;
}

const row = (
  name: Published['name'],
  tasoSeconds: number,
  tensatSeconds: number,
  tasoGain: number,
  tensatGain: number,
): Published => ({ name, tasoSeconds, tensatSeconds, tasoGain, tensatGain });

/** One row for each network. */
export const PUBLISHED: ReadonlyArray<Published> = [
  row('bert', 13.6, 1.4, 8.5, 9.2),
  row('resnext50', 25.3, 0.7, 5.5, 8.8),
  row('nasnetA', 1226, 10.6, 1.9, 7.3),
  row('nasRnn', 177.3, 0.5, 45.4, 68.9),
  row('inceptionV3', 68.6, 5.1, 6.3, 10.0),
  row('squeezenet', 16.4, 0.3, 6.7, 24.5),
  row('vgg19', 8.9, 0.4, 8.9, 8.9),
];
