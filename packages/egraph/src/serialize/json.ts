import { type Diagnostic, fail, type Result } from '@baton/base';
import { EGraph, type EGraphOptions } from '../egraph.ts';
import type { NodeCost } from '../extract/cost.ts';
import { type GraphSource, listClasses, readable } from '../extract/readable.ts';
import type { ClassId } from '../ids.ts';
import { readLeaf } from '../language.ts';
import { ok } from '../result.ts';
import { badGraphData, classWithoutTerm } from './diagnostics.ts';

/** One e-node of the community's format. */
export interface SerializedNode {
  readonly op: string;
  /** Ids of nodes: any node of a class stands for the class. */
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

/** What is written besides the nodes. */
export interface SerializeOptions {
  readonly roots?: ReadonlyArray<number>;
  /** The cost of each node; 1 by default. */
  readonly cost?: NodeCost;
}

/** How data is read: the e-graph to make, and what an operator's text means. */
export interface DeserializeOptions<D> extends EGraphOptions<D> {
  /** By default an atom is what the language says it is, and an operator is its own name. */
  readonly readOperator?: (
    text: string,
    arity: number,
  ) => { readonly name: string; readonly payload: unknown };
}

/** An e-graph that was read, and its roots. */
export interface Deserialized<D> {
  readonly egraph: EGraph<D>;
  readonly roots: ReadonlyArray<ClassId>;
}

/**
 * An e-graph as data in the format of the extraction gym. Nodes are numbered class by class.
 *
 * **Source** the package `egraph-serialize` of the egraphs-good community.
 */
export function toGraphData(source: GraphSource, options: SerializeOptions = {}): SerializedGraph {
  const graph = readable(source);
  const cost = options.cost ?? (() => 1);
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
  const roots = (options.roots ?? []).map((root) => String(graph.find(root)));
  return { nodes, root_eclasses: roots, class_data: {} };
}

/**
 * The e-graph that data describes. Nodes are added in the order in which their children exist;
 * those of one class are united.
 *
 * **Errors** `EGRAPH_BAD_DATA`, `EGRAPH_CLASS_WITHOUT_TERM`.
 */
export function fromGraphData<D = undefined>(
  data: unknown,
  options: DeserializeOptions<D> = {},
): Result<Deserialized<D>> {
  const checked = checkData(data);
  if (checked._tag === 'Left') return checked;
  const { nodes, roots } = checked.right;
  const egraph = new EGraph<D>(options);
  const readOperator =
    options.readOperator ??
    ((text, arity) =>
      arity === 0 ? readLeaf(egraph.language, text) : { name: text, payload: undefined });
  const classes = new Map<string, ClassId>();
  let waiting = [...nodes.values()];
  for (let progress = true; progress && waiting.length > 0; ) {
    const later: SerializedNode[] = [];
    for (const node of waiting) {
      const children = node.children.map((id) => classes.get(nodes.get(id)?.eclass ?? ''));
      if (!children.every((child) => child !== undefined)) {
        later.push(node);
        continue;
      }
      const { name, payload } = readOperator(node.op, children.length);
      const id = egraph.add(name, children, payload);
      const known = classes.get(node.eclass);
      if (known === undefined) classes.set(node.eclass, id);
      else egraph.union(known, id, 'data');
    }
    progress = later.length < waiting.length;
    waiting = later;
  }
  const [stuck] = waiting;
  if (stuck !== undefined) return fail(classWithoutTerm(stuck.eclass));
  egraph.rebuild();
  return ok({ egraph, roots: roots.map((root) => egraph.find(classes.get(root) as ClassId)) });
}

interface CheckedData {
  readonly nodes: ReadonlyMap<string, SerializedNode>;
  readonly roots: ReadonlyArray<string>;
}

function checkData(data: unknown): Result<CheckedData> {
  if (!isRecord(data)) return fail(badGraphData('the top', 'an object'));
  if (!isRecord(data.nodes)) return fail(badGraphData('/nodes', 'an object'));
  const nodes = new Map<string, SerializedNode>();
  const eclasses = new Set<string>();
  for (const [id, node] of Object.entries(data.nodes)) {
    const checked = checkNode(`/nodes/${id}`, node);
    if (checked._tag === 'Left') return checked;
    nodes.set(id, checked.right);
    eclasses.add(checked.right.eclass);
  }
  for (const [id, node] of nodes) {
    const at = node.children.findIndex((child) => !nodes.has(child));
    if (at >= 0) return fail(badGraphData(`/nodes/${id}/children/${at}`, 'the id of a node'));
  }
  const roots = data.root_eclasses ?? [];
  if (!isTexts(roots)) return fail(badGraphData('/root_eclasses', 'a list of texts'));
  const at = roots.findIndex((root) => !eclasses.has(root));
  return at >= 0
    ? fail(badGraphData(`/root_eclasses/${at}`, 'the id of a class'))
    : ok({ nodes, roots });
}

function checkNode(path: string, node: unknown): Result<SerializedNode> {
  if (!isRecord(node)) return fail(badGraphData(path, 'an object'));
  const { op, children = [], eclass, cost = 1 } = node;
  const wrong = (field: string, expected: string): Diagnostic =>
    badGraphData(`${path}/${field}`, expected);
  if (typeof op !== 'string') return fail(wrong('op', 'a text'));
  if (typeof eclass !== 'string') return fail(wrong('eclass', 'a text'));
  if (typeof cost !== 'number') return fail(wrong('cost', 'a number'));
  if (!isTexts(children)) return fail(wrong('children', 'a list of texts'));
  return ok({ op, children, eclass, cost });
}

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

const isTexts = (data: unknown): data is ReadonlyArray<string> =>
  Array.isArray(data) && data.every((item) => typeof item === 'string');
