/** The choice between interpreted and generated code of a rule. */
import type { Side } from '../pattern.ts';
import { type Apply, interpretApply } from './apply.ts';
import { type Builder, compileBuilder } from './builder.ts';
import { generateApply, generateSearch } from './generate.ts';
import { interpret, type Search } from './interpret.ts';
import type { Program } from './program.ts';

/** Interpretation of this many roots or matches comes before code generation. */
const INTERPRETED_USES = 2000;

/** The choice of matcher: `auto` interprets a rule's first uses and generates code after that. */
export type CodeGeneration = 'auto' | 'always' | 'never';

/** Makes a function of a rule, in the given variant, for this many more uses. */
export type Choose<F> = (mode: CodeGeneration, variant: number, uses: number) => F;

/** The matchers and appliers of one rule, kept between runs. */
export interface RuleCode {
  readonly program: Program;
  /** `undefined` if the right-hand side is a function. */
  readonly builder: Builder | undefined;
  /** Matchers: variant 1 finds matches with a new row, 2 matches with their nodes, 3 both. */
  readonly search: Choose<Search>;
  /** Appliers: variant 1 logs. */
  readonly apply: Choose<Apply> | undefined;
}

export function makeRuleCode(program: Program, right: Side | undefined): RuleCode {
  const builder = right && compileBuilder(right, program.variables);
  return {
    program,
    builder,
    search: choosing(
      (variant) => generateSearch(program, variant > 1, variant % 2 === 1),
      (variant) => interpret(program, variant > 1),
    ),
    apply:
      builder &&
      choosing(
        (variant) => generateApply(builder, variant === 1 ? program : undefined),
        () => interpretApply(builder),
      ),
  };
}

/** Interprets the first uses, then generates code, or interprets if that is forbidden. */
function choosing<F>(
  generate: (variant: number) => F | undefined,
  walk: (variant: number) => F,
): Choose<F> {
  const known: F[] = [];
  let total = 0;
  return (mode, variant, uses) => {
    total += uses;
    const generates = mode === 'always' || (mode === 'auto' && total > INTERPRETED_USES);
    const place = variant * 2 + (generates ? 1 : 0);
    const made = known[place] ?? ((generates && generate(variant)) || walk(variant));
    known[place] = made;
    return made;
  };
}
