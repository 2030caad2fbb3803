/** The origin of a node in words for the page. */
import { printSpan, type Span, type SpanLeaf, spanLeaves } from '@baton/base';

/** A place in words: an ONNX node by operator and name, a builder's call by name, a text line. */
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

/** Every place of a span, each once, in order. */
export const placeTexts = (span: Span | undefined): ReadonlyArray<string> => [
  ...new Set(spanLeaves(span).map(placeText)),
];
