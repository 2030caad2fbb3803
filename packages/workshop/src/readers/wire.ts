/** Protobuf as a tree of fields, which can be written with lies about its lengths. */
import { joinedBytes } from '@baton/base';
import { varint } from '@baton/testing';
import { type FieldKind, kindOf, type MessageName } from './onnx-fields.ts';

export type Content =
  | { readonly _tag: 'Number'; readonly value: bigint }
  | { readonly _tag: 'Fixed'; readonly bytes: Uint8Array }
  | { readonly _tag: 'Bytes'; readonly bytes: Uint8Array }
  | { readonly _tag: 'Fields'; readonly message: MessageName; readonly fields: Fields };

export interface Field {
  readonly number: number;
  readonly wireType: number;
  readonly content: Content;
  /** The error added to the length that the field states. */
  readonly lie: number;
}

export type Fields = ReadonlyArray<Field>;

/** A field as the file of its message has it. */
export const field = (number: number, wireType: number, content: Content): Field => ({
  number,
  wireType,
  content,
  lie: 0,
});

export function fieldsOf(bytes: Uint8Array, message: MessageName): Fields {
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length) {
    const [tag, start] = varintAt(bytes, at);
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    const kind = kindOf(message, number);
    const [content, end] = contentAt(bytes, start, wireType, kind);
    if (content === undefined || end > bytes.length) break;
    fields.push(field(number, wireType, content));
    at = end;
  }
  return fields;
}

function contentAt(
  bytes: Uint8Array,
  start: number,
  wireType: number,
  kind: FieldKind | undefined,
): readonly [Content | undefined, number] {
  switch (wireType) {
    case 0: {
      const [value, end] = varintAt(bytes, start);
      return [{ _tag: 'Number', value }, end];
    }
    case 1:
      return [{ _tag: 'Fixed', bytes: bytes.subarray(start, start + 8) }, start + 8];
    case 5:
      return [{ _tag: 'Fixed', bytes: bytes.subarray(start, start + 4) }, start + 4];
    case 2: {
      const [length, begin] = varintAt(bytes, start);
      const end = begin + Number(length);
      const body = bytes.subarray(begin, end);
      const isMessage = typeof kind === 'object';
      const content: Content = isMessage
        ? { _tag: 'Fields', message: kind.message, fields: fieldsOf(body, kind.message) }
        : { _tag: 'Bytes', bytes: body };
      return [content, end];
    }
    default:
      return [undefined, start];
  }
}

export function varintAt(bytes: Uint8Array, start: number): readonly [bigint, number] {
  let low = 0;
  let at = start;
  for (let scale = 1; at - start < 4; scale *= 128) {
    const byte = bytes[at++] ?? 0;
    low += (byte & 0x7f) * scale;
    if (byte < 0x80) return [BigInt(low), at];
  }
  let value = BigInt(low);
  for (let shift = 28n; shift < 70n; shift += 7n) {
    const byte = bytes[at++] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return [value, at];
}

export function written(fields: Fields): Uint8Array {
  const pieces: ArrayLike<number>[] = [];
  for (const { number, wireType, content, lie } of fields) {
    pieces.push(varint((BigInt(number) << 3n) | BigInt(wireType)));
    if (content._tag === 'Number') pieces.push(varint(content.value));
    else if (content._tag === 'Fixed') pieces.push(content.bytes);
    else {
      const body = content._tag === 'Bytes' ? content.bytes : written(content.fields);
      pieces.push(varint(BigInt(body.length + lie)), body);
    }
  }
  return joinedBytes(pieces);
}
