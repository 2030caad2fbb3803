/** The state of one export. */
import type { Span } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Problems } from '../problems.ts';
import type { Draft, DraftNode } from './draft.ts';

export interface ExportRun {
  readonly module: IRModule;
  /** The version of ONNX's operator set to write. */
  readonly opset: number;
  /** The name of the program, for diagnostics of parts without an origin. */
  readonly source: string;
  readonly problems: Problems;
  /** The domains of the operators that are not ONNX's own. */
  readonly domains: Set<string>;
  /** The latest version that a part of the program needs. */
  wanted: number;
  /** The number of nodes that may still be added. */
  nodesLeft: number;
}

/** The most nodes of a file: functions are inlined, which may multiply them. */
export const MAX_NODES = 2 ** 20;

/** A place in the program that adds nodes to a graph. */
export interface Site {
  readonly run: ExportRun;
  readonly draft: Draft;
  /** The place in diagnostics. */
  readonly span: Span;
  /** The place that the program states. */
  readonly origin: Span | undefined;
}

/** Adds a node to the graph. */
export function addNode({ run, draft, origin }: Site, node: Omit<DraftNode, 'span'>): void {
  run.nodesLeft--;
  if (run.nodesLeft >= 0) draft.nodes.push({ ...node, span: origin });
}
