/** Long short-term memory, with input, output and forget gate and candidate, in this order. */
import type { Expr } from '@baton/ir';
import type { RecurrenceParts } from './recurrence.ts';

/** What `LSTM` and its quantized form have in common. */
export const LSTM = {
  gates: 4,
  activations: ['Sigmoid', 'Tanh', 'Tanh'],
  states: [5, 6],
  peepholes: 7,
  step: ({ attributes, call, f, g, h, gate, product }, given) => {
    const { hidden, memory, peepholes } = given;
    const row = call('add', [given.row, product(hidden, given.weight)]);
    /** A gate that also sees the memory, if there are weights for that. */
    const seeing = (index: number, seen: Expr): Expr => {
      const part = gate(row, index);
      if (peepholes === undefined) return f(part);
      return f(call('add', [part, call('multiply', [seen, gate(peepholes, index)])]));
    };
    const input = seeing(0, memory);
    const isCoupled = attributes.int('input_forget') !== 0;
    const forget = isCoupled ? call('subtract', [1, input]) : seeing(2, memory);
    const learnt = call('multiply', [input, g(gate(row, 3))]);
    const after = call('add', [call('multiply', [forget, memory]), learnt]);
    return [call('multiply', [seeing(1, after), h(after)]), after];
  },
} satisfies Partial<RecurrenceParts>;
