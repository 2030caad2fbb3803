/** Every diagnostic of differentiation, one constructor each. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

/** A gradient of a value that is not known to be one function. */
export const unknownFunction = (span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_FUNCTION', 'the function whose gradient is taken is not known here', {
    span,
    hint: 'name a global, a function literal, or a variable that is bound to one',
  });

/** Gradients that contain each other. */
export const circularGradient = (span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_CIRCULAR', 'the gradient of this function is needed to make it', { span });

/** A type parameter that the use of a gradient leaves open. */
export const openTypeParameter = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic(
    'GRADIENT_POLYMORPHIC',
    `the gradient’s type parameter \`${name}\` is not known here`,
    {
      span,
      hint: 'call the gradient where it is taken, or annotate the parameters of the function',
    },
  );

/** A construct that a mode does not differentiate. */
export const notCovered = (what: string, hint: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_CONSTRUCT', `${what} cannot be differentiated`, { span, hint });

/** A parameter, or a captured variable, that cannot have a gradient. */
export const badParameter = (name: string, found: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_PARAMETER', `expected a tensor as \`%${name}\`, found ${found}`, {
    span,
    hint: 'first_order takes tuples, too; pass the tensors as parameters of their own',
  });

/** A result that no gradient can begin with. */
export const badResult = (found: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_RESULT', `expected a result that begins with a tensor, found ${found}`, {
    span,
  });

/** Recursion that calls a function at ever larger types. */
export const tooManyInstances = (name: string, span: Span | undefined): Diagnostic =>
  diagnostic('GRADIENT_POLYMORPHIC', `@${name} is used at too many types`, { span });
