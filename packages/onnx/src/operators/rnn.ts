/** `RNN`: each state is an activation function of the data and the state before. */
import { recurrence } from '../families/recurrence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const rnn: OnnxImporter = recurrence({
  opType: 'RNN',
  since: 7,
  kernelSince: 14,
  gates: 1,
  activations: ['Tanh'],
  states: [5],
  step: ({ call, f, product }, { row, hidden, weight }) => [
    f(call('add', [row, product(hidden, weight)])),
  ],
});
