/** The values of a rule's holes, found while a pattern is matched. */
import { type Attrs, type AttrValue, attrEqual, attrsEqual, type Expr } from '@baton/ir';
import { type AttrPattern, type CallPattern, isAttrHole } from '@baton/ops';

/** The values of holes by name. `E` stands for an expression: itself, or a class of an e-graph. */
export interface Bindings<E = Expr> {
  readonly terms: Map<string, E>;
  readonly attrs: Map<string, AttrValue | Attrs>;
  /** What the pattern matches besides holes, and the step replaces: the origins of what it makes. */
  readonly nodes: E[];
}

export const emptyBindings = <E>(): Bindings<E> => ({
  terms: new Map(),
  attrs: new Map(),
  nodes: [],
});

/** Empties bindings for the next match. */
export function clearBindings({ terms, attrs, nodes }: Bindings<unknown>): void {
  // An empty map that is cleared gets a new table all the same.
  if (terms.size > 0) terms.clear();
  if (attrs.size > 0) attrs.clear();
  nodes.length = 0;
}

/** Whether the attributes of a call fit the pattern; its holes for attributes are bound. */
export function matchAttrs(p: CallPattern, attrs: Attrs, bindings: Bindings<unknown>): boolean {
  for (const [name, wanted] of p.attrs) {
    const value = attrs[name];
    if (value === undefined || !matchAttr(wanted, value, bindings)) return false;
  }
  if (p.rest === undefined) return true;
  if (p.attrs.size === 0) return bindAttrs(p.rest, attrs, bindings);
  const others = Object.entries(attrs).filter(([name]) => !p.attrs.has(name));
  return bindAttrs(p.rest, Object.fromEntries(others), bindings);
}

function matchAttr(p: AttrPattern, value: AttrValue, { attrs }: Bindings<unknown>): boolean {
  if (!isAttrHole(p)) return attrEqual(p, value);
  const known = attrs.get(p.name);
  if (known === undefined) attrs.set(p.name, value);
  return known === undefined || attrEqual(known as AttrValue, value);
}

function bindAttrs(name: string, found: Attrs, { attrs }: Bindings<unknown>): boolean {
  const known = attrs.get(name);
  if (known === undefined) attrs.set(name, found);
  return known === undefined || attrsEqual(known as Attrs, found);
}
