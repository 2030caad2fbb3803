/** The attributes of operators that constraints in JSON name. */
import { isLeft, orThrow } from '@baton/base';
import { inferTypes } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { decodeModule, encodeModule, parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const TEXT = `#[version = "0.0.5"]
def @main(%f: (fn [A, B](A) -> B where nn.softmax(A, B)), %x: Tensor[(2, 3), float32]) { %f(%x) }
`;

/** The codes of a module whose constraint has these attributes. */
function codes(attrs: unknown): ReadonlyArray<string> {
  const data = JSON.parse(
    JSON.stringify(encodeModule(orThrow(parseModule(TEXT, { ops })))),
    (key, value) => (key === 'constraints' && value.length > 0 ? [{ ...value[0], attrs }] : value),
  );
  const read = decodeModule(data, { ops });
  const typed = isLeft(read) ? read : inferTypes(read.right);
  return isLeft(typed) ? typed.left.map(({ code }) => code) : [];
}

describe('a constraint with the attributes of its operator', () => {
  it.each([
    [[['axis', -1]], []],
    [[], ['TYPE_ATTRS_INCOMPLETE']],
    [[['xis', -1]], ['ATTR_UNKNOWN']],
    [[['axis', 'x']], ['ATTR_TYPE']],
    [[['axis', null]], ['ATTR_TYPE']],
    [[['axis', [1]]], ['ATTR_TYPE']],
    [
      [
        ['axis', 1],
        ['more', 1],
      ],
      ['ATTR_UNKNOWN'],
    ],
  ])('%j', (attrs, expected) => {
    expect(codes(attrs)).toEqual(expected);
  });
});

describe('a constraint without a result', () => {
  it.each(['Identity()', 'nn.softmax()', 'Broadcast(A)', 'clip()', 'Reduce()'])(
    '%s is a diagnostic',
    (where) => {
      const attrs = where === 'clip()' ? 'clip(a_min=0, a_max=1)' : where;
      const m = parseModule(
        `#[version = "0.0.5"]
def @main(%f: (fn [A, B](A) -> B where ${attrs}), %x: Tensor[(2, 3), float32]) { %f(%x) }
def @g[A, B](%x: A) -> B where ${attrs} { @g(%x) }`,
        { ops },
      );
      const typed = isLeft(m) ? m : inferTypes(m.right);
      expect(isLeft(typed)).toBe(true);
    },
  );
});
