/** The values of a node's attributes, by kind. */
import type { AttributeValue } from '../protobuf/messages.ts';

export const int = (value: number | boolean): AttributeValue => ({
  kind: 'int',
  value: Number(value),
});
export const float = (value: number): AttributeValue => ({ kind: 'float', value });
export const text = (value: string): AttributeValue => ({ kind: 'string', value });
export const ints = (value: ReadonlyArray<number>): AttributeValue => ({ kind: 'ints', value });
