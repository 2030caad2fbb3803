/** Initial states of recurrences: an absent one is all zeros, of the sizes of the input. */
import { toNumbers } from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import type { Step, Surroundings } from './steps.ts';

/** The inputs of a recurrence that are initial states. */
const STATES: Readonly<Record<string, ReadonlyArray<number>>> = {
  RNN: [5],
  GRU: [5],
  LSTM: [5, 6],
  DynamicQuantizeLSTM: [5, 6],
};

/** Operators whose results have no other elements than their first input. */
const MOVING: ReadonlySet<string> = new Set([
  ...['Expand', 'Identity', 'Reshape', 'Slice', 'Squeeze', 'Tile', 'Transpose', 'Unsqueeze'],
]);

export const states: Step = (node, { maker }) => {
  const places = STATES[node.opType];
  if (places === undefined || !places.some((place) => node.inputs[place] !== undefined)) {
    return undefined;
  }
  const isDropped = (place: number): boolean =>
    places.includes(place) && isZero(node.inputs[place], maker);
  const inputs = node.inputs.map((input, place) => (isDropped(place) ? undefined : input));
  return inputs.every((input, place) => input === node.inputs[place])
    ? undefined
    : [{ ...node, inputs }];
};

function isZero(operand: Operand | undefined, maker: Surroundings['maker']): boolean {
  let at = operand;
  for (let by = maker(at); by !== undefined && MOVING.has(by.opType); by = maker(at)) {
    [at] = by.inputs;
  }
  // A negative zero is another number.
  return at?.constant !== undefined && toNumbers(at.constant).every((one) => Object.is(one, 0));
}
