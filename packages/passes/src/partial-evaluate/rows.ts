/** The rows of the case table of PartialEvaluate. */
export const ROWS = [
  'operator call',
  'projection',
  'function call',
  'if',
  'match',
  'read',
  'kept: alternatives',
  'kept: no progress',
  'kept: size',
  'kept: shared',
] as const;

export type Row = (typeof ROWS)[number];
