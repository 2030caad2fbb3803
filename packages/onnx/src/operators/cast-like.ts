/** `CastLike`: the data with the element type of another tensor. */
import { converted } from '../families/casting.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const castLike: OnnxImporter = {
  opType: 'CastLike',
  convert: (context) => {
    const dtype = context.dtypeOf(context.input(1));
    return converted(context, context.input(0), dtype);
  },
};
