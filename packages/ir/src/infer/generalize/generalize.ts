/**
 * The most general type of a function with a solved body:
 * [types §6.1](https://batonjs.github.io/baton/spec/types#6.1).
 */
import { remember } from '@baton/base';
import { dimOf } from '../../types/dim.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import {
  type FuncType,
  funcType,
  mentionsTypeVars,
  type Type,
  type TypeRelation,
} from '../../types/type.ts';
import { type IncompleteType, type TypeVar, typeVar } from '../../types/variable.ts';
import { RelationTable } from '../solve/relation-table.ts';
import { settleDims } from '../solve/settle.ts';
import { isOpen, type Pending, type Solver } from '../solve/solver.ts';

/** The functions that are generalized together: a function literal, or the functions of a group. */
export interface Site {
  /** The level of holes that arise inside. */
  readonly level: number;
  /** The number of relations that waited before. */
  readonly mark: number;
}

/** The additions to a function's type. */
export interface Generalized {
  readonly typeParams: ReadonlyArray<TypeVar>;
  readonly constraints: ReadonlyArray<Pending>;
}

/** A waiting relation, with its holes. */
interface Waiting {
  readonly inputs: ReadonlySet<IncompleteType>;
  readonly all: ReadonlySet<IncompleteType>;
  /** Whether it mentions a parameter of the functions themselves: callers decide its output. */
  readonly isRigid: boolean;
}

/**
 * Makes type parameters of the holes in `types`, and in the relations between them, that belong to
 * no outer scope; the relations that mention a parameter leave the queue. `declared` are the
 * functions' own parameters.
 *
 * **Complexity** linear in the types and in the relations that wait inside the site.
 */
export function generalize(
  types: ReadonlyArray<Type>,
  declared: ReadonlyArray<TypeVar>,
  site: Site,
  solver: Solver,
): Generalized {
  solver.solve();
  solver.decide(site.mark);
  settleDims(site.level, solver);
  if (waitingIn(site, solver).length === 0) return generalizeTypes(types, site, solver);
  const own = new Set(declared);
  const made = new Map<IncompleteType, TypeVar>();
  for (;;) {
    mergeOutputs(site, solver);
    const waiting = waitingIn(site, solver).map((one) => withHoles(one, own, solver));
    const quantified = quantifiable(types, waiting, site, solver);
    for (const hole of quantified) remember(made, hole, () => typeVar(`t${made.size}`, hole.kind));
    // Shapes, dimensions and dtypes first: a relation may be solved once they are parameters.
    const parts = quantified.filter((hole) => hole.kind !== 'Type');
    const now = parts.length > 0 ? parts : quantified;
    for (const hole of now) {
      const v = made.get(hole) as TypeVar;
      own.add(v);
      bind(hole, v, solver);
    }
    if (now.length === quantified.length) break;
    solver.solve();
  }
  solver.solve();
  const constraints = waitingIn(site, solver).filter((p) => mentions(p.relation, own, solver));
  return { typeParams: [...made.values()].filter((v) => own.has(v)), constraints };
}

/** Like {@link generalize}, without pending relations. */
function generalizeTypes(types: ReadonlyArray<Type>, site: Site, solver: Solver): Generalized {
  const typeParams: TypeVar[] = [];
  for (const hole of solver.holes.openHoles(types)) {
    if (isOuter(hole, site, solver)) continue;
    const v = typeVar(`t${typeParams.length}`, hole.kind);
    typeParams.push(v);
    bind(hole, v, solver);
  }
  if (typeParams.length > 0) solver.solve();
  return { typeParams, constraints: [] };
}

/** Whether a hole belongs to the surroundings of a site, or is a literal's. */
const isOuter = (hole: IncompleteType, { level }: Site, { holes }: Solver): boolean =>
  hole.literal !== undefined || holes.levelOf(hole) < level;

function bind(hole: IncompleteType, v: TypeVar, { holes }: Solver): void {
  if (hole.kind === 'Type') holes.bindType(hole, v);
  else if (hole.kind === 'Shape') holes.bindShape(hole, v);
  else if (hole.kind === 'BaseType') holes.bindDType(hole, v);
  else holes.bindDim(hole, dimOf(v));
}

