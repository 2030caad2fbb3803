/** Rows to spans and tensors. */
import { isLeft, type SourceText, type Span, textSpan } from '@baton/base';
import {
  broadcastView,
  checkedSize,
  dtypeInfo,
  fromBytes,
  isDType,
  type Tensor,
} from '@baton/tensor';
import { irText } from '../mention.ts';
import { base64Length, fromBase64 } from './base64.ts';
import type { JsonSpan } from './codecs.ts';
import { refuse, rowAt } from './fault.ts';
import type { JsonSource, JsonTensor } from './schema.ts';

/** Spans, in the order of their rows. */
export function decodeSpans(
  rows: ReadonlyArray<JsonSpan>,
  texts: ReadonlyArray<JsonSource>,
): ReadonlyArray<Span> {
  const sources = texts.map(([name, text]) => irText(name, text));
  const spans: Span[] = [];
  for (const [i, row] of rows.entries()) spans.push(spanOf(row, sources, spans, `/spans/${i}`));
  return spans;
}

function spanOf(
  row: JsonSpan,
  sources: ReadonlyArray<SourceText>,
  earlier: ReadonlyArray<Span>,
  path: string,
): Span {
  switch (row.tag) {
    case 'TextSpan': {
      const [line, column, endLine, endColumn] = row.range;
      if (row.range.some((n) => n < 1)) refuse(path, 'lines and columns count from 1');
      return textSpan(
        rowAt(sources, row.source, `${path}/source`),
        line,
        column,
        endLine,
        endColumn,
      );
    }
    case 'NodeSpan':
      return { _tag: row.tag, source: row.source, name: row.name, op: row.op };
    case 'BuilderSpan':
      return { _tag: row.tag, name: row.name };
    case 'MergedSpan':
      return {
        _tag: row.tag,
        parts: row.parts.map((part, i) => rowAt(earlier, part, `${path}/parts/${i}`)),
      };
  }
}

/** Tensors, in the order of their rows. */
export const decodeTensors = (rows: ReadonlyArray<JsonTensor>): ReadonlyArray<Tensor> =>
  rows.map((row, i) => tensorOf(row, `/tensors/${i}`));

function tensorOf({ dtype, shape, data, isFilled }: JsonTensor, path: string): Tensor {
  if (!isDType(dtype)) return refuse(`${path}/dtype`, `\`${dtype.slice(0, 40)}\` is no dtype`);
  const size = checkedSize(shape);
  if (isLeft(size)) return refuse(`${path}/shape`, size.left[0].message);
  const count = isFilled === true ? 1 : size.right;
  const expected = count * dtypeInfo(dtype).bytes;
  if (base64Length(data) !== expected) {
    return refuse(`${path}/data`, `expected the ${expected} bytes of the shape`);
  }
  const bytes = fromBase64(data);
  if (bytes === undefined) return refuse(`${path}/data`, 'it is not base64');
  const made = fromBytes(bytes, isFilled === true ? [] : shape, dtype);
  if (isLeft(made)) return refuse(`${path}/data`, made.left[0].message);
  return isFilled === true ? broadcastView(made.right, shape) : made.right;
}
