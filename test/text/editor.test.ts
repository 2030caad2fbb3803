/** What editors say about valid texts. */
import { isLeft, isRight } from '@baton/base';
import { diagnose, format, openDocument } from '@baton/editor';
import { inferTypes, moduleFromExpr } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { formatText, parseExpr, parseModule } from '@baton/text';
import { expect, it } from 'vitest';
import { isThorough } from '../tier.ts';
import { relayTexts } from './relay-texts.ts';

it('a valid text has the mistakes of inference and no others', () => {
  let typed = 0;
  const some = relayTexts.filter((_, i) => isThorough || i % 4 === 0);
  for (const { name, text } of some) {
    const document = openDocument(text);
    expect(document.reading.diagnostics, name).toEqual([]);
    const asModule = parseModule(text, { ops });
    const asExpr = parseExpr(text, { ops });
    const module = isRight(asModule)
      ? asModule.right
      : isRight(asExpr)
        ? moduleFromExpr(asExpr.right, { ops })
        : expect.fail(name);
    const inferred = inferTypes(module);
    const wanted = isLeft(inferred) ? inferred.left.map(({ message }) => message).sort() : [];
    const found = diagnose(document).map(({ message }) => message);
    expect(found.sort(), name).toEqual(wanted);
    if (wanted.length === 0) typed++;
    expect(format(document), name).toEqual(formatText(text));
  }
  expect(typed).toBeGreaterThan(some.length / 2);
});
