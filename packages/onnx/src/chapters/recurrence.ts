/** Recurrent networks: a state that passes from one time step to the next, in one direction or in both. */

import type { Expr } from '@baton/ir';
import type { NodeAttributes } from '../operator-api/attributes.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { type Activation, activations } from '../shared/activations.ts';
import { type Chapter, reads } from '../shared/rows.ts';
import { expandDims, reshape, slice, stack, take, transpose } from '../shared/words.ts';

/** The rows of this chapter. */
export const recurrenceOperators: Chapter = [
  reads('GRU', (context) => recurrent(context, GRU), { since: 7, kernelSince: 14 }),
  reads('LSTM', (context) => recurrent(context, LSTM), { since: 7, kernelSince: 14 }),
  reads('RNN', (context) => recurrent(context, RNN), { since: 7, kernelSince: 14 }),
];

/** A gated recurrent unit, with update gate, reset gate and candidate, in this order. */
const GRU: RecurrenceParts = {
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
};

/** Each state is an activation function of the data and the state before. */
const RNN: RecurrenceParts = {
  gates: 1,
  activations: ['Tanh'],
  states: [5],
  step: ({ call, f, product }, { row, hidden, weight }) => [
    f(call('add', [row, product(hidden, weight)])),
  ],
};

/** Whether the reset gate scales the state's part of the candidate, and not the state itself. */
function resetsAfter(attributes: NodeAttributes): boolean {
  return attributes.int('linear_before_reset') !== 0;
}

/** The particulars of a recurrent operator. */
interface RecurrenceParts {
  /** The number of gates, whose weights stand one below another. */
  readonly gates: number;
  /** The activation functions of one direction. */
  readonly activations: ReadonlyArray<string>;
  /** The places of the inputs with the first states; the first one is the result of a step. */
  readonly states: ReadonlyArray<number>;
  /** The place of the weights from the states, if there are some. */
  readonly peepholes?: number;
  /** What the factors of the products are, if not the inputs themselves. */
  readonly factors?: Factors;
  /** Whether the bias of a gate from the state is added apart from its bias from the data. */
  readonly apart?: (attributes: NodeAttributes) => boolean;
  /** The state after a step. */
  readonly step: (tools: StepTools, given: StepInputs) => ReadonlyArray<Expr>;
}

/** The factors of the products of a recurrent operator. */
export interface Factors {
  /** The weights in the input at `place`: for each direction, one row for each result. */
  readonly weights: (context: NodeContext, place: number) => Expr;
  /** What a product has for the data or the state. */
  readonly rounded: (context: NodeContext, x: Expr) => Expr;
}

const PLAIN: Factors = { weights: (context, place) => context.input(place), rounded: (_, x) => x };

/** What the steps of one direction have in common. */
interface StepTools {
  readonly attributes: NodeContext['attributes'];
  readonly call: NodeContext['call'];
  readonly formula: NodeContext['formula'];
  /** The activation functions of gates; the attribute `clip` limits what they are given. */
  readonly f: Activation;
  readonly g: Activation;
  /** The activation function of the memory. */
  readonly h: Activation;
  /** The part of a gate in a row of all gates. */
  readonly gate: (row: Expr, index: number) => Expr;
  /** The weights of some gates, from one on. */
  readonly gates: (weight: Expr, index: number, count: number) => Expr;
  /** The product of a state and weights. */
  readonly product: (state: Expr, weight: Expr) => Expr;
}

/** The values of one step, with the batch along the first axis. */
interface StepInputs {
  /** The data's part of all gates, with both biases unless they are added apart. */
  readonly row: Expr;
  /** The result of the step before. */
  readonly hidden: Expr;
  /** The second part of the state, if there is one. */
  readonly memory: Expr;
  /** The weights from the state. */
  readonly weight: Expr;
  /** The bias from the state, if it is added apart. */
  readonly bias: Expr | undefined;
  readonly peepholes: Expr | undefined;
}

const DIRECTIONS: Readonly<Record<string, ReadonlyArray<'forward' | 'reverse'>>> = {
  forward: ['forward'],
  reverse: ['reverse'],
  bidirectional: ['forward', 'reverse'],
};

