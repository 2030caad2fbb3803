/** The parser of Relay text. */
import type { LRParser } from '@lezer/lr';
import { guarded } from './guard.ts';
import { parser as generated } from './parser.ts';

/**
 * The parser of Relay text for Lezer, with its highlighting. A text with errors has error nodes; a
 * text whose brackets nest too deep for CodeMirror has no nodes.
 */
export const parser: LRParser = generated.configure({ wrap: guarded(generated.topNode) });
