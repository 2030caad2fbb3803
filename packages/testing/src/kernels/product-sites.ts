/** Random sizes of products that compiled code has kernels for. */
import type { Random } from '@baton/base';
import type { Attrs } from '@baton/ir';
import type { Shape } from '@baton/tensor';
import { between, oneOf } from './program.ts';

/** A product of two operands, before their numbers are known. */
export interface ProductSite {
  readonly name: string;
  readonly data: Shape;
  readonly weight: Shape;
  readonly attrs: Attrs;
  /** The axis of the channels of the result, and their number. */
  readonly axis: number;
  readonly channels: number;
}

/** The kinds of products, with their random sizes. */
export const PRODUCT_SITES: Readonly<Record<string, (random: Random) => ProductSite>> = {
  dense: (random) => {
    const [rows, depth, units] = [1, 2, 3].map(() => between(random, 1, 21)) as [
      number,
      number,
      number,
    ];
    const lead = oneOf(random, [[rows], [1], [2, rows]]);
    const shapes = { data: [...lead, depth], weight: [units, depth] };
    return { name: 'dense', ...shapes, attrs: {}, axis: lead.length, channels: units };
  },
  batch_matmul: (random) => {
    const [rows, depth, columns] = [1, 2, 3].map(() => between(random, 1, 19)) as [
      number,
      number,
      number,
    ];
    const batch = between(random, 1, 5);
    const shapes = { data: [batch, rows, depth], weight: [batch, columns, depth] };
    return { name: 'batch_matmul', ...shapes, attrs: {}, axis: 2, channels: columns };
  },
  conv2d: (random) => {
    const kernel = [between(random, 1, 3), between(random, 1, 4)] as const;
    const groups = oneOf(random, [1, 1, 2]);
    const [inputs, outputs] = [between(random, 1, 5), between(random, 1, 9)];
    const strides = [between(random, 1, 2), between(random, 1, 2)];
    const dilation = [between(random, 1, 2), 1];
    const padding = [0, 1, 2, 3].map(() => between(random, 0, 2));
    const data = [
      between(random, 1, 2),
      inputs * groups,
      between(random, 6, 12),
      between(random, 6, 20),
    ];
    const weight = [outputs * groups, inputs, ...kernel];
    const attrs = { strides, dilation, padding, groups };
    return { name: 'conv2d', data, weight, attrs, axis: 1, channels: outputs * groups };
  },
  pointwise: (random) => {
    const [inputs, outputs] = [between(random, 1, 40), between(random, 1, 30)];
    const data = [1, inputs, between(random, 1, 9), between(random, 1, 9)];
    return {
      name: 'conv2d',
      data,
      weight: [outputs, inputs, 1, 1],
      attrs: {},
      axis: 1,
      channels: outputs,
    };
  },
  'winograd conv2d': (random) => {
    const [inputs, outputs] = [between(random, 16, 24), between(random, 8, 20)];
    const groups = oneOf(random, [1, 1, 2]);
    const data = [1, inputs * groups, between(random, 4, 12), between(random, 4, 12)];
    const weight = [outputs * groups, inputs, 3, 3];
    const attrs = { padding: [1, 1], groups };
    return { name: 'conv2d', data, weight, attrs, axis: 1, channels: outputs * groups };
  },
  conv2d_transpose: (random) => {
    const [inputs, outputs] = [between(random, 1, 9), between(random, 1, 5)];
    const kernel = [between(random, 1, 3), between(random, 1, 3)] as const;
    const data = [between(random, 1, 2), inputs, between(random, 1, 7), between(random, 1, 7)];
    const weight = [inputs, outputs, ...kernel];
    const attrs = { strides: kernel, kernel_size: kernel, channels: outputs };
    return { name: 'conv2d_transpose', data, weight, attrs, axis: 1, channels: outputs };
  },
  depthwise: (random) => {
    const groups = between(random, 2, 6);
    const outputs = groups * oneOf(random, [1, 1, 2]);
    const kernel = [between(random, 1, 5), between(random, 1, 5)];
    const strides = [between(random, 1, 2), between(random, 1, 2)];
    const dilation = [between(random, 1, 2), between(random, 1, 2)];
    const padding = [0, 1, 2, 3].map(() => between(random, 0, 2));
    const data = [between(random, 1, 2), groups, between(random, 9, 13), between(random, 9, 20)];
    const attrs = { strides, dilation, padding, groups };
    return {
      name: 'conv2d',
      data,
      weight: [outputs, 1, ...kernel],
      attrs,
      axis: 1,
      channels: outputs,
    };
  },
};
