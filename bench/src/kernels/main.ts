/** `pnpm bench:conv`: the reference convolution on ResNet-50's layers, compared with a naive loop. */

import { table } from '@baton/base';
import { callOp, evaluateCall } from '@baton/ops';
import { ms } from '@baton/report';
import { constant, orThrow, standardOps, type Tensor, tensor } from 'batonjs';
import { uniformData } from '../subjects/inputs.ts';
import { type ConvLayer, layerFlops, outputSize, RESNET50_LAYERS } from './conv-layers.ts';
import { naiveConv } from './naive-conv.ts';

const ROUNDS = 3;

interface Measured {
  readonly layer: ConvLayer;
  readonly blockedMs: number;
  readonly naiveMs: number;
  readonly maxError: number;
}

/** The best time of some rounds, the two sides interleaved, so that both see the same machine. */
function measure(layer: ConvLayer): Measured {
  const { channels, size, filters, kernel, stride } = layer;
  const bound = 1 / Math.sqrt(channels * kernel * kernel);
  const data = uniformData('data', channels * size * size, -1, 1);
  const weight = uniformData('weight', filters * channels * kernel * kernel, -bound, bound);
  const pad = (kernel - 1) >> 1;
  const tensors = [
    tensor(data, [1, channels, size, size], 'float32'),
    tensor(weight, [filters, channels, kernel, kernel], 'float32'),
  ];
  const call = callOp(
    standardOps,
    'nn.conv2d',
    tensors.map((t) => constant(t)),
    {
      strides: [stride, stride],
      padding: [pad, pad, pad, pad],
      channels: filters,
      kernel_size: [kernel, kernel],
    },
  );
  let blockedMs = Number.POSITIVE_INFINITY;
  let naiveMs = Number.POSITIVE_INFINITY;
  let maxError = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const blocked = orThrow(evaluateCall(standardOps, call, tensors)) as Tensor;
    const middle = performance.now();
    const naive = naiveConv(layer, data, weight);
    const end = performance.now();
    blockedMs = Math.min(blockedMs, middle - start);
    naiveMs = Math.min(naiveMs, end - middle);
    const found = blocked.data as Float32Array;
    for (let i = 0; i < naive.length; i++) {
      maxError = Math.max(maxError, Math.abs((found[i] as number) - (naive[i] as number)));
    }
  }
  return { layer, blockedMs, naiveMs, maxError };
}

const rate = (flops: number, elapsed: number): string => (flops / elapsed / 1e6).toFixed(2);

function main(): void {
  const measured = RESNET50_LAYERS.map((layer) => {
    process.stderr.write('.');
    return measure(layer);
  });
  process.stderr.write('\n');
  const rows = measured.map(({ layer, blockedMs, naiveMs, maxError }) => {
    const flops = layerFlops(layer);
    const { channels, size, filters, kernel, stride } = layer;
    return [
      `${channels}×${size}² → ${filters}×${outputSize(layer)}², ${kernel}×${kernel}/${stride}`,
      `${layer.count}`,
      ms(blockedMs),
      rate(flops, blockedMs),
      ms(naiveMs),
      rate(flops, naiveMs),
      `${(naiveMs / blockedMs).toFixed(2)}`,
      maxError.toExponential(1),
    ];
  });
  const total = (time: (m: Measured) => number): number =>
    measured.reduce((sum, m) => sum + m.layer.count * time(m), 0);
  const flops = total((m) => layerFlops(m.layer));
  const [blocked, naive] = [total((m) => m.blockedMs), total((m) => m.naiveMs)];
  rows.push([
    'all of ResNet-50',
    `${total(() => 1)}`,
    ms(blocked),
    rate(flops, blocked),
    ms(naive),
    rate(flops, naive),
    (naive / blocked).toFixed(2),
    '',
  ]);
  const header = [
    'layer',
    'count',
    'ms',
    'GFLOP/s',
    'naive ms',
    'naive GFLOP/s',
    'ratio',
    'max error',
  ];
  process.stdout.write(`${table(header, rows)}\n`);
}

main();
