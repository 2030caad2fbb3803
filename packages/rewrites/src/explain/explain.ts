/** Explanations: the steps by rules from a program to what an engine makes of it. */
import { andThen, type Result, right } from '@baton/base';
import {
  type Expr,
  type IRModule,
  inferTypes,
  mapChildren,
  postOrderExprs,
  typeOf,
  type Var,
  variable,
} from '@baton/ir';
import { type Pass, runPass } from '@baton/pass-manager';
import { printExpr } from '@baton/text';
import type { Recording, RuleStep } from '../match/steps.ts';
import { type Rule, type RuleInput, rulesOf } from '../rule/rule.ts';

/** A program before and after an engine, and the steps between them. */
export interface Explanation {
  readonly before: IRModule;
  readonly after: IRModule;
  /** In the order in which they were made; of equality saturation in the order of its proof. */
  readonly steps: ReadonlyArray<RuleStep>;
  readonly rules: ReadonlyArray<Rule>;
}

/**
 * Runs an engine and keeps the steps that its result owes itself to: for `greedy` all that it took,
 * for `saturate` those of the proof that the chosen expressions equal the old ones. There, a step
 * may start from an expression that earlier ones have made equal to the one that the rule matched.
 *
 * **Errors** of `inferTypes`, and those of the pass.
 *
 * **Example** `printExplanation(orThrow(explain(greedy, arithmetic, m)))`
 */
export function explain<O extends Recording>(
  engine: (input: RuleInput, options: O) => Pass,
  input: RuleInput,
  m: IRModule,
  options?: Omit<O, 'onStep'>,
): Result<Explanation> {
  const steps: RuleStep[] = [];
  const onStep = (step: RuleStep): void => void steps.push(step);
  // The engine's own options, and the one that all engines have.
  const pass = engine(input, { ...options, onStep } as O);
  return andThen(inferTypes(m), (before) =>
    andThen(rulesOf(input), (rules) =>
      andThen(runPass(pass)(before), ({ module }) =>
        right({ before, after: module, steps, rules }),
      ),
    ),
  );
}

/** The sides of a step, in which parameters stand for what both have in common. */
export interface Outline {
  readonly before: Expr;
  readonly after: Expr;
}

/** The sides of a step without what is below both: that becomes parameters of the same types. */
export function outlineOf({ before, after }: RuleStep, m: IRModule): Outline {
  const inner = new Set(postOrderExprs([after]));
  const params = new Map<Expr, Var>();
  postOrderExprs([before], (node) => {
    if (node._tag === 'Constant' || node._tag === 'Op' || !inner.has(node)) return false;
    const type = node._tag === 'Var' ? undefined : typeOf(m, node);
    if (type !== undefined) params.set(node, variable(`x${params.size}`, type));
    return true;
  });
  const outlined = (root: Expr): Expr => {
    const made = new Map<Expr, Expr>(params);
    for (const node of postOrderExprs([root], (e) => params.has(e))) {
      if (!made.has(node))
        made.set(
          node,
          mapChildren(node, (child) => made.get(child) ?? child),
        );
    }
    return made.get(root) ?? root;
  };
  return { before: outlined(before), after: outlined(after) };
}

/** The steps as text, each with the rule and both sides. */
export function printExplanation({ before, steps }: Explanation): string {
  return steps
    .map((step, i) => {
      const sides = outlineOf(step, before);
      return `${i + 1}. ${step.rule}\n   ${shown(sides.before)}\n = ${shown(sides.after)}`;
    })
    .join('\n');
}

const shown = (expr: Expr): string =>
  printExpr(expr, { showTypes: false, header: false }).trimEnd().replaceAll('\n', '\n   ');
