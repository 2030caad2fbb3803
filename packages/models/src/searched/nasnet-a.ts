/** NasNet-A as Tensat searches it. */
import type { IRModule, OpTable } from '@baton/ir';
import { dataModule } from '../network.ts';
import { type Draft, draft, type Layer } from './draft.ts';

const [STACKS, CELLS] = [3, 5];

/** The operations of the cells in a stack. */
interface Cell {
  readonly separable: (x: Layer, size: number, stride?: number) => Layer;
  readonly pool: (kind: 'max' | 'avg', x: Layer, stride?: number) => Layer;
  readonly add: Draft['add'];
}

/**
 * Three stacks of five normal cells and a reduction each, without head.
 *
 * **Source** Zoph et al., Learning Transferable Architectures, 2018; sizes of Yang et al., Tensat, 2021.
 */
export function nasnetA(ops: OpTable): IRModule {
  const net = draft(ops, 'nasnetA');
  return dataModule(ops, [1, 3, 224, 224], (data) => {
    const stem = net.conv({ expr: data, channels: 3 }, { channels: 64, kernel: [7, 7], stride: 2 });
    let x = net.pool('max', stem, { kernel: [3, 3], stride: 2 });
    for (let stack = 0; stack < STACKS; stack++) {
      const channels = 128 << stack;
      let [before, current] = [x, x];
      for (let i = 0; i < CELLS; i++) {
        const made = net.concat(normal(net, before, current, channels));
        [before, current] = [current, made];
      }
      x = net.concat(reduction(net, before, current, channels * 2));
    }
    return x.expr;
  });
}

/** The two inputs of a cell, with the number of channels that it computes. */
const fitted = (net: Draft, before: Layer, current: Layer, channels: number) =>
  [before, current].map((x) => net.conv(x, { channels, kernel: [1, 1] })) as [Layer, Layer];

const parts = (net: Draft, channels: number): Cell => ({
  separable: (x, size, stride = 1) => {
    const own = { channels, kernel: [size, size], groups: channels, stride, relu: false } as const;
    return net.conv(net.conv(x, own), { channels, kernel: [1, 1], relu: false });
  },
  pool: (kind, x, stride = 1) => net.pool(kind, x, { kernel: [3, 3], stride }),
  add: net.add,
});

function normal(net: Draft, before: Layer, current: Layer, channels: number): ReadonlyArray<Layer> {
  const { separable, pool, add } = parts(net, channels);
  const [prev, cur] = fitted(net, before, current, channels);
  return [
    add(separable(cur, 3), cur),
    add(separable(prev, 3), separable(cur, 3)),
    add(pool('avg', cur), prev),
    add(pool('avg', prev), pool('avg', prev)),
    add(separable(prev, 3), separable(prev, 3)),
  ];
}

function reduction(
  net: Draft,
  before: Layer,
  current: Layer,
  channels: number,
): ReadonlyArray<Layer> {
  const { separable, pool, add } = parts(net, channels);
  const [prev, cur] = fitted(net, before, current, channels);
  const first = add(separable(prev, 7, 2), separable(cur, 5, 2));
  const second = add(pool('max', cur, 2), separable(prev, 7, 2));
  const third = add(pool('avg', cur, 2), separable(prev, 5, 2));
  const fourth = add(pool('max', cur, 2), separable(first, 3));
  return [first, second, third, fourth, add(pool('avg', first), second)];
}
