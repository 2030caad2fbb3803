/** `Cast`. */
import { converted } from '../families/casting.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';
import { elementType, elementTypeName } from '../protobuf/element-type.ts';

export const cast: OnnxImporter = {
  opType: 'Cast',
  since: 6,
  convert: (context) => {
    const to = context.attributes.int('to', 0);
    const element = elementType(to);
    if (element === undefined) {
      const found = elementTypeName(to);
      return context.fail(
        'ONNX_ELEMENT_TYPE',
        `expected a type of numbers or bool, found ${found}`,
      );
    }
    return converted(context, context.input(0), element.dtype);
  },
};
