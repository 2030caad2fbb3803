/** `ScatterElements`: each update combines with the element at its index. */
import { scatterMode } from '../families/scatter.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const scatterElements: OnnxImporter = {
  opType: 'ScatterElements',
  convert: (context) => {
    const reduction = scatterMode(context);
    if (reduction === undefined) return undefined;
    const args = [context.input(0), context.input(1), context.input(2)];
    const axis = context.attributes.int('axis');
    return context.call('scatter_elements', args, { axis, reduction });
  },
};
