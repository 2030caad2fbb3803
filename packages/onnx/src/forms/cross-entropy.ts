/** Cross entropies. */
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';

/** The mean over the batch of the negative products of logarithms and targets. */
export function crossEntropyOf(context: CallContext, logs: Operand, targets: Operand): Written {
  const { call } = context;
  const sum = call('sum', [call('multiply', [logs, targets])]);
  const [batch] = context.dims(logs);
  return typeof batch === 'number'
    ? call('divide', [call('negative', [sum]), batch])
    : context.unknown('expected a batch of known size');
}
