import { orThrow, printSpan } from '@baton/base';
import {
  binders,
  copyFunction,
  type Expr,
  type Func,
  inferTypes,
  postOrderExprs,
  structuralEqual,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const LANGUAGE = `#[version = "0.0.5"]
type List[A] { Nil, Cons(A, List[A]) }
def @main(%x: Tensor[(2, 3), float32], %c: bool, %l: List[(int32, int32)], Mark=7) {
  let %r: ref(Tensor[(2, 3), float32]) = ref(%x);
  let %id = fn [A](%a: A, Inner=1) -> A { %a };
  let %go: fn (List[(int32, int32)], int32) -> int32 = fn (%m: List[(int32, int32)], %n: int32) -> int32 {
    match (%m) {
      Cons((%p, _), %rest) => %go(%rest, %n + %p),
      Nil => %n,
    }
  };
  let %add = fn (%a, %b) { add(%a, %b) };
  ref_write(%r, exp(%x));
  %0 = if (%c) { ref_read(%r) } else { tanh(%x) };
  (%id(%0), %id(3), %go(%l, 0), match? (%l) { Nil => 1 }, %add(%x, %x), %add(1, 2), split(%x, indices_or_sections=3, axis=1).1)
}`;

const main = orThrow(
  inferTypes(orThrow(parseModule(LANGUAGE, { ops: standardOps, source: 'language' }))),
).functions.get('main') as Func;

test('a copy is equal, has binders of its own, and comes from where the original does', () => {
  const copy = copyFunction(main);
  expect(structuralEqual(copy, main)).toBe(true);
  const [before, after] = [postOrderExprs([main]), postOrderExprs([copy])];
  const shown = (e: Expr): string => `${e._tag} ${e.span === undefined ? '' : printSpan(e.span)}`;
  expect(after.map(shown)).toEqual(before.map(shown));
  const [bound, made] = [before.flatMap(binders), after.flatMap(binders)];
  expect(made.map((v) => v.nameHint)).toEqual(bound.map((v) => v.nameHint));
  expect(made.filter((v) => bound.includes(v))).toEqual([]);
  const typeParams = (nodes: ReadonlyArray<Expr>) =>
    nodes.flatMap((e) => (e._tag === 'Function' ? e.typeParams : []));
  const known = new Set(typeParams(before));
  expect(typeParams(after).filter((v) => known.has(v))).toEqual([]);
  expect(typeParams(after).length).toBe(known.size);
});
