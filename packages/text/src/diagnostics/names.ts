/** Names that are unknown, mean something else, or mean two things. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

export const undeclaredLocal = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_LOCAL', `this local variable has not been previously declared: \`%${name}\``, {
    span,
    hint,
  });

export const undeclaredGraph = (name: string, span: Span): Diagnostic =>
  diagnostic('NAME_GRAPH', `the graph binding \`${name}\` has not been made`, { span });

export const duplicateGraph = (name: string, span: Span, first: Span): Diagnostic =>
  diagnostic('NAME_GRAPH_TWICE', `the graph binding \`${name}\` is made twice in this definition`, {
    span,
    related: [{ message: 'first made here', span: first }],
  });

export const operatorNotFound = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_OPERATOR', `operator \`${name}\` not found`, { span, hint });

export const unknownConstructor = (name: string, span: Span, hint: string): Diagnostic =>
  diagnostic('NAME_CONSTRUCTOR', `undefined constructor name \`${name}\``, { span, hint });

export const unknownType = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_TYPE', `the type \`${name}\` is not declared`, { span, hint });

export const unknownTypeVariable = (
  what: string,
  name: string,
  span: Span,
  hint: string | undefined,
): Diagnostic =>
  diagnostic('NAME_TYPE_VARIABLE', `\`${name}\` is ${what} in scope`, {
    span,
    hint: hint ?? 'declare it in the type parameters: `[s: Shape, d: BaseType, n: ShapeVar]`',
  });

export const definedTwice = (
  what: string,
  name: string,
  span: Span,
  first: Span | undefined,
): Diagnostic =>
  diagnostic('NAME_TWICE', `the ${what} \`${name}\` is defined twice`, {
    span,
    related: first === undefined ? [] : [{ message: 'first defined here', span: first }],
  });

export const unknownRelation = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_RELATION', `the type relation \`${name}\` is not registered`, { span, hint });

export const importClash = (what: string, name: string, span: Span | undefined): Diagnostic =>
  diagnostic('IMPORT_CLASH', `the ${what} \`${name}\` is defined differently in the import`, {
    span,
    hint: 'rename one of the two',
  });

export const unknownImport = (file: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('IMPORT_UNKNOWN', `there is no library file \`${file}\``, {
    hint: `the files are ${known.join(', ')}`,
  });

export const graphNameOfLocal = (name: string, span: Span): Diagnostic =>
  diagnostic('NAME_GRAPH_LOCAL', `\`${name}\` is a local variable in scope here`, {
    span,
    hint: 'write `let`, or give the graph binding another name',
  });

export const wrongArgumentKind = (wanted: string, found: string, span: Span): Diagnostic =>
  diagnostic('NAME_KIND', `expected a type argument of kind ${wanted}, found one of ${found}`, {
    span,
  });

export const unknownAttributeOwner = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_GLOBAL', `there is no definition of \`${name}\``, { span, hint });
