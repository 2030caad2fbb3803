/** Every diagnostic of the equivalence checks, one constructor each. */
import { type Diagnostic, diagnostic, type Span, suggestion } from '@baton/base';

/** A module without the function that is to be compared. */
export const noEntry = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EQUIV_NO_ENTRY', `expected a function @${name} to compare, found none`, {
    hint: suggestion(name, known, '@'),
  });

/** Two programs that cannot be given the same arguments, or do not answer in the same type. */
export const otherSignature = (expected: string, found: string): Diagnostic =>
  diagnostic('EQUIV_SIGNATURE', `expected a program of type ${expected}, found ${found}`);

/** A parameter that no value can be made for. */
export const noInputs = (param: string, type: string, span: Span | undefined): Diagnostic =>
  diagnostic('EQUIV_PARAMETER', `expected tensors and tuples of them, found %${param}: ${type}`, {
    span,
    hint: 'make values only for programs of tensors; bind other parameters first',
  });

/** Parameters that are larger than what is made up for a comparison. */
export const inputsTooLarge = (limit: number): Diagnostic =>
  diagnostic('EQUIV_TOO_LARGE', `expected parameters of at most ${limit} elements in all`);

/** A type that has no float64 version. */
export const notWidened = (what: string, span: Span | undefined): Diagnostic =>
  diagnostic('EQUIV_NOT_WIDENED', `expected a program that has a float64 version, found ${what}`, {
    span,
  });

/** A pass after which the program computes something else. */
export const passAtFault = (pass: string, difference: string): Diagnostic =>
  diagnostic('EQUIV_DIFFERENT', `pass ${pass} changed what the program computes: ${difference}`, {
    severity: 'bug',
  });

/** A program to reduce that does not fail. */
export const nothingToReduce = (): Diagnostic =>
  diagnostic('EQUIV_NO_FAILURE', 'expected a program that fails, found one that does not', {
    hint: 'the predicate answers true for a program that still shows the fault',
  });

/** A bisection of a pipeline that is not at fault. */
export const nothingToBisect = (pass: string): Diagnostic =>
  diagnostic('EQUIV_NO_FAULT', `expected a fault of ${pass} on this module, found none`);
