import type { Clause, Pattern } from '../pattern.ts';
import { type Apply, interpretApply } from './apply.ts';
import { type Builder, compileBuilder } from './builder.ts';
import { generateApply, generateSearch } from './generate.ts';
import { interpret, type Search } from './interpret.ts';
import type { Program } from './program.ts';

/** After this many roots searched or matches applied by interpretation, code is generated. */
const INTERPRETED_USES = 2000;

/** Which matcher runs: `auto` interprets a rule's first uses and generates code after that. */
export type CodeGeneration = 'auto' | 'always' | 'never';

/** The variants of one function of a rule, made when first used and kept. */
class Variants<F> {
  readonly interpreted: F[] = [];
  readonly generated: (F | undefined)[] = [];
  uses = 0;
}

/** The matchers and appliers of one rule. */
export class RuleCode {
  readonly program: Program;
  readonly builder: Builder | undefined;
  private readonly searches = new Variants<Search>();
  private readonly appliers = new Variants<Apply>();
  /** Set once code generation is known to be forbidden. */
  private forbidden = false;

  constructor(program: Program, right: ReadonlyArray<Clause> | Pattern | undefined) {
    this.program = program;
    this.builder = right === undefined ? undefined : compileBuilder(right, program.variables);
  }

  /** The matcher for a search over `roots` root positions. */
  search(mode: CodeGeneration, withNodes: boolean, delta: boolean, roots: number): Search {
    const { program, searches } = this;
    searches.uses += roots;
    return this.variant(
      searches,
      mode,
      (withNodes ? 2 : 0) + (delta ? 1 : 0),
      () => generateSearch(program, withNodes, delta),
      () => interpret(program, withNodes),
    );
  }

  /** The applier for `matches` matches; `logs` says whether it is given a recording. */
  apply(mode: CodeGeneration, matches: number, logs: boolean): Apply | undefined {
    const { builder, program, appliers } = this;
    if (builder === undefined) return undefined;
    appliers.uses += matches;
    return this.variant(
      appliers,
      mode,
      logs ? 1 : 0,
      () => generateApply(builder, logs ? program : undefined),
      () => interpretApply(builder),
    );
  }

  private variant<F>(
    { generated, interpreted, uses }: Variants<F>,
    mode: CodeGeneration,
    variant: number,
    generate: () => F | undefined,
    walk: () => F,
  ): F {
    if (!this.forbidden && (mode === 'always' || (mode === 'auto' && uses > INTERPRETED_USES))) {
      const made = generated[variant] ?? generate();
      generated[variant] = made;
      if (made !== undefined) return made;
      this.forbidden = true;
    }
    const made = interpreted[variant] ?? walk();
    interpreted[variant] = made;
    return made;
  }
}
