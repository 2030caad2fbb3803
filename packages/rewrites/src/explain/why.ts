/** Why a rule is not used: how far its left side matches, and the guard that said no. */
import { andThen, isLeft, type Result, right } from '@baton/base';
import { type Expr, type IRModule, inferTypes, referenceCounts, typeOf } from '@baton/ir';
import type { Pattern } from '@baton/ops';
import { isOpaque, visibleIn } from '@baton/pass-manager';
import { printType } from '@baton/text';
import { type NodeCost, operatorCount } from '../cost.ts';
import { gainOf, isWorthIt } from '../greedy/gain.ts';
import { applyRule, holesIn, IN_PLACE, type Refusal, rightSide } from '../match/apply.ts';
import type { Bindings } from '../match/bindings.ts';
import { compileBothWays } from '../match/both-ways.ts';
import type { CompiledRule } from '../match/compile.ts';
import type { Rule } from '../rule/rule.ts';
import { describeExpr, progressOf } from './progress.ts';

/** The options of {@link why}. */
export interface WhyOptions {
  /** The expression of the module to ask about. @defaultValue the one where the rule comes furthest */
  readonly at?: Expr;
  /** The cost of the greedy engine. @defaultValue {@link operatorCount} */
  readonly cost?: NodeCost;
}

/** The answer about a rule and a program. */
export interface Why {
  /** Whether the greedy engine would use the rule, with {@link WhyOptions.cost}. */
  readonly isUsed: boolean;
  /** The rule, its direction, and the place. One sentence says how far the rule comes. */
  readonly text: string;
  /** The parts of the left side that fit, and all of them. */
  readonly fits: number;
  readonly parts: number;
  /** The expression that the whole left side stands for, where the rule comes furthest. */
  readonly root: Expr | undefined;
  /** The expression that does not fit; `root` if all fit and a guard refuses. */
  readonly stopped: Expr | undefined;
}

/**
 * Why a rule is used or not: the place where it comes furthest, with the part of the left side that
 * does not fit, or the guard that refuses the match. Rules in both directions are asked about both.
 *
 * **Errors** those of the rule and of `inferTypes`; `RULE_OPERATOR`, `RULE_ARITY`, `RULE_ATTRIBUTE`.
 *
 * **Complexity** linear in the expressions, times the orders of arguments of the left side.
 */
export function why(
  given: Rule | Result<Rule>,
  m: IRModule,
  { at, cost = operatorCount }: WhyOptions = {},
): Result<Why> {
  const rule = given._tag === 'Rule' ? right(given) : given;
  if (isLeft(rule)) return rule;
  return andThen(inferTypes(m), (typed) =>
    andThen(compileBothWays([rule.right], m.ops), (compiled) => {
      const bodies = [...typed.functions.values()]
        .filter((f): boolean => !isOpaque(f))
        .map((f) => f.body);
      const roots = at === undefined ? bodies.flatMap((b) => visibleIn(b, typed).order) : [at];
      const site: Site = { m: typed, cost, uses: referenceCounts(bodies) };
      const answers = compiled.map((one) => answerOf(one, roots, site));
      return right(furthest(answers) ?? NOTHING);
    }),
  );
}

/** The program and its costs. */
interface Site {
  readonly m: IRModule;
  readonly cost: NodeCost;
  readonly uses: ReadonlyMap<Expr, number>;
}

/** An answer with the number of guards that said yes; one that stops at a call is ahead, too. */
interface Ranked extends Why {
  readonly passed: number;
}

const NOTHING: Ranked = {
  isUsed: false,
  text: 'the program has no expression that the left side could match',
  fits: 0,
  parts: 0,
  root: undefined,
  stopped: undefined,
  passed: 0,
};

/** The answer that comes furthest, the first of several. */
const furthest = (answers: ReadonlyArray<Ranked>): Ranked | undefined =>
  answers.reduce<Ranked | undefined>(
    (best, next) => (best === undefined || isFurther(next, best) ? next : best),
    undefined,
  );

function isFurther(a: Ranked, b: Ranked): boolean {
  const [left, other] = [a.parts - a.fits, b.parts - b.fits];
  if (left === 0 || other === 0) return left === other ? a.passed > b.passed : left === 0;
  return a.fits === b.fits ? a.passed > b.passed : a.fits > b.fits;
}

