/** The rows of the case table of Defunctionalization. */
export const ROWS = [
  'function as data',
  'call through data',
  'copy of a function',
  'kept',
] as const;

export type Row = (typeof ROWS)[number];
