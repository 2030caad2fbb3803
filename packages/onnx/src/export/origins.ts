/** The origins of a node as its documentation: `from model.onnx: Conv conv1`. */
import { printSpan, type Span } from '@baton/base';

/** At most this many places of origin stand in a file, for each node. */
const MAX_PLACES = 16;

const START = 'from ';
const BETWEEN = ', ';

/** The places as text; nothing without places. */
export function originText(places: ReadonlyArray<Span>): string {
  if (places.length === 0) return '';
  const listed = places.slice(0, MAX_PLACES).map(printSpan).join(BETWEEN);
  const more = places.length - MAX_PLACES;
  return `${START}${listed}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The places in the documentation of an exported node. */
export const originsIn = (docString: string): ReadonlyArray<string> =>
  docString.startsWith(START) ? docString.slice(START.length).split(BETWEEN) : [];