/** A recurrent operator: results of all steps, and the last state, with an axis for directions. */
export function recurrent(context: NodeContext, parts: RecurrenceParts): Converted {
  const { attributes } = context;
  for (const place of [0, 1, 2, ...parts.states]) hasRank(context, place, 3);
  if (context.hasFailed()) return undefined;
  const name = attributes.string('direction', 'forward');
  const directions = Object.hasOwn(DIRECTIONS, name) ? DIRECTIONS[name] : undefined;
  if (directions === undefined) {
    return context.fail('ONNX_ATTRIBUTE', `the direction ${name} is not imported`);
  }
  const functions = activations(context, parts.activations, directions.length);
  const isBatchFirst = attributes.int('layout', 0) !== 0;
  const turned = (x: Expr, axes: ReadonlyArray<number>): Expr =>
    isBatchFirst ? transpose(context, x, axes) : x;
  const x = turned(context.input(0), [1, 0, 2]);
  const { weights, rounded } = parts.factors ?? PLAIN;
  const [ofData, ofState] = [weights(context, 1), weights(context, 2)];
  const hidden = context.dimsOf(ofState)[2];
  const data = rounded(context, x);
  for (const place of parts.states) sameBatch(context, place, isBatchFirst ? 0 : 1);
  if (functions === undefined || context.hasFailed()) return undefined;
  if (typeof hidden !== 'number') return context.unknown('expected a known size of the state');
  const each = parts.activations.length;
  const runs = directions.map((direction, index) =>
    oneDirection(context, parts, {
      x: data,
      weights: [partOf(context, ofData, index), partOf(context, ofState, index)],
      index,
      hidden,
      isReverse: direction === 'reverse',
      functions: functions.slice(index * each, (index + 1) * each),
      start: parts.states.map((place) => {
        const given = context.optional(place);
        const all = given && turned(given, [1, 0, 2]);
        return all && partOf(context, all, index);
      }),
    }),
  );
  const joined = (result: number, axis: number): Expr =>
    stack(
      context,
      runs.flatMap((run) => run[result] ?? []),
      axis,
    );
  const all = turned(joined(0, 1), [2, 0, 1, 3]);
  return [all, ...parts.states.map((_, i) => turned(joined(i + 1, 0), [1, 0, 2]))];
}

/** Fails if an input has another rank. */
function hasRank(context: NodeContext, place: number, rank: number): void {
  const given = context.optional(place);
  const found = given === undefined ? rank : context.dimsOf(given).length;
  if (found !== rank) {
    context.fail('ONNX_RANK', `expected input ${place} of rank ${rank}, found rank ${found}`);
  }
}

/** States that a first state is for the batch of the data. */
function sameBatch(context: NodeContext, place: number, axis: number): void {
  const given = context.optional(place);
  const [own, other] = [context.input(0), given].map((x) => x && context.dimsOf(x)[axis]);
  if (own !== undefined && other !== undefined) context.sameSize(own, other);
}

/** The values of one direction. */
interface Direction {
  readonly x: Expr;
  /** The weights of the data and of the state. */
  readonly weights: readonly [Expr, Expr];
  readonly index: number;
  readonly hidden: number;
  readonly isReverse: boolean;
  readonly functions: ReadonlyArray<Activation>;
  readonly start: ReadonlyArray<Expr | undefined>;
}

/** The results of all steps, and the last state. */
function oneDirection(
  context: NodeContext,
  parts: RecurrenceParts,
  direction: Direction,
): ReadonlyArray<Expr> {
  const { call, formula } = context;
  const { isReverse } = direction;
  const lengths = context.optional(4);
  const turned = (x: Expr): Expr => (isReverse ? reversed(context, x, lengths) : x);
  const weights = weightsOf(context, parts, direction);
  const product = call('nn.matmul', [turned(direction.x), weights.data], { transpose_b: true });
  const rows = weights.bias === undefined ? product : call('add', [product, weights.bias]);
  const tools = stepTools(context, parts, direction);
  const first = context.scalar(0, 'int32');
  const blank = call('zeros_like', [tools.gate(rows, 0)]);
  const zero = formula('zeros_like(take(?blank, ?first, axis=0))', { blank, first });
  const [, results, ...state] = context.loop({
    fixed: [rows, stepCount(context, rows), weights.state, weights.stateBias, weights.peepholes],
    start: [first, blank, ...direction.start.map((given) => given ?? zero)],
    goesOn: ([, count], [time]) => call('less', [time, count]),
    next: ([all, , weight, bias, peepholes], [time, before, ...old]) => {
      const row = take(context, all, time, 0);
      const [hidden = zero, memory = zero] = old;
      const made = parts.step(tools, { row, hidden, memory, weight, bias, peepholes });
      const open = lengths && formula('expand_dims(?time < ?lengths, axis=1)', { time, lengths });
      const unlessOver = (value: Expr, otherwise: Expr | number): Expr =>
        open === undefined ? value : call('where', [open, value, otherwise]);
      const place = reshape(context, time, [1, 1]);
      const shown = unlessOver(made[0] ?? zero, 0);
      const update = expandDims(context, shown, 0);
      const stored = call('scatter_nd', [before, place, update]);
      const kept = made.map((value, i) => unlessOver(value, old[i] ?? value));
      return [call('add', [time, 1]), stored, ...kept];
    },
  });
  return [turned(results), ...state];
}

