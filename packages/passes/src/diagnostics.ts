/** Every diagnostic of the passes, one constructor each. */
import { type Diagnostic, diagnostic, type Span, showOption, suggestion } from '@baton/base';

export const unknownLevel = (found: unknown, highest: number): Diagnostic =>
  diagnostic(
    'OPTIMIZE_LEVEL',
    `expected an optimization level from 0 to ${highest}, found ${showOption(found)}`,
  );

export const unknownEntry = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('PASS_NO_ENTRY', `expected a function @${name} as an entry, found none`, {
    hint: suggestion(name, known, '@'),
  });

export const unknownLayoutOperator = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('LAYOUT_OPERATOR', `expected an operator with layouts, found ${name}`, {
    hint: suggestion(name, known),
  });

export const noLayouts = (name: string): Diagnostic =>
  diagnostic('LAYOUT_OPERATOR', `expected an operator with layouts, found ${name}`, {
    hint: 'it takes over the layouts of its arguments',
  });

export const tooManyLayouts = (
  name: string,
  attributes: ReadonlyArray<string>,
  found: number,
): Diagnostic =>
  diagnostic(
    'LAYOUT_UNKNOWN',
    `expected at most ${attributes.length} layouts of ${name}, found ${found}`,
    { hint: `they are ${attributes.join(', ')}` },
  );

export const noLayout = (name: string, attribute: string, found: string, span?: Span): Diagnostic =>
  diagnostic('LAYOUT_UNKNOWN', `expected a layout as ${attribute} of ${name}, found "${found}"`, {
    span,
    hint: 'only a weight has a default, beside data in a plain layout',
  });

export const illegalType = (
  name: string,
  expected: string,
  found: string,
  span: Span | undefined,
): Diagnostic =>
  diagnostic('LEGALIZE_TYPE', `expected the rule of ${name} to keep ${expected}, found ${found}`, {
    span,
  });

export const missingPrecision = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('MIXED_PRECISION_MISSING', `expected a precision of ${name}, found none`, {
    span,
    hint: "state it in the column `precision`, or set `missingOpMode` to 'warn'",
  });

export const nothingToExpand = (): Diagnostic =>
  diagnostic('ETA_NOTHING', 'expected `expandConstructor` or `expandGlobalVar`, found neither', {
    hint: 'leave one of the options out, or set it to true',
  });

export const unknownParameter = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('MAIN_PARAMETER', `expected a parameter %${name} of @main, found none`, {
    hint: suggestion(name, known, '%'),
  });

export const batchAxis = (name: string, axis: number, span: Span | undefined): Diagnostic =>
  diagnostic('BATCH_AXIS', `expected a tensor with an axis ${axis} as %${name}`, { span });

/** A program that says elsewhere how large a batch is. */
export const batchIsStated = (reason: Diagnostic): Diagnostic => ({
  ...reason,
  code: 'BATCH_STATED',
  message: `the program states the size of its batches: ${reason.message}`,
});

export const noMatrix = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('TRANSPOSE_MATRIX', `expected a matrix as %${name}`, { span });

export const notOnIntegers = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic(
    'QUANTIZATION_RULE',
    `expected a call of ${name} that integers can stand for, found another`,
    {
      span,
      hint: 'its operator has no rule `onIntegers`, or the rule needs other scales; leave `hardFail` out to keep the region',
    },
  );

export const noCalibrationData = (mode: string): Diagnostic =>
  diagnostic('QUANTIZE_DATA', `expected an executor and data for the calibration "${mode}"`, {
    hint: 'give it `executor: interpreter` and `dataset`, the arguments of runs of main',
  });
