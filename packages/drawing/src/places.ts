/** Describes the origin of a node for the page. */
import { printSpan, type Span, type SpanLeaf, spanLeaves } from '@baton/base';

/** An ONNX node by operator and name, a builder's call by name, a text by its line. */
export function placeText(leaf: SpanLeaf): string {
  switch (leaf._tag) {
    case 'NodeSpan':
      return `${leaf.op} ${leaf.name}`;
    case 'BuilderSpan':
      return leaf.name;
    case 'TextSpan':
      return printSpan(leaf);
  }
}

export const placeTexts = (span: Span | undefined): ReadonlyArray<string> => [
  ...new Set(spanLeaves(span).map(placeText)),
];
