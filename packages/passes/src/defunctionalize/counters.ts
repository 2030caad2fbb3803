/** The counters of Defunctionalization. */
export const COUNTERS = [
  'function as data',
  'call through data',
  'copy of a function',
  'kept',
] as const;

export type Counter = (typeof COUNTERS)[number];
