/** A long short-term memory. */
import { builderSpan, invariant } from '@baton/base';
import { constant, type Expr, type IRModule, type OpTable, tupleGetItem } from '@baton/ir';
import { zeros } from '@baton/tensor';
import { dataModule, type Network, network, softmaxHead, UNIT_GAIN } from './network.ts';

/** Sizes of {@link lstm}. */
export interface LstmOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Time steps, for which the network is unrolled. @defaultValue 28 */
  readonly steps?: number;
  /** The size of one time step. @defaultValue 28 */
  readonly inputs?: number;
  /** Units of each layer. @defaultValue 128 */
  readonly hidden?: number;
  /** @defaultValue 1 */
  readonly layers?: number;
  /** @defaultValue 10 */
  readonly classes?: number;
  /** @defaultValue `lstm` */
  readonly seed?: string;
}

/** Input, forget and output gate, and the candidate. */
const GATES = 4;

/**
 * A long short-term memory with seeded weights, unrolled over its time steps, which share their
 * weights. The state begins at zero; the last step's hidden state is classified, with softmax at
 * the end.
 *
 * **Shapes** `data: [batch, steps, inputs]` to `[batch, classes]`.
 * **Errors** throws an InvariantError for zero time steps: a bug of the caller.
 * **Source** Hochreiter and Schmidhuber, Long Short-Term Memory, 1997, with the forget gate of Gers
 * et al., Learning to Forget, 2000; the sizes read handwritten digits row by row.
 */
export function lstm(options: LstmOptions): IRModule {
  const { ops, batch = 1, steps = 28, inputs = 28, hidden = 128 } = options;
  const { layers = 1, classes = 10 } = options;
  const net = network(ops, options.seed ?? 'lstm');
  return dataModule(ops, [batch, steps, inputs], (data) => {
    let sequence = timeSteps(net, data, steps);
    let width = inputs;
    for (let layer = 1; layer <= layers; layer++) {
      sequence = lstmLayer(net, `layer${layer}`, sequence, { batch, inputs: width, hidden });
      width = hidden;
    }
    const last = sequence.at(-1);
    invariant(last !== undefined, 'an LSTM has at least one time step');
    return softmaxHead(net, last, width, classes);
  });
}

/** The data of each time step: `[batch, inputs]`. */
function timeSteps(net: Network, data: Expr, steps: number): ReadonlyArray<Expr> {
  const parts = net.op('steps', 'split', [data], { indices_or_sections: steps, axis: 1 });
  return Array.from({ length: steps }, (_, step) => {
    const part = tupleGetItem(parts, step, builderSpan(`steps.${step}`));
    return net.op(`steps.${step}`, 'squeeze', [part], { axis: [1] });
  });
}

interface LayerOptions {
  readonly batch: number;
  readonly inputs: number;
  readonly hidden: number;
}

/** The hidden state after each time step. */
function lstmLayer(
  net: Network,
  name: string,
  sequence: ReadonlyArray<Expr>,
  { batch, inputs, hidden }: LayerOptions,
): ReadonlyArray<Expr> {
  const weight = (part: string, from: number): Expr =>
    net.weight(`${name}.${part}`, [GATES * hidden, from], UNIT_GAIN / Math.sqrt(from));
  const weights = { input: weight('input', inputs), state: weight('state', hidden) };
  const bias = net.bias(`${name}.gates`, GATES * hidden);
  const zero = constant(zeros([batch, hidden], 'float32'), builderSpan(`${name}.start`));
  let state: State = { hidden: zero, cell: zero };
  return sequence.map((x, step) => {
    state = lstmStep(net, `${name}.${step}`, x, state, { ...weights, bias });
    return state.hidden;
  });
}

/** The state that a layer passes from one time step to the next: `[batch, hidden]` each. */
interface State {
  readonly hidden: Expr;
  readonly cell: Expr;
}

interface LayerWeights {
  readonly input: Expr;
  readonly state: Expr;
  readonly bias: Expr;
}

function lstmStep(net: Network, name: string, x: Expr, state: State, weights: LayerWeights): State {
  const call = (part: string, op: string, args: ReadonlyArray<Expr>): Expr =>
    net.op(`${name}.${part}`, op, args);
  const sum = call('sum', 'add', [
    call('input', 'nn.dense', [x, weights.input]),
    call('state', 'nn.dense', [state.hidden, weights.state]),
  ]);
  const gates = net.op(
    `${name}.gates`,
    'split',
    [call('bias', 'nn.bias_add', [sum, weights.bias])],
    { indices_or_sections: GATES, axis: 1 },
  );
  const gate = (part: string, index: number, activation: string): Expr =>
    call(part, activation, [tupleGetItem(gates, index, builderSpan(`${name}.${part}`))]);
  const input = gate('inputGate', 0, 'sigmoid');
  const forget = gate('forgetGate', 1, 'sigmoid');
  const candidate = gate('candidate', 2, 'tanh');
  const output = gate('outputGate', 3, 'sigmoid');
  const cell = call('cell', 'add', [
    call('forget', 'multiply', [forget, state.cell]),
    call('learn', 'multiply', [input, candidate]),
  ]);
  const hidden = call('hidden', 'multiply', [output, call('squash', 'tanh', [cell])]);
  return { hidden, cell };
}