function waitingIn({ mark, level }: Site, { pending }: Solver): ReadonlyArray<Pending> {
  const found: Pending[] = [];
  for (let i = mark; i < pending.length; i++) {
    const one = pending[i] as Pending;
    if (isOpen(one) && one.level >= level) found.push(one);
  }
  return found;
}

/** The additions to function types: one list of each kind for all functions of a group. */
export interface Additions {
  readonly typeParams: ReadonlyArray<TypeVar>;
  /** Without repetitions. */
  readonly constraints: ReadonlyArray<TypeRelation>;
}

/** The additions with every filled hole replaced. */
export function additionsOf({ typeParams, constraints }: Generalized, solver: Solver): Additions {
  const added = constraints.map((p) => solver.holes.resolveRelation(p.relation));
  return { typeParams, constraints: distinctRelations(added, solver.canonical) };
}

/** The function type with the additions, without repetitions. */
export function generalType(type: FuncType, added: Additions, solver: Solver): FuncType {
  const { typeParams, constraints } = added;
  if (typeParams.length === 0 && constraints.length === 0) return type;
  const all = type.typeParams.length === 0 ? typeParams : [...type.typeParams, ...typeParams];
  const relations =
    type.constraints.length === 0
      ? constraints
      : distinctRelations([...type.constraints, ...constraints], solver.canonical);
  return funcType(type.params, type.result, all, relations);
}

/** The name under which relations are compared: an operator may share a standard one's. */
export type Canonical = (name: string) => string;

/** The relations without exact repetitions. */
export function distinctRelations(
  relations: ReadonlyArray<TypeRelation>,
  canonical: Canonical,
): ReadonlyArray<TypeRelation> {
  if (relations.length < 2) return relations;
  const table = new RelationTable(canonical);
  return relations.filter((relation) => {
    const isNew = table.find(relation, relation.args).length === 0;
    if (isNew) table.add(relation, relation.args);
    return isNew;
  });
}

/** The function type with every filled hole replaced, and no relation twice. */
export function withoutRepetitions(type: FuncType, solver: Solver): FuncType {
  const { params, result, typeParams, constraints } = solver.resolve(type) as FuncType;
  return funcType(params, result, typeParams, distinctRelations(constraints, solver.canonical));
}

/**
 * Unifies the outputs of relations with the same inputs: a relation is a function. Relations are in
 * order of creation, so that one pass sees most consequences.
 */
function mergeOutputs(site: Site, solver: Solver): void {
  for (let isNew = waitingIn(site, solver).length > 1; isNew; ) {
    isNew = false;
    const table = new RelationTable(solver.canonical);
    for (const { relation: stated, span } of waitingIn(site, solver)) {
      const relation = solver.holes.resolveRelation(stated);
      const { args, inputCount } = relation;
      const inputs = args.slice(0, inputCount);
      const [twin] = table.find(relation, inputs);
      if (twin === undefined) {
        table.add(relation, inputs);
        continue;
      }
      const output = solver.head(args[inputCount] as Type);
      const other = solver.head(twin.args[inputCount] as Type);
      if (output === other || output._tag !== 'IncompleteType') continue;
      if (other._tag !== 'IncompleteType') continue;
      solver.unify(output, other, 'a result', span);
      isNew = true;
    }
  }
}

const mentions = (relation: TypeRelation, own: ReadonlySet<TypeVar>, solver: Solver): boolean =>
  relation.args.some((arg) => {
    const type = solver.resolve(arg);
    if (type._tag === 'TypeVar') return own.has(type);
    return mentionsTypeVars(type) && freeTypeVarsOf([type]).some((v) => own.has(v));
  });

const withHoles = (one: Pending, own: ReadonlySet<TypeVar>, solver: Solver): Waiting => {
  const { args, inputCount } = one.relation;
  return {
    inputs: solver.holes.openHoles(args.slice(0, inputCount)),
    all: solver.holes.openHoles(args),
    isRigid: own.size > 0 && mentions(one.relation, own, solver),
  };
};

