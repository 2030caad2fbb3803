import type { Clause, Pattern } from '../pattern.ts';
import { type Apply, interpretApply, type Recording, recordApply } from './apply.ts';
import { type Builder, compileBuilder } from './builder.ts';
import { generateApply, generateRecord, generateSearch } from './generate.ts';
import { interpret, type Search } from './interpret.ts';
import type { Program } from './program.ts';

/** After this many roots searched or matches applied by interpretation, code is generated. */
const INTERPRETED_USES = 2000;

/** Which matcher runs: `auto` interprets a rule's first uses and generates code after that. */
export type CodeGeneration = 'auto' | 'always' | 'never';

/** The matchers and applier of one rule, made when first used and kept. */
export class RuleCode {
  readonly program: Program;
  readonly builder: Builder | undefined;
  private readonly interpreted: (Search | undefined)[] = [];
  private readonly generated: (Search | undefined)[] = [];
  private interpretedApply: Apply | undefined = undefined;
  private generatedApply: Apply | undefined = undefined;
  private generatedRecord: Apply | undefined = undefined;
  private searched = 0;
  private applied = 0;
  /** Set once code generation is known to be forbidden. */
  private forbidden = false;

  constructor(program: Program, right: ReadonlyArray<Clause> | Pattern | undefined) {
    this.program = program;
    this.builder = right === undefined ? undefined : compileBuilder(right, program.variables);
  }

  /** The matcher for a search over `roots` root positions. */
  search(mode: CodeGeneration, withNodes: boolean, delta: boolean, roots: number): Search {
    const variant = (withNodes ? 2 : 0) + (delta ? 1 : 0);
    this.searched += roots;
    if (this.mayGenerate(mode, this.searched)) {
      const known = this.generated[variant] ?? generateSearch(this.program, withNodes, delta);
      this.generated[variant] = known;
      if (known !== undefined) return known;
      this.forbidden = true;
    }
    const known = this.interpreted[variant] ?? interpret(this.program, withNodes);
    this.interpreted[variant] = known;
    return known;
  }

  /** The applier for `matches` matches, one that logs if there is a recording. */
  apply(
    mode: CodeGeneration,
    matches: number,
    recording: Recording | undefined,
  ): Apply | undefined {
    if (this.builder === undefined) return undefined;
    this.applied += matches;
    if (this.mayGenerate(mode, this.applied)) {
      const generated = recording === undefined ? this.plain() : this.recording();
      if (generated !== undefined) return generated;
      this.forbidden = true;
    }
    if (recording !== undefined) return recordApply(this.builder, recording);
    this.interpretedApply ??= interpretApply(this.builder);
    return this.interpretedApply;
  }

  private plain(): Apply | undefined {
    if (this.builder !== undefined) this.generatedApply ??= generateApply(this.builder);
    return this.generatedApply;
  }

  private recording(): Apply | undefined {
    if (this.builder !== undefined) {
      this.generatedRecord ??= generateRecord(this.builder, this.program);
    }
    return this.generatedRecord;
  }

  private mayGenerate(mode: CodeGeneration, uses: number): boolean {
    if (this.forbidden || mode === 'never') return false;
    return mode === 'always' || uses > INTERPRETED_USES;
  }
}
