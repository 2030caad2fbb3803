/**
 * The types of expressions: the one side table of the IR.
 *
 * A node's type depends on its children, on its binders' types, and on the signatures of the
 * globals that it names. Nodes never change and an annotated variable keeps its type, so an entry
 * only remembers the signatures, as a DAG that shares the parts of its children's: O(1) per node,
 * and nothing for a node that names no global. A reader of an entry compares these signatures with
 * those of its module. So modules may share a table, and a new module pays only for its new nodes
 * and for those below a changed signature.
 */
import { largeWeakMap, type WeakMemory } from '@baton/base';
import type { Expr, Func } from '../expr/expr.ts';
import { sameType } from '../types/same-type.ts';
import { type FuncType, funcType, isClosed, type Type, type TypeRelation } from '../types/type.ts';

/** The results of inference. Opaque: `typeOf` reads it. */
export interface TypeTable {
  readonly _tag: 'TypeTable';
}

export const emptyTypeTable = (): TypeTable => makeStore();

/** The signature of a global on which an entry relies. One object for equal signatures. */
interface Signature {
  readonly _tag: 'Signature';
  readonly name: string;
  readonly type: FuncType;
}

/** The union of the dependences, or of the assumptions, of two nodes. */
interface Union<T> {
  readonly _tag: 'Union';
  readonly left: Union<T> | T;
  readonly right: Union<T> | T;
}

/** The signatures on which an entry relies. `undefined` if there are none. */
export type Dependence = Signature | Union<Signature>;

/** Relations that a type assumes, which the surrounding function states; `undefined` for none. */
export type Assumption = TypeRelation | Union<TypeRelation>;

/** The dependence or the assumption of two nodes together. */
export function join<T extends Signature | TypeRelation>(
  a: Union<T> | T | undefined,
  b: Union<T> | T | undefined,
): Union<T> | T | undefined {
  if (a === undefined || a === b) return b;
  if (b === undefined) return a;
  if (a._tag === 'Union' && (a.left === b || a.right === b)) return a;
  return { _tag: 'Union', left: a, right: b };
}

/** The relations of an assumption, each once, in order; `seen` is skipped, and added to. */
export function assumedRelations(
  assumption: Assumption,
  seen: Set<Assumption> = new Set(),
): ReadonlyArray<TypeRelation> {
  const relations: TypeRelation[] = [];
  const pending = [assumption];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next._tag === 'TypeRelation') relations.push(next);
    else pending.push(next.right, next.left);
  }
  return relations;
}

export interface EntryFacts {
  readonly dependence: Dependence | undefined;
  readonly assumption: Assumption | undefined;
  /** Whether the context determines the type, as for `Nil`: it may differ in another context. */
  readonly isContextual: boolean;
}

export const NO_FACTS: EntryFacts = {
  dependence: undefined,
  assumption: undefined,
  isContextual: false,
};

/** Whether an entry has no facts but its type; those of another copy of this package are others. */
export const hasNoFacts = (facts: EntryFacts): boolean =>
  facts === NO_FACTS ||
  (facts.dependence === undefined && facts.assumption === undefined && !facts.isContextual);

/** A type that depends on signatures, or on assumptions of the surrounding functions. */
interface DependentType {
  readonly _tag: 'DependentType';
  readonly type: Type;
  readonly facts: EntryFacts;
}

/** The entry of a node: its type, with other facts if there are any. */
export type TableEntry = Type | DependentType;

export const factsIn = (entry: TableEntry | undefined): EntryFacts =>
  entry?._tag === 'DependentType' ? entry.facts : NO_FACTS;

/** A module's view of the table: the entries that hold under the module's signatures. */
export interface TypeView {
  readonly read: (expr: Expr) => Type | undefined;
  /** The entry of a node, even an outdated one. */
  readonly entry: (expr: Expr) => TableEntry | undefined;
  readonly holds: (entry: TableEntry) => boolean;
  /** The other facts of a node's entry, even of an outdated one. */
  readonly facts: (expr: Expr) => EntryFacts;
  /** Enters a type; `old` is the entry that it replaces. */
  readonly write: (expr: Expr, type: Type, facts: EntryFacts, old?: TableEntry) => void;
  /** Restores the entries that this view has replaced, after a failure. */
  readonly undo: () => void;
  /** The signature of a global: the declared one from inference, or else its annotations. */
  readonly signature: (name: string) => Signature | undefined;
  /** Declares the signature of a global that has no complete annotations. */
  readonly declare: (name: string, type: FuncType) => void;
  /** Nodes without a type until the definition is inferred. */
  readonly untypable: WeakSet<Expr>;
}

interface TypeStore extends TypeTable {
  readonly entries: WeakMemory<Expr, TableEntry>;
  /** Every signature on which an entry relies, by name. */
  readonly signatures: Map<string, Signature[]>;
  readonly annotated: WeakMap<Func, Signature | 'incomplete'>;
  readonly views: WeakMap<ReadonlyMap<string, Func>, TypeView>;
  /** Whether any entry has other facts than a type: in many modules none does. */
  hasFacts: boolean;
  /** The writes of entries that rely on signatures: one may replace an entry of another module. */
  dependentWrites: number;
  /** `dependentWrites` at the end of the inference that returned these functions. */
  readonly finished: WeakMap<ReadonlyMap<string, Func>, number>;
  isUsed: boolean;
}