/**
 * C − E − D of [types §6.1](https://batonjs.github.io/baton/spec/types#6.1), in order of first
 * appearance.
 */
function quantifiable(
  types: ReadonlyArray<Type>,
  waiting: ReadonlyArray<Waiting>,
  site: Site,
  solver: Solver,
): ReadonlyArray<IncompleteType> {
  const { holes } = solver;
  const isOutside = (hole: IncompleteType): boolean => isOuter(hole, site, solver);
  const roots = [...holes.openHoles(types)];
  if (waiting.length === 0) return roots.filter((hole) => !isOutside(hole));
  if (roots.length === 0 && waiting.every((w) => !w.isRigid)) return [];
  const users = new Map<IncompleteType, Waiting[]>();
  for (const one of waiting) {
    for (const hole of one.all)
      remember<IncompleteType, Waiting[]>(users, hole, () => []).push(one);
  }
  const determined = determinedHoles(waiting, users, isOutside);
  const connected = new Set<Waiting>();
  const reached = new Set<IncompleteType>();
  const pending: IncompleteType[] = [];
  const reach = (hole: IncompleteType): void => {
    if (reached.has(hole)) return;
    reached.add(hole);
    pending.push(hole);
  };
  const connect = (one: Waiting): void => {
    if (connected.has(one)) return;
    connected.add(one);
    for (const hole of one.all) reach(hole);
  };
  for (const hole of roots) reach(hole);
  for (let hole = pending.pop(); hole !== undefined; hole = pending.pop()) {
    for (const one of users.get(hole) ?? []) connect(one);
  }
  // Types that depend on the functions' own parameters are found at their calls.
  const rigid = rigidHoles(waiting);
  for (const one of waiting) {
    if ([...one.all].some((hole) => rigid.has(hole))) connected.add(one);
  }
  const ordered = new Set(roots);
  for (const one of waiting) {
    if (!connected.has(one)) continue;
    for (const hole of one.all) if (reached.has(hole) || rigid.has(hole)) ordered.add(hole);
  }
  const open = [...ordered].filter((hole) => !isOutside(hole));
  // Types that the surroundings determine belong to them.
  for (const hole of open) if (determined.has(hole)) holes.setLevel(hole, site.level - 1);
  return open.filter((hole) => !determined.has(hole));
}

/** The outputs of relations whose inputs mention parameters of the functions, and nothing open. */
function rigidHoles(waiting: ReadonlyArray<Waiting>): ReadonlySet<IncompleteType> {
  const rigid = new Set<IncompleteType>();
  for (let size = -1; size < rigid.size; ) {
    size = rigid.size;
    for (const one of waiting) {
      if (!one.isRigid && one.inputs.size === 0) continue;
      if ([...one.inputs].every((hole) => rigid.has(hole))) for (const h of one.all) rigid.add(h);
    }
  }
  return rigid;
}

/** D: the outputs of relations whose inputs the surroundings determine. */
function determinedHoles(
  waiting: ReadonlyArray<Waiting>,
  users: ReadonlyMap<IncompleteType, ReadonlyArray<Waiting>>,
  isOutside: (hole: IncompleteType) => boolean,
): ReadonlySet<IncompleteType> {
  const determined = new Set<IncompleteType>();
  const missing = new Map<Waiting, number>();
  const ready: Waiting[] = [];
  for (const one of waiting) {
    if (one.isRigid) continue;
    const count = [...one.inputs].filter((hole) => !isOutside(hole)).length;
    missing.set(one, count);
    if (count === 0) ready.push(one);
  }
  for (let one = ready.pop(); one !== undefined; one = ready.pop()) {
    for (const hole of one.all) {
      if (isOutside(hole) || determined.has(hole)) continue;
      determined.add(hole);
      for (const user of users.get(hole) ?? []) {
        const left = missing.get(user);
        if (left === undefined || !user.inputs.has(hole)) continue;
        missing.set(user, left - 1);
        if (left === 1) ready.push(user);
      }
    }
  }
  return determined;
}
