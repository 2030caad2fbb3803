/** The second phase's state: the findings about a definition while its nodes are visited. */
import type { Diagnostic } from '@baton/base';
import type { Call, Expr, Func, Match } from '../../expr/expr.ts';
import type { IRModule } from '../../module/module.ts';
import type { Assumption, TypeView } from '../../module/type-table.ts';
import { type FuncType, funcType, isClosed, type Type } from '../../types/type.ts';
import { incompleteType } from '../../types/variable.ts';
import type { Group } from '../collect/collect.ts';
import { type Entry, isSite, levelOf, newEntry } from '../collect/entry.ts';
import { isAnnotated } from '../collect/part.ts';
import type { Run } from '../run.ts';
import type { Givens } from '../solve/givens.ts';
import type { Where } from '../solve/relations.ts';
import type { Pending, Solver } from '../solve/solver.ts';
import { isGeneral } from '../solve/unify.ts';
import { Annotations } from './annotations.ts';
import { demandType, withOwnParams } from './demand.ts';
import type { RuleContext } from './rule-context.ts';

/** A function literal that gets its most general type, and the start of its waiting relations. */
export interface OpenSite {
  readonly entry: Entry;
  readonly mark: number;
}

/** The types and relations of one definition at a time, as its rules find them. */
export class Constraints implements RuleContext {
  readonly run: Run;
  readonly module: IRModule;
  readonly solver: Solver;
  readonly view: TypeView;
  group: Group = new Map();
  readonly annotations: Annotations;
  /** The number of waiting relations at the start of each function of the group. */
  marks: number[] = [];
  /** The nodes kept aside, in order of completion. */
  late: Entry[] = [];
  /** Types with holes for those functions of the group whose annotations are not complete. */
  readonly openTypes: Map<string, FuncType> = new Map();
  /** The functions of the group that functions of the group call. */
  readonly called: Set<string> = new Set();
  /** The functions whose own bodies the walk is in, and their calls there. */
  readonly recursing: Map<Expr, Func> = new Map();
  readonly ownCalls: Map<Call, Func> = new Map();
  readonly misfits: Set<Match> = new Set();
  /** The sites around the current node, innermost last. */
  openSites: OpenSite[] = [];
  /** Constraints of inner functions about types that were unknown there. */
  openConstraints: Pending[] = [];
  /** The remaining work for the time when literals have their dtypes. */
  unsettled: (() => void)[] = [];
  /** Assumptions of known nodes that the surrounding functions have taken over. */
  readonly recalled: Set<Assumption> = new Set();
  givens: Givens | undefined;
  reports = 0;
  /** Whether the cause of a missing type was reported elsewhere. */
  isSilenced = false;
  /** The nodes kept aside, variables without types, and all nodes whose levels matter. */
  readonly entries: Map<Expr, Entry> = new Map();
  readonly owed: Map<Func, Type> = new Map();
  readonly #collections = [
    this.openTypes,
    this.called,
    this.recursing,
    this.ownCalls,
    this.misfits,
    this.recalled,
    this.entries,
    this.owed,
  ];

  constructor(run: Run) {
    this.run = run;
    this.module = run.module;
    this.solver = run.solver;
    this.view = run.view;
    this.annotations = new Annotations(run.module, this.report);
  }

  /** Clears the findings, and starts with another group. */
  begin(group: Group): void {
    this.group = group;
    this.reports = 0;
    this.isSilenced = false;
    this.givens = undefined;
    this.marks = [];
    this.late = [];
    this.openSites = [];
    this.openConstraints = [];
    this.unsettled = [];
    for (const found of this.#collections) if (found.size > 0) found.clear();
    this.annotations.begin();
    this.solver.begin(this.report);
    for (const [name, f] of group) {
      if (this.view.signature(name) !== undefined) continue;
      // Inside the group each has one type: its parameters are its own body's.
      const result = f.retType ?? this.solver.fresh();
      this.openTypes.set(name, funcType(f.params.map(this.typeOf), result));
      this.owed.set(f, result);
    }
  }

  readonly report = (d: Diagnostic): void => {
    this.reports++;
    this.run.report(d);
  };

  readonly typeOf = (node: Expr): Type => {
    if (node._tag === 'Var' && isAnnotated(node)) return node.typeAnnotation as Type;
    const known = this.entries.get(node)?.type ?? this.view.read(node);
    if (known !== undefined) return known;
    if (node._tag !== 'Var') return incompleteType();
    if (node.typeAnnotation !== undefined) this.solver.adopt(node.typeAnnotation);
    const type = node.typeAnnotation ?? this.solver.fresh();
    this.keep(node, type);
    return type;
  };

  entryOf(node: Expr): Entry {
    const known = this.entries.get(node);
    if (known !== undefined) return known;
    const made = newEntry(node);
    this.entries.set(node, made);
    return made;
  }

  /** Keeps a node aside, with a type that may have holes. */
  keep(node: Expr, type: Type): void {
    const entry = this.entryOf(node);
    if (entry.type === undefined) this.late.push(entry);
    entry.type = type;
  }

  lateType(node: Expr): Type | undefined {
    return this.entries.get(node)?.type;
  }

  readonly hasSignature = (name: string): boolean => !this.openTypes.has(name);

  /** Moves to a node: the next steps are about it. */
  goTo(node: Expr, entry: Entry | undefined): void {
    this.solver.goTo(node, this.givens, levelOf(entry));
  }

  global(name: string): Type | undefined {
    if (this.group.has(name)) this.called.add(name);
    const known = this.openTypes.get(name) ?? this.view.signature(name)?.type;
    if (known !== undefined || !this.module.functions.has(name)) return known;
    // A function whose own definition failed has no type; that was reported there.
    this.isSilenced = true;
    return incompleteType();
  }

  readonly checkTypeArg: RuleContext['checkTypeArg'] = (arg, span) =>
    this.annotations.checkTypeArg(arg, span);

  /** A function demanded as a polymorphic one declares the type parameters itself. */
  demand(expected: Type, part: Expr, what: string, span: Where): Type | undefined {
    const { solver } = this;
    const wanted = solver.head(expected);
    if (!isGeneral(wanted)) return solver.unify(expected, this.typeOf(part), what, span);
    const found = solver.resolve(this.typeOf(part));
    const entry = this.entries.get(part);
    const literal = entry === undefined || isSite(entry) ? undefined : entry.literal;
    if (literal?.uses !== 1 || isClosed(found) || found._tag !== 'FuncType') {
      return demandType(expected, found, what, span, solver);
    }
    const own = withOwnParams(wanted);
    if (demandType(own, found, what, span, solver) === undefined) return undefined;
    solver.assumingFor(own.constraints, literal.from, literal.to);
    const constraints = [...found.constraints, ...own.constraints];
    this.keep(part, funcType(own.params, own.result, own.typeParams, constraints));
    return wanted;
  }
}
