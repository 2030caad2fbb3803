/** `EyeLike`: ones on a diagonal of a matrix of known size. */
import type { Expr } from '@baton/ir';
import type { OnnxImporter } from '../operator-api/importer.ts';
import { elementType, elementTypeName } from '../protobuf/element-type.ts';

export const eyeLike: OnnxImporter = {
  opType: 'EyeLike',
  convert: (context) => {
    const shape = context.shapeOf(context.input(0));
    const [rows, columns] = shape ?? [];
    if (rows === undefined || columns === undefined || shape?.length !== 2) {
      return context.unknown('expected a matrix of known size');
    }
    const to = context.attributes.int('dtype', 0);
    const dtype = to === 0 ? context.dtypeOf(context.input(0)) : elementType(to)?.dtype;
    if (dtype === undefined) {
      const found = elementTypeName(to);
      return context.fail(
        'ONNX_ELEMENT_TYPE',
        `expected a type of numbers or bool, found ${found}`,
      );
    }
    const k = context.attributes.int('k');
    const range = (start: number, count: number): Expr =>
      context.call(
        'arange',
        [start, start + count, 1].map((n) => context.scalar(n, 'int64')),
        {
          dtype: 'int64',
        },
      );
    // Element (i, j) is 1 where j = i + k.
    const row = context.call('expand_dims', [range(k, rows)], { axis: 1 });
    return context.call('cast', [context.call('equal', [row, range(0, columns)])], { dtype });
  },
};
