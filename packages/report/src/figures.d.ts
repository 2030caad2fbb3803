/** Figures in a readable form. */
/** Milliseconds with a precision that fits their size. */
export declare const ms: (value: number) => string;
/** A large number with its decimal prefix. */
export declare function si(value: number): string;
/** An error in scientific notation. */
export declare const scientific: (value: number) => string;
//# sourceMappingURL=figures.d.ts.map
