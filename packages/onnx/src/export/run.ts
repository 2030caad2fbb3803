/** The state of one export. */
import type { Budget, Diagnostic, Span } from '@baton/base';
import type { IRModule, TensorType } from '@baton/ir';
import { isDType } from '@baton/tensor';
import { laterOpset, notInOnnx } from '../diagnostics.ts';
import type { Problems } from '../problems.ts';
import { elementSince } from '../protobuf/element-type.ts';
import { fitted } from './fitting.ts';
import type { DraftNode, GraphBuilder } from './graph-builder.ts';
import type { ExportTarget } from './options.ts';

export interface ExportRun {
  readonly module: IRModule;
  /** The version of ONNX's operator set to write. */
  readonly opset: number;
  /** Whether the user has chosen that version: a part that needs a later one is then a problem. */
  readonly isChosen: boolean;
  /** What the file is for. */
  readonly target: ExportTarget;
  /** The name of the program, for diagnostics of parts without an origin. */
  readonly source: string;
  readonly problems: Problems;
  /** The domains of the operators that are not ONNX's own. */
  readonly domains: Set<string>;
  /** The latest version that a part of the program needs. */
  wanted: number;
  /** What is left of the limits for constants that writers make. */
  readonly room: Budget;
  /** The number of nodes that may still be added. */
  nodesLeft: number;
}

/** The most nodes of a file: functions are inlined, which may multiply them. */
export const MAX_NODES = 2 ** 20;

/** A place in the program that adds nodes to a graph. */
export interface Site {
  readonly run: ExportRun;
  readonly draft: GraphBuilder;
  /** The place in diagnostics. */
  readonly span: Span;
  /** The place that the program states. */
  readonly origin: Span | undefined;
}

/**
 * Whether the operator set has `what`, which came with `version`. Otherwise a later one is wanted,
 * and that is a problem of this one.
 */
export function need(
  run: ExportRun,
  version: number,
  what: string,
  span: Span,
  report: (...found: ReadonlyArray<Diagnostic>) => void = run.problems.add,
): boolean {
  run.wanted = Math.max(run.wanted, version);
  if (run.opset >= version) return true;
  report(laterOpset(what, version, run.opset, span));
  return false;
}

/** Whether the operator set has the element type of a tensor. */
export const needElementType = (run: ExportRun, { dtype }: TensorType, span: Span): boolean =>
  !isDType(dtype) || need(run, elementSince(dtype), `the element type ${dtype}`, span);

/** Adds a node to the graph, between casts where the operator lacks its types. */
export function addNode({ run, draft, span, origin }: Site, node: Omit<DraftNode, 'span'>): void {
  const fit = fitted(node, run.opset, run.isChosen);
  if (fit._tag === 'Later') need(run, fit.since, fit.what, span);
  if (fit._tag === 'Lacking') run.problems.add(notInOnnx(fit.what, run.opset, span));
  for (const part of fit._tag === 'Nodes' ? fit.nodes : []) {
    for (const { type } of part.outputs) needElementType(run, type, span);
    run.nodesLeft--;
    if (run.nodesLeft >= 0) draft.nodes.push({ ...part, span: origin });
  }
}
