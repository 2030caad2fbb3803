/** Every diagnostic of the passes, one constructor each. */
import { type Diagnostic, diagnostic, type Span, showOption, suggestion } from '@baton/base';

/** An optimization level that does not exist. */
export const unknownLevel = (found: unknown, highest: number): Diagnostic =>
  diagnostic(
    'OPTIMIZE_LEVEL',
    `expected an optimization level from 0 to ${highest}, found ${showOption(found)}`,
  );

/** An entry that the module does not have. */
export const unknownEntry = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('PASS_NO_ENTRY', `expected a function @${name} as an entry, found none`, {
    hint: suggestion(name, known, '@'),
  });

/** An operator whose table does not say what it does with narrow numbers. */
export const missingPrecision = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('MIXED_PRECISION_MISSING', `expected a precision of ${name}, found none`, {
    span,
    hint: "state it in the column `precision`, or set `missingOpMode` to 'warn'",
  });

/** An EtaExpand that expands neither constructors nor global functions. */
export const nothingToExpand = (): Diagnostic =>
  diagnostic('ETA_NOTHING', 'expected `expandConstructor` or `expandGlobalVar`, found neither', {
    hint: 'leave one of the options out, or set it to true',
  });
