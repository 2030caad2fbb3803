/**
 * AnnotateSpans: every node gets a place in the program's own text.
 * [language §9](https://batonjs.github.io/baton/spec/language#9).
 */
import { isLeft, right } from '@baton/base';
import { irModule } from '@baton/ir';
import { inferType, type Pass, pass } from '@baton/pass-manager';
import { parseModule, printModule } from '@baton/text';

/** The name of the text in messages. */
const SOURCE = 'GeneratedSource';

/**
 * Prints the module, and reads it again under the name `GeneratedSource`: messages about a program
 * that no text made point into this text. Where nodes came from before is forgotten.
 *
 * **Complexity** linear in the text.
 */
export const annotateSpans: Pass = pass({
  name: 'AnnotateSpans',
  doc: 'Gives nodes spans in the text of the program.',
  level: 0,
  requires: [inferType],
  run: (m) => {
    const text = printModule(m, { showTypes: false, meta: 'section' });
    const read = parseModule(text, { ops: m.ops, source: SOURCE });
    return isLeft(read) ? read : right(irModule({ ...read.right, imports: m.imports }));
  },
});
