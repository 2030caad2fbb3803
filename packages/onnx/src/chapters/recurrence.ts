/** Recurrent networks: a state that passes from one time step to the next, in one direction or in both. */

import type { Expr } from '@baton/ir';
import type { NodeAttributes } from '../operator-api/attributes.ts';
import type { Converted, NodeContext } from '../operator-api/importer.ts';
import { type Activation, activations } from '../shared/activations.ts';
import { type Chapter, reads } from '../shared/rows.ts';
import { plus, slice, stack, take, transpose } from '../shared/words.ts';

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
    { attributes, context, formula, f, g, gate, gates, product },
    { row, hidden, weight, bias },
  ) => {
    const isAfter = resetsAfter(attributes);
    const fromState = plus(context, product(hidden, isAfter ? weight : gates(weight, 0, 2)), bias);
    const both = (index: number) => plus(context, gate(row, index), gate(fromState, index));
    const [update, reset] = [f(both(0)), f(both(1))];
    const seen = isAfter
      ? formula('?reset * ?known', { reset, known: gate(fromState, 2) })
      : product(formula('?reset * ?hidden', { reset, hidden }), gates(weight, 2, 1));
    const candidate = g(plus(context, gate(row, 2), seen));
    const text = '(1 - ?update) * ?candidate + ?update * ?hidden';
    return [formula(text, { update, candidate, hidden })];
  },
};

const RNN: RecurrenceParts = {
  gates: 1,
  activations: ['Tanh'],
  states: [5],
  step: ({ context, f, product }, { row, hidden, weight }) => [
    f(plus(context, row, product(hidden, weight))),
  ],
};

/** Whether the reset gate scales the state's part of the candidate, and not the state itself. */
function resetsAfter(attributes: NodeAttributes): boolean {
  return attributes.int('linear_before_reset') !== 0;
}

interface RecurrenceParts {
  /** The number of gates, whose weights stand one below another. */
  readonly gates: number;
  readonly activations: ReadonlyArray<string>;
  /** The places of the inputs with the first states; the first one is the result of a step. */
  readonly states: ReadonlyArray<number>;
  readonly peepholes?: number;
  /** What the factors of the products are, if not the inputs themselves. */
  readonly factors?: Factors;
  /** Whether the bias of a gate from the state is added apart from its bias from the data. */
  readonly apart?: (attributes: NodeAttributes) => boolean;
  readonly step: (tools: StepTools, given: StepInputs) => ReadonlyArray<Expr>;
}

export interface Factors {
  /** The weights in the input at `place`: for each direction, one row for each result. */
  readonly weights: (context: NodeContext, place: number) => Expr;
  /** What a product has for the data or the state. */
  readonly rounded: (context: NodeContext, x: Expr) => Expr;
}

const PLAIN: Factors = { weights: (context, place) => context.input(place), rounded: (_, x) => x };

interface StepTools {
  readonly attributes: NodeContext['attributes'];
  readonly context: NodeContext;
  readonly formula: NodeContext['formula'];
  /** The activation functions of gates; the attribute `clip` limits what they are given. */
  readonly f: Activation;
  readonly g: Activation;
  readonly h: Activation;
  readonly gate: (row: Expr, index: number) => Expr;
  /** The weights of some gates, from one on. */
  readonly gates: (weight: Expr, index: number, count: number) => Expr;
  readonly product: (state: Expr, weight: Expr) => Expr;
}

