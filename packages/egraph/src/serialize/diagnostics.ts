import { type Diagnostic, diagnostic } from '@baton/base';

/** Data that is not a serialised e-graph. */
export const badGraphData = (path: string, expected: string): Diagnostic =>
  diagnostic('EGRAPH_BAD_DATA', `expected ${expected} at ${path}`, {
    hint: 'the format is that of the package egraph-serialize',
  });

/** Classes of which every node needs the class itself. */
export const classWithoutTerm = (eclass: string): Diagnostic =>
  diagnostic('EGRAPH_CLASS_WITHOUT_TERM', `class ${eclass} holds no finite term`, {
    hint: 'every node of the class needs, directly or not, the class itself',
  });
