/** The time of a variant, as {@link headline} reads it. */
export interface VariantTime {
  readonly name: string;
  readonly label: string;
  readonly sameAs: string | null;
  /** The median of a run; `null` if it was not run. **Units** ms. */
  readonly ms: number | null;
  readonly maxRelError: number | null;
}
/**
 * How much faster the models run at the highest level, by geometric means, and their largest error. None if
 * nothing was run.
 */
export declare function headline(
  models: ReadonlyArray<{
    readonly variants: ReadonlyArray<VariantTime>;
  }>,
): string | undefined;
//# sourceMappingURL=headline.d.ts.map
