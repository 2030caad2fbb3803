/** A pass that writes into its input is told so, whichever field of whichever node it writes. */
import { isLeft, isRight, orThrow, right } from '@baton/base';
import { type Expr, inferTypes, postOrderExprs, tensorType } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { pass, runPass } from '@baton/pass-manager';
import { scalar } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const read = () =>
  orThrow(
    inferTypes(
      orThrow(
        parseModule(
          `#[version = "0.0.5"]
type List[A] { Cons(A, List[A]), Nil }
def @g[A](%y: A) -> A { %y }
def @main(%x: Tensor[(2, 3), float32], %c: bool, %l: List[int32]) -> (Tensor[(2, 3), float32], int32) {
  let %r = ref(1f);
  let %w = ref_write(%r, 2f + ref_read(%r));
  let %f = fn (%z: int32, Inline=1) -> int32 { @g(%z) };
  let %n = match (%l) { Cons(%h, _) => %h, Nil => 0 };
  (if (%c) { sum(%x, axis=[0], keepdims=True) + %x } else { %x }, (%f(%n), Cons(1, %l)).0)
}`,
          { ops: standardOps },
        ),
      ),
    ),
  );

type Record_ = Record<string, unknown>;

/** A title, the tag of the node, and what is written into it. */
const WRITES: ReadonlyArray<readonly [string, Expr['_tag'], (node: Record_) => void]> = [
  ['the name of a variable', 'Var', (v) => (v.nameHint = 'other')],
  ['the type of a variable', 'Var', (v) => (v.typeAnnotation = tensorType([9], 'bool'))],
  ['the name of a global', 'GlobalVar', (v) => (v.nameHint = 'other')],
  ['the name of an operator', 'Op', (v) => (v.name = 'multiply')],
  ['the name of a constructor', 'Constructor', (v) => (v.nameHint = 'Nil')],
  ['the tag of a constructor', 'Constructor', (v) => (v.tag = 77)],
  ['the tensor of a constant', 'Constant', (v) => (v.data = scalar(7, 'float32'))],
  ['an element of a constant', 'Constant', (v) => ((v.data as { data: number[] }).data[0] = 7)],
  ['the index of a field', 'TupleGetItem', (v) => (v.index = 1)],
  ['the attributes of a call', 'Call', (v) => (v.attrs = { axis: [1] })],
  ['an attribute of a call', 'Call', (v) => ((v.attrs as Record_).exclude = true)],
  ['the type arguments of a call', 'Call', (v) => (v.typeArgs = [tensorType([9], 'bool')])],
  ['the arguments of a call', 'Call', (v) => (v.args = [])],
  ['the callee', 'Call', (v) => (v.op = (v.args as Expr[])[0])],
  ['the type of a result', 'Function', (v) => (v.retType = undefined)],
  ['the attributes of a function', 'Function', (v) => (v.attrs = { Primitive: 1 })],
  ['the type parameters', 'Function', (v) => (v.typeParams = [])],
  ['the parameters', 'Function', (v) => (v.params = [])],
  ['the fields of a tuple', 'Tuple', (v) => (v.fields as Expr[]).reverse()],
  ['the branches', 'If', (v) => (v.trueBranch = v.falseBranch)],
  ['the variable of a let', 'Let', (v) => (v.variable = { ...(v.variable as object) })],
  ['whether a match is complete', 'Match', (v) => (v.complete = false)],
  ['the order of clauses', 'Match', (v) => (v.clauses as unknown[]).reverse()],
  [
    'a pattern',
    'Match',
    (v) =>
      (((v.clauses as Record_[])[0] as Record_).pattern = (v.clauses as Record_[])[1]?.pattern),
  ],
  [
    'the content of a reference',
    'RefCreate',
    (v) => (v.value = { ...(v.value as object), nameHint: 'a' }),
  ],
  ['a reference that is read', 'RefRead', (v) => (v.ref = { ...(v.ref as object) })],
  ['a reference that is written', 'RefWrite', (v) => (v.ref = v.value)],
];

test.each(WRITES)('%s', (_, tag, write) => {
  const writer = pass({
    name: 'Writer',
    doc: 'Writes where it must not.',
    level: 0,
    run: (m) => {
      const nodes = postOrderExprs([...m.functions.values()]).filter((one) => one._tag === tag);
      expect(nodes.length).toBeGreaterThan(0);
      // Of several functions the one with type parameters; of several calls the one with attributes.
      const rich = nodes.find((one) =>
        one._tag === 'Function'
          ? one.typeParams.length > 0
          : one._tag === 'Call' && Object.keys(one.attrs ?? {}).length > 1,
      );
      write((rich ?? nodes[0]) as unknown as Record_);
      return right(m);
    },
  });
  const found = runPass(writer, { config: { 'testing.immutable_module': true } })(read());
  expect(isLeft(found) && found.left[0].code).toBe('PASS_MUTATED');
});

test('a pass that writes nothing is not told', () => {
  const reader = pass({ name: 'Reader', doc: 'Reads.', level: 0, run: (m) => right(m) });
  expect(isRight(runPass(reader, { config: { 'testing.immutable_module': true } })(read()))).toBe(
    true,
  );
});
