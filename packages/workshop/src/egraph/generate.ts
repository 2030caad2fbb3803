/** Random terms and rules, the same for the same seed. */
import { mulberry32, type Random } from '@baton/base';
import type { NaiveRule, Tree } from './naive.ts';

export interface FuzzCase {
  readonly terms: ReadonlyArray<Tree>;
  readonly rules: ReadonlyArray<NaiveRule>;
  readonly rounds: number;
}

const OPERATORS: ReadonlyArray<readonly [name: string, arity: number]> = [
  ['f', 1],
  ['g', 2],
  ['h', 2],
  ['k', 3],
  ['w', 4],
];
const LEAVES = ['a', 'b', 'c', 'd'];
const VARIABLES = ['?x', '?y', '?z'];

/** The case of a seed. `guards` lets some rules depend on analysis data. */
export function generateCase(seed: number, guards: boolean): FuzzCase {
  const random = mulberry32(seed);
  const terms = times(1 + pick(random, 3), () => operator(random, 3, () => one(random, LEAVES)));
  const rules = times(1 + pick(random, 4), (index) => rule(random, `r${index}`, terms, guards));
  return { terms, rules, rounds: guards ? 12 : 1 + pick(random, 4) };
}

function rule(
  random: Random,
  name: string,
  terms: ReadonlyArray<Tree>,
  guards: boolean,
): NaiveRule {
  const atom = (): Tree => one(random, random() < 0.75 ? VARIABLES : LEAVES);
  // A pattern made from a term of the case matches at once; others match later or never.
  const first = random() < 0.7 ? generalize(random, one(random, terms)) : operator(random, 2, atom);
  const left: (readonly [string, Tree])[] = [['?root', first]];
  if (random() < 0.25) {
    // The second clause is about the class of the first, about a class that it found, or about any.
    const known = variablesOf(left.map(([, pattern]) => pattern));
    const kind = random();
    const about = kind < 0.3 ? '?root' : kind < 0.8 ? (one(random, known) ?? '?other') : '?other';
    left.push([about, operator(random, 1, atom)]);
  }
  const bound = [...new Set([...variablesOf(left.map(([, p]) => p)), ...left.map(([v]) => v)])];
  const result = (): Tree => one(random, random() < 0.8 ? bound : LEAVES);
  // Guarded systems shrink, so that they saturate.
  const size = guards ? pick(random, 2) : pick(random, 3);
  const right: Tree = size === 0 ? result() : operator(random, size, result);
  const guarded = guards && random() < 0.5 ? [one(random, bound)] : [];
  return { name, left, right: [['?root', right]], guarded };
}

/** A part of a term, with some of its parts replaced by variables. */
function generalize(random: Random, term: Tree): Tree {
  if (typeof term === 'string') return [one(random, OPERATORS)[0], [term]];
  const [name, children] = term;
  const inner = children.filter((child) => typeof child !== 'string');
  if (inner.length > 0 && random() < 0.5) return generalize(random, one(random, inner));
  const hole = (child: Tree): Tree => {
    if (random() < 0.6) return one(random, VARIABLES);
    return typeof child === 'string' ? child : [child[0], child[1].map(hole)];
  };
  return [name, children.map(hole)];
}

function tree(random: Random, depth: number, leaf: () => Tree): Tree {
  return depth === 0 || random() < 0.2 ? leaf() : operator(random, depth, leaf);
}

function operator(random: Random, depth: number, leaf: () => Tree): Tree {
  // Small operators are frequent, so that patterns match.
  const [name, arity] = one(random, random() < 0.8 ? OPERATORS.slice(0, 3) : OPERATORS);
  return [name, times(arity, () => tree(random, depth - 1, leaf))];
}

export function variablesOf(trees: ReadonlyArray<Tree>): ReadonlyArray<string> {
  const names = new Set<string>();
  const visit = (t: Tree): void => {
    if (typeof t !== 'string') t[1].forEach(visit);
    else if (t.startsWith('?')) names.add(t);
  };
  trees.forEach(visit);
  return [...names];
}

const pick = (random: Random, count: number): number => Math.floor(random() * count);
const one = <A>(random: Random, items: ReadonlyArray<A>): A =>
  items[pick(random, items.length)] as A;
const times = <A>(count: number, make: (index: number) => A): A[] =>
  Array.from({ length: count }, (_, index) => make(index));
