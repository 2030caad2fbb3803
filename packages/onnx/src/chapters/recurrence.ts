/** Recurrent networks. */

import type { NodeAttributes } from '../operator-api/attributes.ts';
import { LSTM, readsRecurrence } from '../shared/recurrence.ts';
import type { Chapter } from '../shared/rows.ts';

/** The rows of this chapter. */
export const recurrenceOperators: Chapter = [
  // `GRU`: gated recurrent unit, with update gate, reset gate and candidate, in this order.
  readsRecurrence({
    opType: 'GRU',
    since: 7,
    kernelSince: 14,
    gates: 3,
    activations: ['Sigmoid', 'Tanh'],
    states: [5],
    apart: resetsAfter,
    step: (
      { attributes, call, formula, f, g, gate, gates, product },
      { row, hidden, weight, bias },
    ) => {
      const isAfter = resetsAfter(attributes);
      const known = product(hidden, isAfter ? weight : gates(weight, 0, 2));
      const fromState = bias === undefined ? known : call('add', [known, bias]);
      const both = (index: number) => call('add', [gate(row, index), gate(fromState, index)]);
      const [update, reset] = [f(both(0)), f(both(1))];
      const seen = isAfter
        ? call('multiply', [reset, gate(fromState, 2)])
        : product(call('multiply', [reset, hidden]), gates(weight, 2, 1));
      const candidate = g(call('add', [gate(row, 2), seen]));
      const fresh = formula('(1 - ?update) * ?candidate', { update, candidate });
      return [formula('?fresh + ?update * ?hidden', { fresh, update, hidden })];
    },
  }),
  // `LSTM`: long short-term memory.
  readsRecurrence({
    ...LSTM,
    opType: 'LSTM',
    since: 7,
    kernelSince: 14,
  }),
  // `RNN`: each state is an activation function of the data and the state before.
  readsRecurrence({
    opType: 'RNN',
    since: 7,
    kernelSince: 14,
    gates: 1,
    activations: ['Tanh'],
    states: [5],
    step: ({ call, f, product }, { row, hidden, weight }) => [
      f(call('add', [row, product(hidden, weight)])),
    ],
  }),
];

/** Whether the reset gate scales the state's part of the candidate, and not the state itself. */
function resetsAfter(attributes: NodeAttributes): boolean {
  return attributes.int('linear_before_reset') !== 0;
}
