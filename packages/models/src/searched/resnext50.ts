/** ResNeXt-50 as Tensat searches it. */
import type { IRModule, OpTable } from '@baton/ir';
import { dataModule } from '../network.ts';
import { type Draft, draft, type Layer } from './draft.ts';

const GROUPS = 32;

const STAGES: ReadonlyArray<readonly [blocks: number, width: number]> = [
  [3, 128],
  [4, 256],
  [6, 512],
  [3, 1024],
];

/**
 * ResNeXt-50 (32×4d) without normalization and head, with dense 3×3 convolutions in 32 groups.
 *
 * **Source** Xie et al., Aggregated Residual Transformations, 2017; sizes of Yang et al., Tensat, 2021.
 */
export function resnext50(ops: OpTable): IRModule {
  const net = draft(ops, 'resnext50');
  return dataModule(ops, [1, 3, 224, 224], (data) => {
    const stem = net.conv({ expr: data, channels: 3 }, { channels: 64, kernel: [7, 7], stride: 2 });
    let x = net.pool('max', stem, { kernel: [3, 3], stride: 2 });
    STAGES.forEach(([blocks, width], stage) => {
      for (let i = 0; i < blocks; i++) x = block(net, x, width, stage > 0 && i === 0 ? 2 : 1);
    });
    return x.expr;
  });
}

function block(net: Draft, x: Layer, width: number, stride: number): Layer {
  const narrow = net.conv(x, { channels: width, kernel: [1, 1] });
  const grouped = net.conv(narrow, { channels: width, kernel: [3, 3], groups: GROUPS, stride });
  const wide = net.conv(grouped, { channels: 2 * width, kernel: [1, 1], relu: false });
  const isSame = stride === 1 && x.channels === wide.channels;
  const shortcut = isSame ? x : net.conv(x, { channels: wide.channels, kernel: [1, 1], stride });
  const { expr, channels } = net.add(shortcut, wide);
  return { expr: net.op('nn.relu', [expr]), channels };
}
