/** The rule sets that Baton ships: those that `@baton/rewrites` exports. */
import * as rewrites from '@baton/rewrites';

/** All shipped sets, in order of their names. */
export function shippedSets(): ReadonlyArray<rewrites.RuleSet> {
  const found = Object.values(rewrites).flatMap((value) => {
    if (typeof value !== 'object' || !('_tag' in value) || value._tag !== 'Right') return [];
    return value.right._tag === 'RuleSet' ? [value.right] : [];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
