/** `RNN`: each state is an activation function of the data and the state before. */
import { recurrence } from '../families/recurrence.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const rnn: OnnxImporter = recurrence({
  opType: 'RNN',
  versions: [7, 14, 22],
  kernelSince: 14,
  inputs: [3, 6],
  attributes: { layout: 'int' },
  gates: 1,
  activations: ['Tanh'],
  states: [5],
  step: ({ call, f, product }, { row, hidden, weight }) => [
    f(call('add', [row, product(hidden, weight)])),
  ],
});
