/**
 * Imports that begin again. Some facts about a model show only in the middle of it: that two names of
 * dimensions are for equal sizes, and that one branch of an `If`, or one reading of a node, cannot run
 * because later nodes do not take its result. The import then starts from the beginning with the fact as an assumption.
 */
import { type Diagnostic, isLeft, type Result } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { equalDimensions } from '../diagnostics.ts';
import type { EqualNames } from './dimensions.ts';
import type { BranchName, Choices, Equality, OpenChoice } from './state.ts';

/** The facts with which an import starts. */
export interface Assumed {
  readonly equal: EqualNames;
  /** Sizes that names must have. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The branches of the choices that later nodes decide, in the order of import. */
  readonly branches: ReadonlyArray<BranchName>;
}

/** The outcome of an import, and the facts that it found. */
export interface Attempt {
  readonly module: Result<IRModule>;
  readonly equalities: ReadonlyArray<Equality>;
  /** The first choice that no assumption says. */
  readonly open: OpenChoice | undefined;
  readonly warnings: ReadonlyArray<Diagnostic>;
}

/** An import with assumptions. */
type Run = (assumed: Assumed) => Attempt;

/** An import that ended, its assumptions, and the warnings about them. */
interface Ended extends Attempt {
  readonly assumed: Assumed;
  readonly about: ReadonlyArray<Diagnostic>;
}

/** The most imports of one file. */
const MAX_ATTEMPTS = 24;

/** The module of the import under those assumptions that hold in every run. `order` has the names of dimensions. */
export function decided(
  order: ReadonlyArray<string>,
  onWarning: (warning: Diagnostic) => void,
  run: Run,
): Result<IRModule> {
  let left = MAX_ATTEMPTS;
  const once: Run = (assumed) => {
    left--;
    return run(assumed);
  };
  let ended = withEqualNames(order, once, { equal: new Map(), sizes: new Map(), branches: [] }, []);
  // A branch whose rest fails in every run is left out; the other one is taken.
  while (isLeft(ended.module) && ended.open !== undefined && left > 0) {
    const { open, assumed, about } = ended;
    const [first, second] = BRANCHES.map((branch) => {
      const branches = [...assumed.branches, branch];
      return withEqualNames(order, once, { ...assumed, branches }, about);
    });
    const next = first && second && taken(open, first, second);
    if (next === undefined) break;
    ended = next;
  }
  const { module, about, warnings } = ended;
  if (!isLeft(module)) [...about, ...warnings].forEach(onWarning);
  return module;
}

const BRANCHES = ['then_branch', 'else_branch'] as const;

/** The import with the branch that runs can take, if there is just one. */
function taken(open: OpenChoice, first: Ended, second: Ended): Ended | undefined {
  const sides = [
    ['then_branch', first, second],
    ['else_branch', second, first],
  ] as const;
  for (const [name, side, other] of sides) {
    const [reason] = problemsOf(side);
    if (reason === undefined || !contradicts(problemsOf(side))) continue;
    if (contradicts(problemsOf(other))) continue;
    return { ...other, about: [...other.about, open(name, reason)] };
  }
  return undefined;
}

/** The problems of an import, without those of later branches that no assumption says. */
const problemsOf = ({ module }: Ended): ReadonlyArray<Diagnostic> =>
  isLeft(module) ? module.left.filter(({ code }) => code !== 'ONNX_BRANCH') : [];

/**
 * Whether sizes contradict each other: no run gets past these nodes, as where one branch is for another
 * size of the input.
 */
export const contradicts = (problems: ReadonlyArray<Diagnostic>): boolean =>
  problems.length > 0 &&
  problems.every(({ code }) => code.startsWith('OP_') || CONTRADICTIONS.has(code));

/** Problems of the import's own that no run gets past. */
const CONTRADICTIONS: ReadonlySet<string> = new Set(['ONNX_AXIS', 'ONNX_RANK']);

/**
 * The import with one name for sizes that must be equal, the one that comes first in `order`, and with the
 * sizes that names must have.
 */
function withEqualNames(
  order: ReadonlyArray<string>,
  run: Run,
  start: Assumed,
  before: ReadonlyArray<Diagnostic>,
): Ended {
  const [equal, sizes] = [new Map(start.equal), new Map(start.sizes)];
  const about = [...before];
  for (;;) {
    const assumed = { ...start, equal, sizes };
    const attempt = run(assumed);
    const merged = attempt.equalities.filter(({ dims: [name, other] }) =>
      typeof other === 'number'
        ? !sizes.has(name) && sizes.set(name, other)
        : merge(equal, [name, other], order),
    );
    if (merged.length === 0) {
      return { ...attempt, assumed, about };
    }
    about.push(...merged.map(({ dims, span }) => equalDimensions(dims, span)));
  }
}

/** Makes both names stand for one of them; whether they did not before. */
function merge(
  equal: Map<string, string>,
  names: readonly [string, string],
  order: ReadonlyArray<string>,
): boolean {
  const [a = '', b = ''] = names.map((name) => equal.get(name) ?? name);
  if (a === b) return false;
  const [kept, other] = order.indexOf(a) <= order.indexOf(b) ? [a, b] : [b, a];
  for (const [name, stands] of equal) if (stands === other) equal.set(name, kept);
  equal.set(other, kept);
  return true;
}

/** The branches of an import, where assumptions say them. */
export function makeChoices(branches: ReadonlyArray<BranchName>): Choices {
  let count = 0;
  let open: OpenChoice | undefined;
  return {
    next: (choice) => {
      const branch = branches[count++];
      if (branch === undefined) open ??= choice;
      return branch;
    },
    count: () => count,
    open: () => open,
  };
}
