/** The arbitrary of programs, for property tests. */
import { printModule } from '@baton/text';
import fc from 'fast-check';
import { type ProgramOptions, requireOptions } from './options.ts';
import { type Program, programOf } from './program.ts';
import { smallerModules } from './shrink.ts';

/**
 * Well-typed dataflow programs, with shapes that fit by construction.
 *
 * The same seed gives the same programs. A failing program shrinks to a small one by its structure:
 * calls are cut off and left out while it stays well-typed.
 *
 * A property of a pass shows nothing on programs that the pass does not change: {@link testPass}
 * counts the changed ones, and does not call a pass sound if there are none.
 *
 * **Errors** throws a `DiagnosticsError` with `OPTION_*` for wrong options.
 * **Example** `fc.assert(fc.property(programs({ focus: 'casts' }), ({ module }) => ...))`
 */
export function programs(options: ProgramOptions = {}): fc.Arbitrary<Program> {
  requireOptions('programs', options, programs);
  return new ProgramArbitrary(options);
}

/** A class, since fast-check demands one: shrinking by structure needs a special arbitrary. */
class ProgramArbitrary extends fc.Arbitrary<Program> {
  readonly options: ProgramOptions;

  constructor(options: ProgramOptions) {
    super();
    this.options = options;
  }

  override generate(random: fc.Random): fc.Value<Program> {
    const seed = random.nextInt(0, 0x7fffffff);
    return new fc.Value(printable(programOf(seed, this.options)), undefined);
  }

  override canShrinkWithoutContext(_value: unknown): _value is Program {
    return false;
  }

  override shrink(program: Program): fc.Stream<fc.Value<Program>> {
    return fc.stream(
      (function* () {
        for (const module of smallerModules(program.module)) {
          yield new fc.Value(printable({ ...program, module }), undefined);
        }
      })(),
    );
  }
}

/** The program with the text that fast-check shows for it. */
const printable = (program: Program): Program => {
  const text = (): string => printModule(program.module);
  return Object.defineProperty({ ...program }, fc.toStringMethod, { value: text });
};