/** The entries of one direction. */
const partOf = (context: NodeContext, all: Expr, index: number): Expr =>
  take(context, all, context.scalar(index, 'int32'), 0);

/** Some columns: a part of the last axis. */
const columns = (context: NodeContext, x: Expr, from: number, count: number): Expr =>
  slice(context, x, context.dimsOf(x).length - 1, from, from + count);

/** The steps in the other order: those of each sequence, if their lengths differ. */
const reversed = (context: NodeContext, x: Expr, lengths: Expr | undefined): Expr =>
  lengths === undefined
    ? context.call('reverse', [x], { axis: 0 })
    : context.call('reverse_sequence', [x, lengths], { seq_axis: 0, batch_axis: 1 });

interface Weights {
  readonly data: Expr;
  readonly state: Expr;
  /** What is added to the data's part, for all steps at once. */
  readonly bias: Expr | undefined;
  readonly stateBias: Expr | undefined;
  readonly peepholes: Expr | undefined;
}

/** The weights of one direction. */
function weightsOf(
  context: NodeContext,
  parts: RecurrenceParts,
  { index, hidden, weights: [data, state] }: Direction,
): Weights {
  const width = parts.gates * hidden;
  const given = context.optional(3);
  const biases = given && partOf(context, given, index);
  const ofData = biases && columns(context, biases, 0, width);
  const ofState = biases && columns(context, biases, width, width);
  const isApart = parts.apart?.(context.attributes) === true;
  const sum = ofData && ofState && context.call('add', [ofData, ofState]);
  const peepholes = parts.peepholes === undefined ? undefined : context.optional(parts.peepholes);
  return {
    data,
    state,
    bias: isApart ? ofData : sum,
    stateBias: isApart ? ofState : undefined,
    peepholes: peepholes && partOf(context, peepholes, index),
  };
}

function stepTools(
  context: NodeContext,
  { factors: { rounded } = PLAIN }: RecurrenceParts,
  { functions, hidden }: Direction,
): StepTools {
  const { attributes, call } = context;
  const limit = attributes.float('clip', Number.POSITIVE_INFINITY);
  const limited = (x: Expr): Expr =>
    limit === Number.POSITIVE_INFINITY ? x : call('clip', [x], { a_min: -limit, a_max: limit });
  const [f = limited, g = limited, h = limited] = functions;
  return {
    attributes,
    call,
    formula: context.formula,
    f: (x) => f(limited(x)),
    g: (x) => g(limited(x)),
    h,
    gate: (row, index) => columns(context, row, index * hidden, hidden),
    gates: (weight, index, count) => {
      const [begin, end] = [[index * hidden], [(index + count) * hidden]];
      return call('strided_slice', [weight], { begin, end, axes: [0] });
    },
    product: (state, weight) => call('nn.dense', [rounded(context, state), weight]),
  };
}

/** The number of steps. */
function stepCount(context: NodeContext, rows: Expr): Expr {
  const [count] = context.dimsOf(rows);
  if (typeof count === 'number') return context.scalar(count, 'int32');
  return context.formula('take(shape_of(?rows, dtype="int32"), 0i32, axis=0)', { rows });
}

/** What `LSTM` and its quantized form have in common. */
export const LSTM = {
  gates: 4,
  activations: ['Sigmoid', 'Tanh', 'Tanh'],
  states: [5, 6],
  peepholes: 7,
  step: ({ attributes, call, formula, f, g, h, gate, product }, given) => {
    const { hidden, memory, peepholes } = given;
    const row = call('add', [given.row, product(hidden, given.weight)]);
    /** A gate that also sees the memory, if there are weights for that. */
    const seeing = (index: number, seen: Expr): Expr => {
      const part = gate(row, index);
      if (peepholes === undefined) return f(part);
      return f(formula('?part + ?seen * ?gate', { part, seen, gate: gate(peepholes, index) }));
    };
    const input = seeing(0, memory);
    const isCoupled = attributes.int('input_forget') !== 0;
    const forget = isCoupled ? call('subtract', [1, input]) : seeing(2, memory);
    const learnt = call('multiply', [input, g(gate(row, 3))]);
    const after = call('add', [call('multiply', [forget, memory]), learnt]);
    return [call('multiply', [seeing(1, after), h(after)]), after];
  },
} satisfies RecurrenceParts;
