import { orThrow } from '@baton/base';
import { detectFeatures, type IRModule, inferTypes, structuralEqual } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { checkBasicBlockNormalForm, passes } from '@baton/passes';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const read = (text: string): IRModule => {
  const source = `#[version = "0.0.5"] ${text}`;
  return orThrow(inferTypes(orThrow(parseModule(source, { ops: standardOps, source: 'text' }))));
};

const REFERENCES = `def @main() -> int32 {
  let %i = ref(1); let %a = ref_read(%i); let %u = ref_write(%i, 2); let %b = ref_read(%i);
  %a + %b
}`;

const bound = (m: IRModule): IRModule => orThrow(runPass(passes.toANormalForm)(m)).module;
const graph = (m: IRModule): IRModule => orThrow(runPass(passes.toGraphNormalForm)(m)).module;

test('references are made, read and written in the order that they were (C274)', () => {
  const wanted = `def @main() -> int32 {
    let %v = 1; let %i = ref(%v); let %a = ref_read(%i); let %v1 = 2;
    let %u = ref_write(%i, %v1); let %b = ref_read(%i); let %v2 = add(%a, %b); %v2
  }`;
  expect(printModule(bound(read(REFERENCES)))).toBe(printModule(read(wanted)));
});

const blocks = (m: IRModule): IRModule => orThrow(runPass(passes.toBasicBlockNormalForm)(m)).module;

describe('a stateful value that branches share', () => {
  const m = read(`def @main(%c: bool, %r: ref(int32)) -> int32 {
    %0 = ref_read(%r); if (%c) { %0 } else { let %u = ref_write(%r, 7); %0 }
  }`);

  test('stays one node, which each branch of A-normal form binds', () => {
    const wanted = `def @main(%c: bool, %r: ref(int32)) -> int32 {
      %0 = ref_read(%r);
      let %v = if (%c) { let %v1 = %0; %v1 } else {
        let %v2 = 7; let %u = ref_write(%r, %v2); let %v3 = %0; %v3
      };
      %v
    }`;
    expect(printModule(bound(m))).toBe(printModule(read(wanted)));
    const once = bound(m);
    expect(bound(once)).toBe(once);
  });

  test('stays where it is in basic-block normal form', () => {
    expect(blocks(m)).toBe(m);
    expect(checkBasicBlockNormalForm(m)).toBe(true);
  });
});

test('a stateful value that the block itself needs first is bound there', () => {
  const m = read(`def @main(%r: ref(int32)) -> int32 {
    %0 = ref_read(%r); if (%0 == 1) { %0 } else { let %u = ref_write(%r, 7); %0 }
  }`);
  const wanted = `def @main(%r: ref(int32)) -> int32 {
    let %v = ref_read(%r); let %v1 = 1; let %v2 = equal(%v, %v1);
    let %v3 = if (%v2) { %v } else { let %v4 = 7; let %u = ref_write(%r, %v4); %v };
    %v3
  }`;
  expect(printModule(bound(m))).toBe(printModule(read(wanted)));
});

test('a function that binds references is no graph (B6)', () => {
  const m = read(REFERENCES);
  expect(graph(m)).toBe(m);
});

describe('A-normal form', () => {
  const programs: ReadonlyArray<readonly [string, string]> = [
    ['shared sums', 'def @main() { %0 = 1 + 1; %1 = %0 + %0; %1 + %1 }'],
    ['a tuple', 'def @main(%x: int32) { %0 = (%x, negative(%x)); %0.0 + %0.1 }'],
    ['a function', 'def @main(%x: int32) { let %f = fn (%y: int32) { %y + %y }; %f(%f(%x)) }'],
    [
      'nested conditions',
      `def @main(%c: bool, %x: int32) {
        %0 = %x + %x; if (%c) { if (%c) { %0 } else { %x } } else { %0 * %0 }
      }`,
    ],
  ];
  test.each(programs)('of %s shares nothing, and its graph is the program', (_title, text) => {
    const m = read(text);
    const normal = bound(m);
    for (const f of normal.functions.values()) expect(detectFeatures(f).has('Graph')).toBe(false);
    expect(bound(normal)).toBe(normal);
    expect(structuralEqual(graph(normal), graph(m))).toBe(true);
  });
});
