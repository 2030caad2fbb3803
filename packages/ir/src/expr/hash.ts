/** Hashes for the constructors of nodes. */
import { hashText, mixHash } from '@baton/base';
import type { Expr } from './expr.ts';

/** A list of expressions, with its length. */
export function hashExprs(seed: number, exprs: ReadonlyArray<Expr>): number {
  let hash = mixHash(seed, exprs.length);
  for (const expr of exprs) hash = mixHash(hash, expr.hash);
  return hash;
}

/** A name, a number or a flag, which may be left out. */
export function hashLeaf(value: string | number | boolean | undefined): number {
  return typeof value === 'string' ? hashText(value) : Number(value ?? -1);
}
