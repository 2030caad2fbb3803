/**
 * The origins of a node: its name, if it is one node of the original, else its documentation:
 * `from model.onnx: Conv conv1, model.onnx: Relu relu1`.
 */
import { printSpan, type Span } from '@baton/base';
import type { NodeProto } from '../protobuf/messages.ts';

/** At most this many places of origin stand in a file, for each node. */
const MAX_PLACES = 8;

const START = 'from ';
const BETWEEN = ', ';

/** The places as text; nothing if the name of the node says it. */
export function originText(all: ReadonlyArray<Span>, name: string): string {
  const places = all.filter((place) => !isWithoutName(place));
  const [only, ...others] = places;
  const isNamed = others.length === 0 && only?._tag === 'NodeSpan' && only.name === name;
  if (only === undefined || isNamed) return '';
  const listed = places.slice(0, MAX_PLACES).map(printSpan).join(BETWEEN);
  const more = places.length - MAX_PLACES;
  return `${START}${listed}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Whether a place is a node that its file does not name, or a constant. */
const isWithoutName = (place: Span): boolean =>
  place._tag === 'NodeSpan' && (isNumbered(place.name) || place.op === 'Initializer');

/** Whether a node has no name in its file: its place stands for one. */
export const isNumbered = (name: string): boolean => /^#\d+$/.test(name);

/** The origins of an exported node. */
export function originsIn({ docString = '', opType, name }: NodeProto): ReadonlyArray<string> {
  if (docString.startsWith(START)) return docString.slice(START.length).split(BETWEEN);
  return name === '' ? [] : [`${opType} ${name}`];
}
