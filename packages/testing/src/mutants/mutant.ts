/** A mutant: passes with one mistake in them, which the fuzz run must notice. */
import { InvariantError, isRight, right } from '@baton/base';
import {
  type Column,
  type Expr,
  type IRModule,
  irModule,
  mapChildren,
  mapFunctions,
  type OpTable,
  rewriteExpr,
  type Step,
} from '@baton/ir';
import { type Pass, pass, sequential } from '@baton/pass-manager';
import { ENROLLED, type Enrolled } from '../fuzz/enrolment.ts';

/** A plausible mistake, as the passes that make it. */
export interface Mutant {
  readonly name: string;
  /** The group whose programs show it. */
  readonly group: string;
  readonly passes: ReadonlyArray<Enrolled>;
}

/** A change of a pass that breaks it. */
export type Mistake = (right: Pass) => Pass;

/** The enrolled passes of these names with a mistake, on the programs of the first, or of `group`. */
export function mutant(name: string, passes: string, mistake: Mistake, group?: string): Mutant {
  const broken = passes.split(', ').map((enrolled) => {
    const found = ENROLLED.find((e) => e.name === enrolled);
    if (found === undefined) throw new InvariantError(`no pass ${enrolled} is enrolled`);
    return { ...found, pass: mistake(found.pass) };
  });
  return { name, group: group ?? broken[0]?.group ?? '', passes: broken };
}

/** A fact about some operators that only the pass gets wrong. */
export const wrongFact = <A>(
  column: Column<A>,
  wrong: (fact: A, name: string) => A | undefined,
): Mistake =>
  wrongTable((ops) => {
    const facts = new Map<string, A>();
    for (const name of ops.names) {
      const fact = ops.read(column, name);
      const changed = fact === undefined ? undefined : wrong(fact, name);
      if (changed !== undefined) facts.set(name, changed);
    }
    return ops.withColumn(column, facts);
  });

/** Stateful operators that the pass takes for pure ones. */
export const noEffects: Mistake = wrongTable((ops) => ({
  ...ops,
  get: (name) => {
    const info = ops.get(name);
    return info && { ...info, effect: 'total' };
  },
}));

function wrongTable(wrong: (ops: OpTable) => OpTable): Mistake {
  return (inner) =>
    around(inner, (m, run) => {
      const given = irModule({ ...m, ops: wrong(m.ops) });
      const made = run(given);
      return made === given ? m : irModule({ ...made, ops: m.ops });
    });
}

/** The program is changed before the pass runs. */
export const before =
  (change: (m: IRModule) => IRModule): Mistake =>
  (inner) =>
    around(inner, (m, run) => run(change(m)));

/** The result is changed, unless the pass changed nothing. */
const after =
  (change: (m: IRModule) => IRModule): Mistake =>
  (inner) =>
    around(inner, (m, run) => {
      const made = run(m);
      return made === m ? m : change(made);
    });

/** A change of the program's nodes before the pass runs. */
export const nodesBefore = (rule: NodeRule): Mistake => before(everywhere(rule));

/** A change of the nodes that the pass made. */
export const nodesAfter = (rule: NodeRule): Mistake => after(everywhere(rule));

/** Another pass instead of the right one. */
export const inPlace =
  (change: (m: IRModule) => IRModule): Mistake =>
  (inner) =>
    around(inner, change);

/** The last pass of a pipeline makes the mistake. */
export const inLast =
  (mistake: Mistake): Mistake =>
  (inner) =>
    sequential(
      inner.passes.map((part, i) => (i === inner.passes.length - 1 ? mistake(part) : part)),
      { name: inner.name },
    );

function around(
  inner: Pass,
  wrong: (m: IRModule, run: (m: IRModule) => IRModule) => IRModule,
): Pass {
  const broken = pass({
    name: inner.name,
    doc: 'Has a mistake.',
    level: inner.level,
    requires: inner.requires,
    passes: [inner],
    needs: inner.needs,
    run: (m, context) => {
      let failed: ReturnType<typeof context.apply> | undefined;
      const made = wrong(m, (given) => {
        const result = context.apply(inner, given);
        if (isRight(result)) return result.right;
        failed = result;
        return given;
      });
      return failed ?? right(made);
    },
  });
  return { ...broken, isPipeline: inner.isPipeline };
}

/** The replacement of a node, if it has one: `next` is `node` with its changed parts. */
type NodeRule = (next: Expr, node: Expr) => Expr | undefined;

/** Changes nodes wherever the rule has an answer. */
export const everywhere =
  (rule: NodeRule) =>
  (m: IRModule): IRModule => {
    const step: Step = (node, get) => {
      const next = mapChildren(node, get);
      return rule(next, node) ?? next;
    };
    return mapFunctions(m, (f) => {
      const next = rewriteExpr(f, step);
      if (next._tag !== 'Function') throw new InvariantError('a function stays one');
      return next;
    });
  };
