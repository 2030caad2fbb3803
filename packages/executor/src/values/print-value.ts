/** Values as text. */
import { elementText, type Tensor } from '@baton/tensor';
import { Scalar } from './scalar.ts';
import { partsOf, type RefValue, type Value } from './value.ts';

export const SHOWN_CHARACTERS = 60;

const MAX_CHARACTERS = 67_108_864;

/**
 * A value as text: `Cons(1, Nil)`, `(2.5, True)`, `[[1, 2], [3, 4]]`, `ref(0)`, `fn`. Sharing is
 * written out, but a repeated reference is `ref(..)`. Text longer than `limit` characters is cut
 * there and ends in `..`.
 *
 * **Complexity** linear in the text.
 */
export function printValue(root: Value, limit: number = MAX_CHARACTERS): string {
  const parts: string[] = [];
  const seen = new Set<RefValue>();
  const pending: Array<Value | string> = [root];
  let length = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const text = typeof next === 'string' ? next : openingText(next, limit - length, seen);
    parts.push(text);
    length += text.length;
    if (length > limit) return `${parts.join('').slice(0, Math.max(0, limit))}..`;
    if (typeof next !== 'string' && !text.endsWith(')')) pushRest(pending, next);
  }
  return parts.join('');
}

/** The text before the parts of a value; all of it, if there are none. */
function openingText(value: Value, limit: number, seen: Set<RefValue>): string {
  switch (value._tag) {
    case 'Tensor':
      return tensorText(value, limit);
    case 'Closure':
      return 'fn';
    case 'Tuple':
      return value.fields.length === 0 ? '()' : '(';
    case 'Adt':
      return value.fields.length === 0 ? value.ctor.nameHint : `${value.ctor.nameHint}(`;
    case 'Ref':
      if (seen.has(value)) return 'ref(..)';
      seen.add(value);
      return 'ref(';
  }
}

/** Puts what follows the opening text on the stack, last piece first. */
function pushRest(pending: Array<Value | string>, value: Value): void {
  const parts = partsOf(value);
  if (parts.length === 0) return;
  pending.push(value._tag === 'Tuple' && parts.length === 1 ? ',)' : ')');
  for (let i = parts.length - 1; i >= 0; i--) {
    pending.push(parts[i] as Value);
    if (i > 0) pending.push(', ');
  }
}

function tensorText(t: Tensor, limit: number): string {
  if (t instanceof Scalar) return scalarWord(t);
  let text = '';
  let element = 0;
  /** Brackets open and close where the index along an axis starts and ends. */
  const strides = t.shape.map((_, axis) => t.shape.slice(axis).reduce((a, b) => a * b, 1));
  const size = strides[0] ?? 1;
  if (size === 0) return `a tensor of shape (${t.shape.join(', ')})`;
  for (; element < size; element++) {
    const opened = strides.filter((stride) => element % stride === 0).length;
    text += element === 0 ? '' : ', ';
    text += '['.repeat(opened) + elementWord(t, element);
    text += ']'.repeat(strides.filter((stride) => (element + 1) % stride === 0).length);
    if (text.length > limit) break;
  }
  return text;
}

function scalarWord({ dtype, element }: Scalar): string {
  if (dtype === 'bool') return element === 0 ? 'False' : 'True';
  return Object.is(element, -0) ? '-0' : String(element);
}

function elementWord(t: Tensor, index: number): string {
  const text = elementText(t, index);
  if (t.dtype !== 'bool') return text;
  return text === 'true' ? 'True' : 'False';
}
