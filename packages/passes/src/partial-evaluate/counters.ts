/** The counters of PartialEvaluate. */
export const COUNTERS = [
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

export type Counter = (typeof COUNTERS)[number];
