/** The attributes of a call's text for TVM, whose defaults or notations differ from Baton's. */
import type { RelayText } from '@baton/text';

type Told = NonNullable<RelayText['told']>;

/** Writes these attributes even if they have their default. */
export const toldAsIs =
  (...names: ReadonlyArray<string>): Told =>
  (attrs) =>
    Object.fromEntries(names.map((name) => [name, attrs[name] ?? null]));

/** A single axis of a reduction is written as a list. */
export const toldAxes: Told = ({ axis }) => (typeof axis === 'number' ? { axis: [axis] } : {});

/** Writes zeros for a missing region of interest: TVM demands one of the image's rank. */
export const toldRegion =
  (rank: number): Told =>
  ({ roi }) => ({ roi: roi ?? Array.from({ length: 2 * rank }, () => 0) });

export const toldPadding: Told = ({ padding }) =>
  Array.isArray(padding) && padding.length === 1
    ? { padding: [...padding, ...padding] }
    : { padding: padding ?? null };
