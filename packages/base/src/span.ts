/** The origin of a piece of program: text, an imported graph, builder code, or several of them. */

import { postOrder } from './dag.ts';

/** A named text. All spans of a text share this object, so that each can be shown. */
export interface SourceText {
  readonly name: string;
  readonly text: string;
  /**
   * The place at which the text of a node, `whole`, mentions the node's part `index`. The parser
   * attaches this function to its texts; messages call it.
   */
  mentionOf?(node: object, index: number, whole: TextSpan): TextSpan | undefined;
}

/** A range of source text. Lines and columns count from 1; `endColumn` is exclusive. */
export interface TextSpan {
  readonly _tag: 'TextSpan';
  readonly source: SourceText;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A node of an imported graph, for example an ONNX node. */
export interface NodeSpan {
  readonly _tag: 'NodeSpan';
  /** Name of the graph or file. */
  readonly source: string;
  /** The node's name, or a name made from its position. */
  readonly name: string;
  readonly op: string;
}

/** A call in builder code, with the name that the builder gave it. */
export interface BuilderSpan {
  readonly _tag: 'BuilderSpan';
  readonly name: string;
}

/** Several origins, kept as a DAG, so that merging costs O(1) however long the history. */
export interface MergedSpan {
  readonly _tag: 'MergedSpan';
  readonly parts: ReadonlyArray<Span>;
}

export type Span = TextSpan | NodeSpan | BuilderSpan | MergedSpan;

/** A single origin, as opposed to a merge of several. */
export type SpanLeaf = Exclude<Span, MergedSpan>;

export const textSpan = (
  source: SourceText,
  line: number,
  column: number,
  endLine: number,
  endColumn: number,
): TextSpan => ({ _tag: 'TextSpan', source, line, column, endLine, endColumn });

export const nodeSpan = (source: string, name: string, op: string): NodeSpan => ({
  _tag: 'NodeSpan',
  source,
  name,
  op,
});

export const builderSpan = (name: string): BuilderSpan => ({ _tag: 'BuilderSpan', name });

/** The union of several origins, in time linear in their number. */
export function mergeSpans(...spans: ReadonlyArray<Span | undefined>): Span | undefined {
  const parts: Span[] = [];
  for (const span of spans) {
    if (span !== undefined && !parts.includes(span)) parts.push(span);
  }
  return parts.length <= 1 ? parts[0] : { _tag: 'MergedSpan', parts };
}

/** Each single origin in `span` once, in order of first appearance. **Complexity** linear. */
export const spanLeaves = (span: Span | undefined): ReadonlyArray<SpanLeaf> =>
  postOrder(partsOf, span === undefined ? [] : [span]).filter((part) => part._tag !== 'MergedSpan');

const partsOf = (span: Span): ReadonlyArray<Span> => (span._tag === 'MergedSpan' ? span.parts : []);

/** `file:line:column`, `file: Conv conv1`, `builder conv1`: an origin in words. */
export function printSpan(span: Span): string {
  switch (span._tag) {
    case 'TextSpan':
      return `${span.source.name}:${span.line}:${span.column}`;
    case 'NodeSpan':
      return `${span.source}: ${span.op} ${span.name}`;
    case 'BuilderSpan':
      return `builder ${span.name}`;
    case 'MergedSpan':
      return spanLeaves(span).map(printSpan).join(', ');
  }
}
