/** The counters of ToCPS. */
export const COUNTERS = ['function', 'call', 'join', 'kept'] as const;

export type Counter = (typeof COUNTERS)[number];
