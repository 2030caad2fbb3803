/** Prints tensors for messages. */
import { readBigInt, readNumber } from './access.ts';
import { isBig } from './dtype.ts';
import { printShape, shapeSize } from './shape.ts';
import { isSplat, type Tensor } from './tensor.ts';

const SHOWN = 8;

/** A tensor in one line, for messages: `float32 (2, 3) [1, 2, 3, 4, 5, 6]`, at most 8 elements. */
export function describeTensor(t: Tensor): string {
  const head = `${t.dtype} ${printShape(t.shape)}`;
  const size = shapeSize(t.shape);
  if (size > SHOWN && isSplat(t)) return `${head} [${elementText(t, 0)}, …]`;
  const shown = Array.from({ length: Math.min(size, SHOWN) }, (_, i) => elementText(t, i));
  return `${head} [${[...shown, ...(size > SHOWN ? ['…'] : [])].join(', ')}]`;
}

/** One element as text: `-0` keeps its sign. */
export function elementText(t: Tensor, linearIndex: number): string {
  if (isBig(t.dtype)) return String(readBigInt(t, linearIndex));
  const value = readNumber(t, linearIndex);
  if (t.dtype === 'bool') return value === 0 ? 'false' : 'true';
  return Object.is(value, -0) ? '-0' : String(value);
}
