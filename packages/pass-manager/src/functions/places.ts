/** The functions in which a function uses its parameters. */
import { type Func, nodeScopes } from '@baton/ir';

/**
 * For each parameter, whether all its uses are in one inner function: its replacement would be
 * computed by each call of that function.
 *
 * **Complexity** O(log depth) a use.
 */
export function placesOfParams(f: Func): ReadonlyArray<boolean> {
  const { root, scopeOf } = nodeScopes(f.body, (node) => node._tag === 'Function');
  return f.params.map((param) => (scopeOf(param) ?? root) !== root);
}
