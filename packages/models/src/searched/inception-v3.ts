/** Inception-v3 as Tensat searches it. */
import type { IRModule, OpTable } from '@baton/ir';
import { dataModule } from '../network.ts';
import { type Draft, draft, type Layer, type Window } from './draft.ts';

type Row = readonly [channels: number, height: number, width: number];

/**
 * Inception-v3 without normalization and head: three modules with 5×5 convolutions, four with 7×1
 * and 1×7, two with 3×1 and 1×3, and a reduction between them.
 *
 * **Source** Szegedy et al., Rethinking the Inception Architecture, 2016; sizes of torchvision.
 */
export function inceptionV3(ops: OpTable): IRModule {
  const net = draft(ops, 'inceptionV3');
  return dataModule(ops, [1, 3, 299, 299], (data) => {
    let x = stem(net, { expr: data, channels: 3 });
    for (const channels of [32, 64, 64]) x = wide(net, x, channels);
    x = net.concat([
      net.conv(x, { channels: 384, ...HALVING }),
      net.conv(chain(net, x, [64, 1, 1], [96, 3, 3]), { channels: 96, ...HALVING }),
      net.pool('max', x, HALVING),
    ]);
    for (const channels of [128, 160, 160, 192]) x = long(net, x, channels);
    x = net.concat([
      net.conv(chain(net, x, [192, 1, 1]), { channels: 320, ...HALVING }),
      net.conv(chain(net, x, [192, 1, 1], [192, 1, 7], [192, 7, 1]), { channels: 192, ...HALVING }),
      net.pool('max', x, HALVING),
    ]);
    for (let i = 0; i < 2; i++) x = forked(net, x);
    return x.expr;
  });
}

const HALVING: Window = { kernel: [3, 3], stride: 2, padding: [0, 0] };

const chain = (net: Draft, x: Layer, ...rows: ReadonlyArray<Row>): Layer =>
  rows.reduce(
    (at, [channels, height, width]) => net.conv(at, { channels, kernel: [height, width] }),
    x,
  );

/** The mean of neighbours, then a convolution. */
const pooled = (net: Draft, x: Layer, channels: number): Layer =>
  chain(net, net.pool('avg', x, { kernel: [3, 3] }), [channels, 1, 1]);

function stem(net: Draft, x: Layer): Layer {
  const first = net.conv(x, { channels: 32, ...HALVING });
  const second = net.conv(first, { channels: 32, kernel: [3, 3], padding: [0, 0] });
  const third = net.pool('max', chain(net, second, [64, 3, 3]), HALVING);
  const fourth = net.conv(chain(net, third, [80, 1, 1]), {
    channels: 192,
    kernel: [3, 3],
    padding: [0, 0],
  });
  return net.pool('max', fourth, HALVING);
}

const wide = (net: Draft, x: Layer, channels: number): Layer =>
  net.concat([
    chain(net, x, [64, 1, 1]),
    chain(net, x, [48, 1, 1], [64, 5, 5]),
    chain(net, x, [64, 1, 1], [96, 3, 3], [96, 3, 3]),
    pooled(net, x, channels),
  ]);

const long = (net: Draft, x: Layer, c: number): Layer =>
  net.concat([
    chain(net, x, [192, 1, 1]),
    chain(net, x, [c, 1, 1], [c, 1, 7], [192, 7, 1]),
    chain(net, x, [c, 1, 1], [c, 7, 1], [c, 1, 7], [c, 7, 1], [192, 1, 7]),
    pooled(net, x, 192),
  ]);

function forked(net: Draft, x: Layer): Layer {
  const [short, deep] = [chain(net, x, [384, 1, 1]), chain(net, x, [448, 1, 1], [384, 3, 3])];
  const ends = [short, deep].flatMap((from) => [
    chain(net, from, [384, 1, 3]),
    chain(net, from, [384, 3, 1]),
  ]);
  return net.concat([chain(net, x, [320, 1, 1]), ...ends, pooled(net, x, 192)]);
}
