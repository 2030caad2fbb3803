/** Every diagnostic of the equivalence checks, one constructor each. */
import { type Diagnostic, diagnostic, type Span, suggestion } from '@baton/base';

export const noEntry = (name: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('EQUIV_NO_ENTRY', `expected a function @${name} to compare, found none`, {
    hint: suggestion(name, known, '@'),
  });

export const otherSignature = (expected: string, found: string): Diagnostic =>
  diagnostic('EQUIV_SIGNATURE', `expected a program of type ${expected}, found ${found}`);

export const noInputs = (param: string, type: string, span: Span | undefined): Diagnostic =>
  diagnostic('EQUIV_PARAMETER', `expected tensors and tuples of them, found %${param}: ${type}`, {
    span,
    hint: 'make values only for programs of tensors; bind other parameters first',
  });

export const inputsTooLarge = (limit: number): Diagnostic =>
  diagnostic('EQUIV_TOO_LARGE', `expected parameters of at most ${limit} elements in all`);

export const notWidened = (what: string, span: Span | undefined): Diagnostic =>
  diagnostic('EQUIV_NOT_WIDENED', `expected a program that has a float64 version, found ${what}`, {
    span,
  });

export const passAtFault = (pass: string, difference: string): Diagnostic =>
  diagnostic('EQUIV_DIFFERENT', `pass ${pass} changed what the program computes: ${difference}`, {
    severity: 'bug',
  });

export const nothingToReduce = (): Diagnostic =>
  diagnostic('EQUIV_NO_FAILURE', 'expected a program that fails, found one that does not', {
    hint: 'the predicate answers true for a program that still shows the fault',
  });

export const nothingToBisect = (pass: string): Diagnostic =>
  diagnostic('EQUIV_NO_FAULT', `expected a fault of ${pass} on this module, found none`);
