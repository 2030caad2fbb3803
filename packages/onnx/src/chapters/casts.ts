/** Element types. */

import { dtypeInfo } from '@baton/tensor';
import { int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Written } from '../operator-api/exporter.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { elementNumber, elementType, elementTypeName } from '../protobuf/element-type.ts';
import { resultDType } from '../shared/element-types.ts';
import { converted, namedType } from '../shared/quantization.ts';
import { type Chapter, type Operands, reads, writes } from '../shared/rows.ts';
import { cast } from '../shared/words.ts';

export const castOperators: Chapter = [
  reads('BitCast', 'reinterpret(?x, dtype=?dtype)', {
    let: { dtype: (context) => namedType(context, 'to', context.dtypeOf(context.input(0))) },
  }),
  reads('Cast', readCast, { since: 6 }),
  reads('CastLike', (context) =>
    converted(context, context.input(0), context.dtypeOf(context.input(1))),
  ),
  writes('cast', writeCast),
  writes('cast_like', (context, [x, _like]) => cast(context, x, resultDType(context))),
  writes('reinterpret', writeReinterpret),
];

function readCast(context: NodeContext): Converted {
  const to = context.attributes.int('to', 0);
  const element = elementType(to);
  if (element === undefined) {
    const found = elementTypeName(to);
    return context.fail('ONNX_ELEMENT_TYPE', `expected a type of numbers or bool, found ${found}`);
  }
  return converted(context, context.input(0), element.dtype);
}

function writeCast(context: CallContext, [x]: Operands): Written {
  const to = resultDType(context);
  const attributes = { to: int(elementNumber(to)) };
  if (dtypeInfo(to).kind !== 'small') return context.node('Cast', [x], attributes);
  const mode = to === 'float8_e8m0fnu' ? { round_mode: text('nearest') } : {};
  return context.node('Cast', [x], { ...attributes, saturate: int(0), ...mode });
}

function writeReinterpret(context: CallContext, [x]: Operands): Written {
  if (!context.since(26, 'BitCast')) return undefined;
  return context.node('BitCast', [x], { to: int(elementNumber(resultDType(context))) });
}