interface StepInputs {
  /** The data's part of all gates, with both biases unless they are added apart. */
  readonly row: Expr;
  readonly hidden: Expr;
  readonly memory: Expr;
  readonly weight: Expr;
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
  for (const place of parts.states) {
    sameSize(context, context.input(0), place, isBatchFirst ? 0 : 1);
    sameSize(context, ofState, place, 2);
  }
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

function hasRank(context: NodeContext, place: number, rank: number): void {
  const given = context.optional(place);
  const found = given === undefined ? rank : context.dimsOf(given).length;
  if (found !== rank) {
    context.fail('ONNX_RANK', `expected input ${place} of rank ${rank}, found rank ${found}`);
  }
}

function sameSize(context: NodeContext, x: Expr, place: number, axis: number): void {
  const given = context.optional(place);
  const [own, other] = [x, given].map((x) => x && context.dimsOf(x)[axis]);
  if (own !== undefined && other !== undefined) context.sameSize(own, other);
}

interface Direction {
  readonly x: Expr;
  readonly weights: readonly [Expr, Expr];
  readonly index: number;
  readonly hidden: number;
  readonly isReverse: boolean;
  readonly functions: ReadonlyArray<Activation>;
  readonly start: ReadonlyArray<Expr | undefined>;
}

function oneDirection(
  context: NodeContext,
  parts: RecurrenceParts,
  direction: Direction,
): ReadonlyArray<Expr> {
  const { formula } = context;
  const { isReverse } = direction;
  const lengths = context.optional(4);
  const turned = (x: Expr): Expr => (isReverse ? reversed(context, x, lengths) : x);
  const weights = weightsOf(context, parts, direction);
  const text = 'nn.matmul(?x, ?data, transpose_b=True)';
  const product = formula(text, { x: turned(direction.x), data: weights.data });
  const rows = plus(context, product, weights.bias);
  const tools = stepTools(context, parts, direction);
  const first = context.scalar(0, 'int32');
  const blank = formula('zeros_like(?row)', { row: tools.gate(rows, 0) });
  const zero = formula('zeros_like(take(?blank, ?first, axis=0))', { blank, first });
  const [, results, ...state] = context.loop({
    fixed: [rows, stepCount(context, rows), weights.state, weights.stateBias, weights.peepholes],
    start: [first, blank, ...direction.start.map((given) => given ?? zero)],
    goesOn: ([, count], [time]) => formula('?time < ?count', { time, count }),
    next: ([all, , weight, bias, peepholes], [time, before, ...old]) => {
      const row = take(context, all, time, 0);
      const [hidden = zero, memory = zero] = old;
      const made = parts.step(tools, { row, hidden, memory, weight, bias, peepholes });
      const open = lengths && formula('expand_dims(?time < ?lengths, axis=1)', { time, lengths });
      const unlessOver = (value: Expr, otherwise: Expr | number): Expr =>
        open ? formula('where(?open, ?value, ?otherwise)', { open, value, otherwise }) : value;
      const store =
        'scatter_nd(?before, reshape(?time, newshape=[1, 1]), expand_dims(?shown, axis=0))';
      const stored = formula(store, { before, time, shown: unlessOver(made[0] ?? zero, 0) });
      const kept = made.map((value, i) => unlessOver(value, old[i] ?? value));
      return [formula('?time + 1', { time }), stored, ...kept];
    },
  });
  return [turned(results), ...state];
}

const partOf = (context: NodeContext, all: Expr, index: number): Expr =>
  take(context, all, context.scalar(index, 'int32'), 0);

const columns = (context: NodeContext, x: Expr, from: number, count: number): Expr =>
  slice(context, x, context.dimsOf(x).length - 1, from, from + count);

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
  const peepholes = parts.peepholes === undefined ? undefined : context.optional(parts.peepholes);
  return {
    data,
    state,
    bias: isApart ? ofData : ofData && plus(context, ofData, ofState),
    stateBias: isApart ? ofState : undefined,
    peepholes: peepholes && partOf(context, peepholes, index),
  };
}

function stepTools(
  context: NodeContext,
  { factors: { rounded } = PLAIN }: RecurrenceParts,
  { functions, hidden }: Direction,
): StepTools {
  const { attributes, formula } = context;
  const high = attributes.float('clip', Number.POSITIVE_INFINITY);
  const limited = (x: Expr): Expr =>
    high === Number.POSITIVE_INFINITY
      ? x
      : formula('clip(?x, a_min=?low, a_max=?high)', { x, low: -high, high });
  const [f = limited, g = limited, h = limited] = functions;
  return {
    attributes,
    context,
    formula,
    f: (x) => f(limited(x)),
    g: (x) => g(limited(x)),
    h,
    gate: (row, index) => columns(context, row, index * hidden, hidden),
    gates: (weight, index, count) =>
      slice(context, weight, 0, index * hidden, (index + count) * hidden),
    product: (state, weight) =>
      formula('nn.dense(?state, ?weight)', { state: rounded(context, state), weight }),
  };
}

function stepCount(context: NodeContext, rows: Expr): Expr {
  const [count] = context.dimsOf(rows);
  if (typeof count === 'number') return context.scalar(count, 'int32');
  return context.formula('take(shape_of(?rows, dtype="int32"), 0i32, axis=0)', { rows });
}

export const LSTM = {
  gates: 4,
  activations: ['Sigmoid', 'Tanh', 'Tanh'],
  states: [5, 6],
  peepholes: 7,
  step: ({ attributes, context, formula, f, g, h, gate, product }, given) => {
    const { hidden, memory, peepholes } = given;
    const row = plus(context, given.row, product(hidden, given.weight));
    /** A gate that also sees the memory, if there are weights for that. */
    const seeing = (index: number, seen: Expr): Expr => {
      const part = gate(row, index);
      if (peepholes === undefined) return f(part);
      return f(formula('?part + ?seen * ?gate', { part, seen, gate: gate(peepholes, index) }));
    };
    const input = seeing(0, memory);
    const isCoupled = attributes.int('input_forget') !== 0;
    const forget = isCoupled ? formula('1 - ?input', { input }) : seeing(2, memory);
    const learnt = formula('?input * ?fresh', { input, fresh: g(gate(row, 3)) });
    const after = formula('?forget * ?memory + ?learnt', { forget, memory, learnt });
    return [formula('?output * ?shown', { output: seeing(1, after), shown: h(after) }), after];
  },
} satisfies RecurrenceParts;
