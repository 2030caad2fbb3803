/** The values of a node's attributes, by kind. */
import type { AttrValue } from '@baton/ir';
import type { AttributeKind, AttributeValue } from '../protobuf/messages.ts';

export const int = (value: number | boolean): AttributeValue => ({
  kind: 'int',
  value: Number(value),
});
export const float = (value: number): AttributeValue => ({ kind: 'float', value });

/** Whether an attribute, whose floats are float32, holds a number to the precision of data of a type. */
export const holdsFloat = (value: number, dtype: unknown): boolean =>
  dtype !== 'float64' || Math.fround(value) === value;

export const text = (value: string): AttributeValue => ({ kind: 'string', value });
export const ints = (value: ReadonlyArray<number>): AttributeValue => ({ kind: 'ints', value });

/** An attribute of Baton as ONNX's of this kind; `undefined` for none, and for other kinds. */
export function valueOfKind(
  kind: AttributeKind,
  value: AttrValue | undefined,
): AttributeValue | undefined {
  if (value === undefined || value === null) return undefined;
  switch (kind) {
    case 'int':
    case 'float':
      return { kind, value: Number(value) };
    case 'string':
      return { kind, value: String(value) };
    case 'ints':
    case 'floats':
      return Array.isArray(value) ? { kind, value: value.map(Number) } : undefined;
    case 'strings':
      return Array.isArray(value) ? { kind, value: value.map(String) } : undefined;
    default:
      return undefined;
  }
}
