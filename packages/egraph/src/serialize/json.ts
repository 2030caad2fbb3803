/** E-graphs in the JSON format of the extraction gym. */
import { type Diagnostic, fail, isLeft, ok, type Result, remember } from '@baton/base';
import { badGraphData, classWithoutTerm } from '../diagnostics.ts';
import { EGraph, type EGraphOptions } from '../egraph.ts';
import type { NodeCost } from '../extract/cost.ts';
import { type GraphSource, listClasses, readable } from '../extract/readable.ts';
import type { ClassId } from '../ids.ts';
import { checkOperator, readHead, readLeaf } from '../language.ts';

/** One e-node of the community's format. */
export interface SerializedNode {
  readonly op: string;
  /** Ids of nodes: any node of a class represents the class. */
  readonly children: ReadonlyArray<string>;
  readonly eclass: string;
  readonly cost: number;
}

/** An e-graph in the community's format, ready for `JSON.stringify`. */
export interface SerializedGraph {
  readonly nodes: Readonly<Record<string, SerializedNode>>;
  readonly root_eclasses: ReadonlyArray<string>;
  readonly class_data: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Additions to the nodes. */
export interface SerializeOptions {
  readonly roots?: ReadonlyArray<number>;
  readonly cost?: NodeCost;
}

/** The options of reading: the e-graph to make, and the meaning of an operator's text. */
export interface DeserializeOptions<D> extends EGraphOptions<D> {
  /** By default the language reads an atom, and an operator is its own name. */
  readonly readOperator?: (
    text: string,
    arity: number,
  ) => { readonly name: string; readonly payload: unknown };
}

export interface Deserialized<D> {
  readonly egraph: EGraph<D>;
  readonly roots: ReadonlyArray<ClassId>;
}

/**
 * An e-graph as data in the format of the extraction gym. Nodes are numbered class by class.
 *
 * **Source** the package `egraph-serialize` of the egraphs-good community.
 */
export function toGraphData(
  source: GraphSource,
  { roots = [], cost = () => 1 }: SerializeOptions = {},
): SerializedGraph {
  const graph = readable(source);
  const nodes: Record<string, SerializedNode> = {};
  const idOf = (eclass: number, index: number): string => `${eclass}.${index}`;
  for (const [eclass, listed] of listClasses(graph)) {
    listed.forEach(({ node, label, children }, index) => {
      nodes[idOf(eclass, index)] = {
        op: label,
        children: children.map((child) => idOf(child, 0)),
        eclass: String(eclass),
        cost: cost(node),
      };
    });
  }
  return {
    nodes,
    root_eclasses: roots.map((root) => String(graph.find(root))),
    class_data: {},
  };
}

/**
 * The e-graph that data describes. Nodes are added as soon as their children exist; nodes of one
 * class are united.
 *
 * **Errors** `EGRAPH_BAD_DATA`, `EGRAPH_CLASS_WITHOUT_TERM`, and if the e-graph has a language,
 * `EGRAPH_UNKNOWN_OPERATOR`, `EGRAPH_ARITY_MISMATCH`.
 */
export function fromGraphData<D = undefined>(
  data: unknown,
  options: DeserializeOptions<D> = {},
): Result<Deserialized<D>> {
  const checked = checkData(data);
  if (isLeft(checked)) return checked;
  const { nodes, roots } = checked.right;
  const egraph = new EGraph<D>(options);
  const readOperator =
    options.readOperator ??
    ((text, arity) => (arity === 0 ? readLeaf : readHead)(egraph.language, text));
  const classes = new Map<string, ClassId>();
  /** The nodes that cannot be added before a class. */
  const waiting = new Map<string, SerializedNode[]>();
  const pending = [...nodes.values()];
  for (const node of pending) {
    const { op, eclass } = node;
    const needed = node.children.map((child) => (nodes.get(child) as SerializedNode).eclass);
    const missing = needed.find((other) => !classes.has(other));
    if (missing !== undefined) {
      remember(waiting, missing, () => []).push(node);
      continue;
    }
    const head = readOperator(op, needed.length);
    const wrong = checkOperator(egraph.language, head, needed.length);
    if (wrong) return fail(wrong);
    const children = needed.map((other) => classes.get(other) as ClassId);
    const id = egraph.add(head.name, children, head.payload);
    const known = classes.get(eclass);
    if (known !== undefined) egraph.union(known, id, 'data');
    else {
      classes.set(eclass, id);
      for (const user of waiting.get(eclass) ?? []) pending.push(user);
    }
  }
  const stuck = pending.find(({ eclass }) => !classes.has(eclass));
  if (stuck) return fail(classWithoutTerm(stuck.eclass));
  egraph.rebuild();
  return ok({ egraph, roots: roots.map((root) => egraph.find(classes.get(root) as ClassId)) });
}

/** The data, or the first part that violates the format. */
function checkData(
  data: unknown,
): Result<{ nodes: ReadonlyMap<string, SerializedNode>; roots: ReadonlyArray<string> }> {
  let wrong: Diagnostic | undefined;
  const refuse = <A>(path: string, expected: string, instead: A): A => {
    wrong ??= badGraphData(path, expected);
    return instead;
  };
  const object = (path: string, value: unknown): Readonly<Record<string, unknown>> =>
    isRecord(value) ? value : refuse(path, 'an object', {});
  const text = (path: string, value: unknown): string =>
    typeof value === 'string' ? value : refuse(path, 'a text', '');
  const texts = (path: string, value: unknown): ReadonlyArray<string> =>
    isTexts(value) ? value : refuse(path, 'a list of texts', []);
  const top = object('the top', data);
  const nodes = new Map<string, SerializedNode>();
  for (const [id, node] of Object.entries(object('/nodes', top.nodes))) {
    const at = `/nodes/${id}`;
    const { op, children = [], eclass, cost = 1 } = object(at, node);
    nodes.set(id, {
      op: text(`${at}/op`, op),
      children: texts(`${at}/children`, children),
      eclass: text(`${at}/eclass`, eclass),
      cost: typeof cost === 'number' ? cost : refuse(`${at}/cost`, 'a number', 1),
    });
  }
  const eclasses = new Set([...nodes.values()].map(({ eclass }) => eclass));
  /** Each text of a list names something. */
  const references = (
    path: string,
    list: ReadonlyArray<string>,
    names: { has(name: string): boolean },
    kind: string,
  ): void =>
    list.forEach((name, i) => {
      if (!names.has(name)) refuse(`${path}/${i}`, `the id of a ${kind}`, undefined);
    });
  for (const [id, { children }] of nodes) {
    references(`/nodes/${id}/children`, children, nodes, 'node');
  }
  const roots = texts('/root_eclasses', top.root_eclasses ?? []);
  references('/root_eclasses', roots, eclasses, 'class');
  return wrong ? fail(wrong) : ok({ nodes, roots });
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

const isTexts = (data: unknown): data is ReadonlyArray<string> =>
  Array.isArray(data) && data.every((item) => typeof item === 'string');
