/** VGG-19 as Tensat searches it. */
import type { IRModule, OpTable } from '@baton/ir';
import { dataModule } from '../network.ts';
import { draft, type Layer } from './draft.ts';

const STAGES: ReadonlyArray<readonly [convolutions: number, channels: number]> = [
  [2, 64],
  [2, 128],
  [4, 256],
  [4, 512],
  [4, 512],
];

const UNITS: ReadonlyArray<number> = [4096, 4096, 1000];

/** VGG-19 without biases. **Source** Simonyan, Zisserman, 2014, table 1, column E. */
export function vgg19(ops: OpTable): IRModule {
  const net = draft(ops, 'vgg19');
  return dataModule(ops, [1, 3, 224, 224], (data) => {
    let x: Layer = { expr: data, channels: 3 };
    for (const [convolutions, channels] of STAGES) {
      for (let i = 0; i < convolutions; i++) x = net.conv(x, { channels, kernel: [3, 3] });
      x = net.pool('max', x, { kernel: [2, 2], stride: 2 });
    }
    let row = net.op('nn.batch_flatten', [x.expr]);
    let width = x.channels * 7 * 7;
    for (const units of UNITS) {
      const product = net.op('nn.dense', [row, net.weight([units, width])]);
      row = units === UNITS.at(-1) ? product : net.op('nn.relu', [product]);
      width = units;
    }
    return row;
  });
}
