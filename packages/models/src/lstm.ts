/** A long short-term memory. */
import { invariant } from '@baton/base';
import type { Expr, IRModule, OpTable } from '@baton/ir';
import { zeros } from '@baton/tensor';
import { parts, pick } from './exported.ts';
import { dataModule, type Network, network, softmaxHead, UNIT_GAIN } from './network.ts';

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
 * weights, as PyTorch's exporter writes a cell of two linear layers. The state begins at zero; the
 * last step's hidden state is classified, with softmax at the end.
 *
 * **Shapes** `data: [batch, steps, inputs]` to `[batch, classes]`.
 *
 * **Errors** throws an InvariantError for zero time steps: a bug of the caller.
 *
 * **Source** Hochreiter and Schmidhuber, Long Short-Term Memory, 1997, with the forget gate of Gers
 * et al., Learning to Forget, 2000; the sizes read handwritten digits row by row.
 */
export function lstm(options: LstmOptions): IRModule {
  const { ops, batch = 1, steps = 28, inputs = 28, hidden = 128 } = options;
  const { layers = 1, classes = 10 } = options;
  const net = network(ops, options.seed ?? 'lstm');
  return dataModule(ops, [batch, steps, inputs], (data) => {
    let sequence: ReadonlyArray<Expr> = Array.from({ length: steps }, (_, step) =>
      pick(net, `steps.${step}`, data, step, 1),
    );
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

interface LayerOptions {
  readonly batch: number;
  readonly inputs: number;
  readonly hidden: number;
}

function lstmLayer(
  net: Network,
  name: string,
  sequence: ReadonlyArray<Expr>,
  { batch, inputs, hidden }: LayerOptions,
): ReadonlyArray<Expr> {
  const weight = (part: string, from: number): Expr =>
    net.weight(`${name}.${part}`, [GATES * hidden, from], UNIT_GAIN / Math.sqrt(from));
  const weights = {
    input: weight('input', inputs),
    bias: net.bias(`${name}.input`, GATES * hidden),
    state: weight('state', hidden),
  };
  const zero = net.value(`${name}.start`, zeros([batch, hidden], 'float32'));
  let state: State = { hidden: zero, cell: zero };
  return sequence.map((x, step) => {
    state = lstmStep(net, `${name}.${step}`, x, state, weights);
    return state.hidden;
  });
}

/** The state that a layer passes to the next time step: `[batch, hidden]` each. */
interface State {
  readonly hidden: Expr;
  readonly cell: Expr;
}

interface LayerWeights {
  readonly input: Expr;
  readonly bias: Expr;
  readonly state: Expr;
}

type Gates = readonly [Expr, Expr, Expr, Expr];

function lstmStep(net: Network, name: string, x: Expr, state: State, weights: LayerWeights): State {
  const call = (part: string, op: string, args: ReadonlyArray<Expr>): Expr =>
    net.op(`${name}.${part}`, op, args);
  const product = call('input', 'nn.dense', [x, weights.input]);
  const sum = call('sum', 'add', [
    call('input', 'nn.bias_add', [product, weights.bias]),
    call('state', 'nn.dense', [state.hidden, weights.state]),
  ]);
  const [first, second, third, fourth] = parts(net, `${name}.gates`, sum, GATES, 1) as Gates;
  const input = call('inputGate', 'sigmoid', [first]);
  const forget = call('forgetGate', 'sigmoid', [second]);
  const candidate = call('candidate', 'tanh', [third]);
  const output = call('outputGate', 'sigmoid', [fourth]);
  const cell = call('cell', 'add', [
    call('forget', 'multiply', [forget, state.cell]),
    call('learn', 'multiply', [input, candidate]),
  ]);
  const hidden = call('hidden', 'multiply', [output, call('squash', 'tanh', [cell])]);
  return { hidden, cell };
}
