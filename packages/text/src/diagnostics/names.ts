/** Names that are unknown, mean something else, or mean two things. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';

/** An unbound local. */
export const undeclaredLocal = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_LOCAL', `this local variable has not been previously declared: \`%${name}\``, {
    span,
    hint,
  });

/** A graph binding that is used before it is made. */
export const undeclaredGraph = (name: string, span: Span): Diagnostic =>
  diagnostic('NAME_GRAPH', `the graph binding \`${name}\` has not been made`, { span });

/** A graph binding that is made twice in one definition. */
export const duplicateGraph = (name: string, span: Span, first: Span): Diagnostic =>
  diagnostic('NAME_GRAPH_TWICE', `the graph binding \`${name}\` is made twice in this definition`, {
    span,
    related: [{ message: 'first made here', span: first }],
  });

/** A bare name that is neither a constructor nor an operator. */
export const operatorNotFound = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_OPERATOR', `operator \`${name}\` not found`, { span, hint });

/** A pattern whose name is not a constructor. */
export const unknownConstructor = (name: string, span: Span, hint: string): Diagnostic =>
  diagnostic('NAME_CONSTRUCTOR', `undefined constructor name \`${name}\``, { span, hint });

/** A type with an unknown name. */
export const unknownType = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_TYPE', `the type \`${name}\` is not declared`, { span, hint });

/** A name in a shape, dimension or dtype slot that is undeclared, or of another kind. */
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

/** A global, a type or a constructor defined a second time. */
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

/** A type relation that is neither registered nor the relation of an operator. */
export const unknownRelation = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_RELATION', `the type relation \`${name}\` is not registered`, { span, hint });

/** A definition that an import would replace by another one. */
export const importClash = (what: string, name: string, span: Span | undefined): Diagnostic =>
  diagnostic('IMPORT_CLASH', `the ${what} \`${name}\` is defined differently in the import`, {
    span,
    hint: 'rename one of the two',
  });

/** An import of a file that the library does not have. */
export const unknownImport = (file: string, known: ReadonlyArray<string>): Diagnostic =>
  diagnostic('IMPORT_UNKNOWN', `there is no library file \`${file}\``, {
    hint: `the files are ${known.join(', ')}`,
  });

/** A legacy graph binding with the name of a local. */
export const graphNameOfLocal = (name: string, span: Span): Diagnostic =>
  diagnostic('NAME_GRAPH_LOCAL', `\`${name}\` is a local variable in scope here`, {
    span,
    hint: 'write `let`, or give the graph binding another name',
  });

/** A type argument of another kind than its parameter. */
export const wrongArgumentKind = (wanted: string, found: string, span: Span): Diagnostic =>
  diagnostic('NAME_KIND', `expected a type argument of kind ${wanted}, found one of ${found}`, {
    span,
  });

/** An attribute block of a function that the module does not define. */
export const unknownAttributeOwner = (name: string, span: Span, hint?: string): Diagnostic =>
  diagnostic('NAME_GLOBAL', `there is no definition of \`${name}\``, { span, hint });
