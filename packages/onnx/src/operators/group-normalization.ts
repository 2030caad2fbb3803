/** `GroupNormalization`: scale and bias are per group before 21, per channel since. */
import type { Expr } from '@baton/ir';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const groupNormalization: OnnxImporter = {
  opType: 'GroupNormalization',
  convert: (context) => {
    const x = context.input(0);
    const groups = context.attributes.int('num_groups', 0);
    const channels = context.dimsOf(x)[1];
    if (typeof channels !== 'number') return context.unknown('expected known channels');
    if (groups < 1 || channels % groups !== 0) {
      const found = `expected groups that divide ${channels} channels, found ${groups}`;
      return context.fail('ONNX_ATTRIBUTE', found);
    }
    const each = (vector: Expr): Expr =>
      context.version >= 21
        ? vector
        : context.call('repeat', [vector], { repeats: channels / groups, axis: 0 });
    return context.call('nn.group_norm', [x, each(context.input(1)), each(context.input(2))], {
      num_groups: groups,
      axis: 1,
      epsilon: context.attributes.float('epsilon'),
    });
  },
};
