/**
 * The origins of a node: its name, if it is one node of the original, else its documentation:
 * `from model.onnx: Conv conv1, Relu relu1`. A file is named once, without its folder.
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
  const listed = places
    .slice(0, MAX_PLACES)
    .map((place, i) => placeText(place, places[i - 1]))
    .join(BETWEEN);
  const more = places.length - MAX_PLACES;
  return `${START}${listed}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A place, with the name of its file unless the place before it is in the same one. */
function placeText(place: Span, before: Span | undefined): string {
  if (place._tag !== 'NodeSpan') return printSpan(place);
  const node = `${place.op} ${place.name}`;
  const isSame = before?._tag === 'NodeSpan' && before.source === place.source;
  return isSame ? node : `${fileIn(place.source)}${OF_FILE}${node}`;
}

const OF_FILE = ': ';

/** The last part of a path. */
const fileIn = (path: string): string => path.replace(/^.*[\\/]/, '');

/** Whether a place is a node that its file does not name, or a constant. */
const isWithoutName = (place: Span): boolean =>
  place._tag === 'NodeSpan' && (isNumbered(place.name) || place.op === 'Initializer');

/** Whether a node has no name in its file: its place stands for one. */
export const isNumbered = (name: string): boolean => /^#\d+$/.test(name);

/** The origins of an exported node, each with its file. */
export function originsIn({ docString = '', opType, name }: NodeProto): ReadonlyArray<string> {
  if (!docString.startsWith(START)) return name === '' ? [] : [`${opType} ${name}`];
  let file = '';
  return docString
    .slice(START.length)
    .split(BETWEEN)
    .map((place) => {
      const end = place.indexOf(OF_FILE);
      if (end < 0) return file + place;
      file = place.slice(0, end + OF_FILE.length);
      return place;
    });
}
