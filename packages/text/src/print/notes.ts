/**
 * Types in a text: annotations of binders, and comments after nodes
 * ([language §8](https://batonjs.github.io/baton/spec/language#8)).
 */
import { printSpan, type SpanLeaf, spanLeaves } from '@baton/base';
import { bindsTypeVars, type Expr, type Type, textSize, typeText, type Var } from '@baton/ir';
import type { KnownTypeText, Printer, TypeBudget } from './state.ts';

/**
 * A binder with its annotation; an inferred type is a comment. `isInferred` means that inference
 * finds the type again from the bound value, so that a large one may be left out.
 */
export function binderText(p: Printer, variable: Var, isInferred = false): string {
  const name = p.state.names.local(variable);
  const { typeAnnotation } = variable;
  if (typeAnnotation === undefined) return name + comment(p, variable);
  return `${name}: ${typeOfBinder(p, typeAnnotation, isInferred)}`;
}

export const typeOfBinder = (p: Printer, type: Type, isInferred: boolean): string =>
  isInferred
    ? (budgetedType(p, type, p.state.budgets.annotations)?.text ?? '_')
    : annotationText(p, type);

/** A type with more parts is written `_`: shared parts can make its text larger than any memory. */
const MAX_ANNOTATION_SIZE = 100_000;

/** Types with at most this many parts are free of charge. */
const SMALL_TYPE_SIZE = 256;

function annotationText(p: Printer, type: Type): string {
  const known = p.state.typeTexts.get(type);
  if (known !== undefined) return known.text;
  return textSize(type) > MAX_ANNOTATION_SIZE ? '_' : newTypeText(p, type).text;
}

/** A type's text, unless it is large and the budget for large ones is used up. */
function budgetedType(p: Printer, type: Type, budget: TypeBudget): KnownTypeText | undefined {
  const known = p.state.typeTexts.get(type);
  const size = known?.size ?? textSize(type);
  if (size > SMALL_TYPE_SIZE) {
    if (size > budget.left) return undefined;
    budget.left -= size;
  }
  return known ?? newTypeText(p, type);
}

function newTypeText(p: Printer, type: Type): KnownTypeText {
  const text = typeText(type, p.state.names);
  const made = { text, comment: ` /* ty=${text} */`, size: textSize(type) };
  // The names in a polymorphic type depend on the text before it.
  if (!bindsTypeVars(type)) p.state.typeTexts.set(type, made);
  return made;
}

/** The comment after a node: its type, its origin, or the caller's text. */
export function comment(p: Printer, expr: Expr): string {
  const { state } = p;
  if (state.annotate !== undefined) return state.annotate(expr);
  if (!state.showTypes && !state.showSpans) return '';
  const type = state.showTypes ? state.typeOf(expr) : undefined;
  const known = type === undefined ? undefined : budgetedType(p, type, state.budgets.comments);
  if (!state.showSpans) {
    if (type === undefined) return '';
    if (known !== undefined) return known.comment;
  }
  const parts = [
    ...(type === undefined ? [] : [`ty=${known?.text ?? '..'}`]),
    ...(state.showSpans ? spanLeaves(expr.span).slice(0, 1).map(spanText) : []),
  ];
  return parts.length === 0 ? '' : ` /* ${parts.join(' ')} */`;
}

/** An origin in a comment must not end the comment, or start another one. */
const spanText = (leaf: SpanLeaf): string =>
  `span=${printSpan(leaf)}`.replaceAll('*/', '* /').replaceAll('/*', '/ *');
