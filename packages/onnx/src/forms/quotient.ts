/** Quotients of floats that are rounded to whole numbers. */
import type { CallContext, Operand } from '../operator-api/exporter.ts';

/**
 * The quotient, rounded once. It is computed in float64: a quotient that a narrower type rounds up
 * to a whole number, such as 0.7 / 0.1 in float32, would be too large by 1.
 */
export function roundedQuotient(
  { call, dtype }: CallContext,
  round: 'trunc' | 'floor',
  a: Operand,
  b: Operand,
): Operand {
  const own = dtype(a);
  if (own === 'float64') return call(round, [call('divide', [a, b])]);
  const [x, y] = [a, b].map((t) => call('cast', [t], { dtype: 'float64' })) as [Operand, Operand];
  return call('cast', [call(round, [call('divide', [x, y])])], { dtype: own });
}
