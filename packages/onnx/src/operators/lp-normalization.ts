/** `LpNormalization`: x divided by its norm along an axis. */
import { inWide } from '../families/wide.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const lpNormalization: OnnxImporter = {
  opType: 'LpNormalization',
  convert: (context) => {
    const x = context.input(0);
    const p = context.attributes.int('p');
    if (p !== 1 && p !== 2) return context.fail('ONNX_ATTRIBUTE', 'expected p of 1 or 2');
    const axis = [context.attributes.int('axis')];
    return inWide(context, x, (data) => {
      const parts = p === 1 ? context.call('abs', [data]) : context.call('multiply', [data, data]);
      const total = context.call('sum', [parts], { axis, keepdims: true });
      const norm = p === 1 ? total : context.call('sqrt', [total]);
      // If the norm is 0 all elements are 0, and stay so.
      const isZero = context.call('equal', [norm, 0]);
      const divisor = context.call('where', [isZero, 1, norm]);
      return context.call('divide', [data, divisor]);
    });
  },
};
