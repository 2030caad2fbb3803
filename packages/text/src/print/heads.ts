/** The texts before a scope: the head of a function, the pattern of a clause. */
import {
  attrTexts,
  type Func,
  type Pattern,
  relationText,
  type TypeRelation,
  typeParamsText,
} from '@baton/ir';
import { binderText, typeOfBinder } from './notes.ts';
import type { Printer } from './state.ts';

/**
 * `[A](%x: T, Key=1) -> R where ..`. A literal's result is inferred from its body, so a large one
 * may be left out: the results of nested functions contain each other.
 */
export function functionHead(p: Printer, f: Func, isLiteral = false): string {
  const { names, ops } = p.state;
  const typeParams = typeParamsText(f.typeParams, names);
  const params = f.params.map((param) => binderText(p, param));
  const items = [...params, ...attrTexts(f.attrs, undefined)].join(', ');
  const result = f.retType === undefined ? '' : ` -> ${typeOfBinder(p, f.retType, isLiteral)}`;
  const relations = f.constraints.map((c) =>
    holdsBetween(c, f)
      ? c.name
      : relationText(c, names, (r) => attrTexts(r.attrs ?? {}, ops?.get(r.name)?.attrs)),
  );
  const where = relations.length === 0 ? '' : ` where ${relations.join(', ')}`;
  return `${typeParams}(${items})${result}${where}`;
}

/**
 * Whether a relation is the one between all parameters and the result, some of them holes: then it
 * is written by its bare name, as its arguments could not be written.
 */
function holdsBetween(relation: TypeRelation, f: Func): boolean {
  const types = [...f.params.map((param) => param.typeAnnotation), f.retType];
  return (
    relation.attrs === undefined &&
    types.length === relation.args.length &&
    relation.args.every((arg, i) => arg === types[i]) &&
    relation.args.some((arg) => arg._tag === 'IncompleteType')
  );
}

/** A pattern, which names its variables. */
export function patternText(p: Printer, root: Pattern): string {
  let text = '';
  const pending: (Pattern | string)[] = [root];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') text += next;
    else if (next._tag === 'PatternWildcard') text += '_';
    else if (next._tag === 'PatternVar') text += binderText(p, next.variable, true);
    else {
      const isTuple = next._tag === 'PatternTuple';
      if (next._tag === 'PatternConstructor') text += next.ctor.nameHint;
      if (!isTuple && next.patterns.length === 0) continue;
      const inner = next.patterns.flatMap((q, i) => (i === 0 ? [q] : [', ', q]));
      const end = isTuple && next.patterns.length === 1 ? ',)' : ')';
      pending.push(...['(', ...inner, end].reverse());
    }
  }
  return text;
}
