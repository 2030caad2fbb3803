/** `Constant`: a tensor, which may be sparse, numbers or a number as an attribute. */
import type { Tensor } from '@baton/tensor';
import { tensor } from '@baton/tensor';
import type { NodeContext, OnnxImporter } from '../operator-api/importer.ts';

export const constant: OnnxImporter = {
  opType: 'Constant',
  lacks: ['value_string', 'value_strings'],
  convert: (context) => {
    const value = constantValue(context);
    return value === undefined ? undefined : context.constant(value);
  },
};

function constantValue(context: NodeContext): Tensor | undefined {
  const found = context.attributes.given;
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
