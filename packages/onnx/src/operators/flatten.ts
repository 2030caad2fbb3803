/** `Flatten`: merges the axes before `axis`, and the axes from it on. */
import type { Dim } from '@baton/ir';
import type { OnnxOperator } from '../node/operator.ts';

export const flatten: OnnxOperator = {
  opType: 'Flatten',
  versions: [1, 9, 11, 13, 21, 23, 24, 25],
  inputs: [1, 1],
  attributes: { axis: 'int' },
  convert: (context) => {
    const x = context.input(0);
    const dims = context.dimsOf(x);
    const given = context.attributes.int('axis', 1);
    const axis = given === dims.length ? given : context.axis(given, dims.length);
    if (axis === 1 && dims.length > 1) return context.call('nn.batch_flatten', [x]);
    const [rows, columns] = [size(dims.slice(0, axis)), size(dims.slice(axis))];
    if (rows === undefined && columns === undefined) {
      return context.unknown('expected known sizes on one side of the axis');
    }
    return context.call('reshape', [x], { newshape: [rows ?? -1, columns ?? -1], allowzero: 1 });
  },
};

function size(dims: ReadonlyArray<Dim>): number | undefined {
  let product = 1;
  for (const dim of dims) {
    if (typeof dim !== 'number') return undefined;
    product *= dim;
  }
  return product;
}