/** The view that belongs to these functions; the same one each time. */
export function viewOf(table: TypeTable, functions: ReadonlyMap<string, Func>): TypeView {
  const store = storeOf(table);
  const old = store.views.get(functions);
  if (old !== undefined) return old;
  const view = makeView(store, functions);
  store.views.set(functions, view);
  return view;
}

/** A view for one run of inference, which will declare signatures. */
export const newView = (table: TypeTable, functions: ReadonlyMap<string, Func>): TypeView =>
  makeView(storeOf(table), functions);

/** Makes a view of a finished inference the one of the functions that it returns. */
export function keepView(
  table: TypeTable,
  functions: ReadonlyMap<string, Func>,
  view: TypeView,
): void {
  const store = storeOf(table);
  store.isUsed = true;
  store.views.set(functions, view);
  store.finished.set(functions, store.dependentWrites);
}

/** Whether inference returned these functions, and none of their entries has been replaced since. */
export function isInferred(table: TypeTable, functions: ReadonlyMap<string, Func>): boolean {
  const { finished, dependentWrites } = storeOf(table);
  return finished.get(functions) === dependentWrites;
}

export const isUsed = (table: TypeTable): boolean => storeOf(table).isUsed;

function makeStore(): TypeStore {
  return {
    _tag: 'TypeTable',
    entries: largeWeakMap(),
    signatures: new Map(),
    annotated: new WeakMap(),
    views: new WeakMap(),
    hasFacts: false,
    dependentWrites: 0,
    finished: new WeakMap(),
    isUsed: false,
  };
}

// Every table is made by `makeStore`; the rest of a store is hidden from the public type.
const storeOf = (table: TypeTable): TypeStore => table as TypeStore;

function makeView(store: TypeStore, functions: ReadonlyMap<string, Func>): TypeView {
  const { entries } = store;
  const declared = new Map<string, Signature>();
  let judged = new Map<Dependence, boolean>();
  let replaced: [Expr, TableEntry][] = [];

  const signature = (name: string): Signature | undefined => {
    const stated = declared.get(name);
    if (stated !== undefined) return stated;
    const f = functions.get(name);
    return f === undefined ? undefined : annotatedSignature(store, name, f);
  };
  const judge = (root: Dependence): boolean => {
    const pending = [root];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (judged.has(next)) continue;
      if (next._tag === 'Signature') {
        judged.set(next, signature(next.name) === next);
        continue;
      }
      const left = judged.get(next.left);
      const right = judged.get(next.right);
      if (left !== undefined && right !== undefined) {
        judged.set(next, left && right);
        continue;
      }
      pending.push(next, next.left, next.right);
    }
    return judged.get(root) === true;
  };

  const holds = (entry: TableEntry): boolean => {
    const { dependence } = factsIn(entry);
    return dependence === undefined || (judged.get(dependence) ?? judge(dependence));
  };

  return {
    read: (expr) => {
      const found = entries.get(expr);
      if (found === undefined || !holds(found)) return undefined;
      return found._tag === 'DependentType' ? found.type : found;
    },
    entry: (expr) => entries.get(expr),
    holds,
    facts: (expr) => (store.hasFacts ? factsIn(entries.get(expr)) : NO_FACTS),
    undo: () => {
      for (const [expr, entry] of replaced.reverse()) entries.set(expr, entry);
      if (replaced.length > 0) store.dependentWrites++;
      replaced = [];
    },
    write: (expr, type, facts, old) => {
      if (old !== undefined) replaced.push([expr, old]);
      if (hasNoFacts(facts)) {
        entries.set(expr, type);
        return;
      }
      store.hasFacts = true;
      store.dependentWrites++;
      entries.set(expr, { _tag: 'DependentType', type, facts });
    },
    signature,
    declare: (name, type) => {
      declared.set(name, intern(store, name, type));
      if (judged.size > 0) judged = new Map();
    },
    untypable: new WeakSet(),
  };
}

/** The signature in a function's annotations, if they are complete. */
function annotatedSignature(store: TypeStore, name: string, f: Func): Signature | undefined {
  const old = store.annotated.get(f);
  if (old !== undefined && old !== 'incomplete' && old.name === name) return old;
  if (old === 'incomplete') return undefined;
  const type = annotatedType(f);
  const found = type === undefined ? undefined : intern(store, name, type);
  store.annotated.set(f, found ?? 'incomplete');
  return found;
}

/** The type in a function's annotations, if they are complete and without holes. */
function annotatedType(f: Func): FuncType | undefined {
  const params: Type[] = [];
  for (const { typeAnnotation } of f.params) {
    if (typeAnnotation === undefined || !isClosed(typeAnnotation)) return undefined;
    params.push(typeAnnotation);
  }
  if (f.retType === undefined || !isClosed(f.retType)) return undefined;
  return funcType(params, f.retType, f.typeParams, f.constraints);
}

function intern(store: TypeStore, name: string, type: FuncType): Signature {
  const known = store.signatures.get(name);
  const old = known?.find((s) => sameType(s.type, type));
  if (old !== undefined) return old;
  const made: Signature = { _tag: 'Signature', name, type };
  if (known === undefined) store.signatures.set(name, [made]);
  else known.push(made);
  return made;
}
