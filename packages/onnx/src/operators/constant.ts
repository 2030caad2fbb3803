/** `Constant`: a tensor, which may be sparse, numbers or a number as an attribute. */
import type { Tensor } from '@baton/tensor';
import { tensor } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const constant: OnnxImporter = {
  opType: 'Constant',
  versions: [1, 9, 11, 12, 13, 19, 21, 23, 24, 25],
  inputs: [0, 0],
  attributes: {
    sparse_value: 'sparse_tensor',
    value: 'tensor',
    value_float: 'float',
    value_floats: 'floats',
    value_int: 'int',
    value_ints: 'ints',
  },
  convert: (context) => {
    const value = constantValue(context);
    return value === undefined ? undefined : context.constant(value);
  },
};

function constantValue(context: NodeContext): Tensor | undefined {
  const found = Object.keys(constant.attributes ?? {}).flatMap(
    (name) => context.attributes.raw(name) ?? [],
  );
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) {
    return context.fail('ONNX_ATTRIBUTE', `expected one value, found ${found.length}`);
  }
  switch (only.kind) {
    case 'tensor':
      return context.tensor(only.value);
    case 'sparse_tensor':
      return context.dense(only.value);
    case 'float':
      return tensor([only.value], [], 'float32');
    case 'floats':
      return tensor(only.value, [only.value.length], 'float32');
    case 'int':
      return tensor([only.value], [], 'int64');
    case 'ints':
      return tensor(only.value, [only.value.length], 'int64');
    default:
      return context.fail('ONNX_ATTRIBUTE', `expected numbers, found ${only.kind}`);
  }
}
