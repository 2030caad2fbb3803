/** The rows of the case table of ToCPS. */
export const ROWS = ['function', 'call', 'join', 'kept'] as const;

export type Row = (typeof ROWS)[number];