/** The answer of a rule in one direction. Of several left sides, the one that comes least far. */
function answerOf(compiled: CompiledRule, roots: ReadonlyArray<Expr>, site: Site): Ranked {
  const [first] = compiled.orders;
  const sides = (first ?? []).map(
    (_, side) =>
      furthest(
        roots.flatMap((root) =>
          compiled.orders.map((lefts) => sideOf(compiled, lefts[side] as Pattern, root, site)),
        ),
      ) ?? NOTHING,
  );
  if (sides.length === 1) return sides[0] as Ranked;
  const open = sides.find(({ fits, parts }) => fits < parts);
  const text = `${compiled.label}: each left side matches by itself; saturate looks for them together`;
  return open ?? { ...(sides[0] as Ranked), isUsed: false, text };
}

function sideOf(compiled: CompiledRule, left: Pattern, root: Expr, site: Site): Ranked {
  const { fits, parts, stop, bindings } = progressOf(left, root, site.m);
  const isWhole = stop === undefined;
  const guard =
    isWhole && compiled.rights.length === 1 ? guardOf(compiled, root, bindings, site) : NO_GUARD;
  const said = stop?.reason ?? guard.text;
  return {
    isUsed: isWhole && guard.passed === USED.passed,
    text: `${compiled.label}, at ${describeExpr(root)}, ${fits} of ${parts} parts fit: ${said}`,
    fits,
    parts,
    root,
    stopped: stop?.expr ?? root,
    passed: stop?.isNear === true ? 1 : guard.passed,
  };
}

/** What the guards of a match say, and how many said yes before one said no. */
interface Guard {
  readonly text: string;
  readonly passed: number;
}

const NO_GUARD: Guard = { text: 'all of the left side matches', passed: 0 };
const USED: Guard = { text: 'it is used', passed: 100 };

function guardOf(compiled: CompiledRule, root: Expr, bindings: Bindings, site: Site): Guard {
  const { m, cost, uses } = site;
  const { rule } = compiled;
  // A step adds the holes that it computes.
  const own = { ...bindings, terms: new Map(bindings.terms), attrs: new Map(bindings.attrs) };
  const step = applyRule(m, compiled, [root], own, IN_PLACE);
  if (typeof step === 'string') return refusalOf(step, compiled, root, bindings, own, site);
  const gain = gainOf(root, step, uses, cost, m);
  if (rule.orient === 'both') return { text: `it applies; only saturate uses it`, passed: 9 };
  if (isWorthIt(rule, gain)) return USED;
  return { text: `cost: it makes ${gain.made} and frees ${gain.freed}`, passed: 8 };
}

function refusalOf(
  refusal: Refusal,
  { rule, rights }: CompiledRule,
  root: Expr,
  bindings: Bindings,
  own: Bindings,
  { m }: Site,
): Guard {
  const holes = holesIn(m, root, bindings, rule);
  switch (refusal) {
    case 'effect':
      return { text: 'effect: it would drop, repeat or reorder what others notice', passed: 7 };
    case 'range':
      return { text: 'range: a constant that it computes would overflow or vanish', passed: 5 };
    case 'condition': {
      const at = rule.when.findIndex((holds) => !holds(holes));
      if (at >= 0) return { text: `condition ${at + 1}: ${sourceOf(rule.when[at])}`, passed: 1 };
      const lost = [...rule.computed].find(([, compute]) => compute(holes) === undefined);
      return { text: `?${lost?.[0]} cannot be computed: ${sourceOf(lost?.[1])}`, passed: 2 };
    }
    case 'cost': {
      const at = rule.profitable.findIndex((holds) => !holds(holes));
      return { text: `not profitable: ${sourceOf(rule.profitable[at])}`, passed: 3 };
    }
    case 'type': {
      const made = rightSide(m, rights[0] as Pattern, root, own, undefined, IN_PLACE);
      const [was, now] = [typeOf(m, root), made && typeOf(m, made)];
      const shown = now === undefined ? 'no type' : printType(now);
      return { text: `type: ${shown} in place of ${was && printType(was)}`, passed: 6 };
    }
  }
}

/** The text of a function on one line. */
const sourceOf = (f: unknown): string => String(f).replaceAll(/\s+/g, ' ');
