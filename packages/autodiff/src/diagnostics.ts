/** Every diagnostic of differentiation, one constructor each. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const unknownFunction = (span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_FUNCTION', 'the function whose gradient is taken is not known here', {
    span,
    hint: 'name a global, a function literal, or a variable that is bound to one',
  });

export const circularGradient = (span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_CIRCULAR', 'the gradient of this function is needed to make it', { span });

export const openTypeParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic(
    'GRADIENT_POLYMORPHIC',
    `the gradient’s type parameter \`${name}\` is not known here`,
    {
      span,
      hint: 'call the gradient where it is taken, or annotate the parameters of the function',
    },
  );

export const notCovered = (what: string, hint: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_CONSTRUCT', `${what} cannot be differentiated`, { span, hint });

export const badParameter = (name: string, found: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_PARAMETER', `expected a tensor as \`%${name}\`, found ${found}`, {
    span,
    hint: 'first_order takes tuples, too; pass the tensors as parameters of their own',
  });

export const badResult = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_RESULT', `expected a result that begins with a tensor, found ${found}`, {
    span,
  });

export const tooManyInstances = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_POLYMORPHIC', `@${name} is used at too many types`, { span });
