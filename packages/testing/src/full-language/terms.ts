/** Expressions of a type, by introduction or elimination; new nodes are used once. */
import type { Expr, Type } from '@baton/ir';
import { ELIMINATIONS } from './eliminate.ts';
import { introduced } from './introduce.ts';
import { type Env, type TermSite, variableOf } from './site.ts';

export function termSite(parts: Omit<TermSite, 'term'>): TermSite {
  const site: TermSite = { ...parts, term: (type, env, fuel) => termOf(site, type, env, fuel) };
  return site;
}

function termOf(site: TermSite, type: Type, env: Env, fuel: number): Expr {
  const { random } = site.b;
  if (fuel > 0 && random.chance(0.65)) {
    const eliminated = random.weighted(ELIMINATIONS)(site, type, env, fuel - 1);
    if (eliminated !== undefined) return eliminated;
  }
  const used = random.chance(fuel > 0 ? 0.3 : 0.75) ? variableOf(site, type, env) : undefined;
  return used ?? introduced(site, type, env, fuel);
}
