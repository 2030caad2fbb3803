import { type IRModule, irModule, structuralEqual, wellFormed } from '@baton/ir';
import { importStd, mergeModules, parseModule, printModule, type StdFile } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { ops } from './text-ops.ts';
import { mod } from './text-support.ts';

const FILES: ReadonlyArray<StdFile> = ['prelude.rly', 'nat.rly', 'gradient.rly', 'core.rly'];

function imported(...files: ReadonlyArray<StdFile>): IRModule {
  return files.reduce((m, file) => {
    const next = importStd(m, file);
    if (next._tag === 'Left') throw new Error(next.left.map((d) => d.message).join('\n'));
    return next.right;
  }, irModule({ ops }));
}

const codes = (m: ReturnType<typeof importStd>): ReadonlyArray<string> =>
  m._tag === 'Left' ? m.left.map((d) => d.code) : [];

describe('the library', () => {
  it('defines the list of language §10', () => {
    const prelude = imported('prelude.rly');
    expect([...prelude.typeDefinitions.keys()]).toEqual(['List', 'Option', 'Tree']);
    expect([...prelude.constructors.keys()]).toEqual(['Cons', 'Nil', 'Some', 'None', 'Rose']);
    const names =
      'id compose flip hd tl nth length update map foldl foldr foldr1 sum concat filter zip rev ' +
      'map_accumr map_accuml unfoldr unfoldl tmap size iterate';
    expect([...prelude.functions.keys()]).toEqual(names.split(' '));
    const nat = 'nat_double nat_add nat_nth nat_update nat_iterate'.split(' ');
    expect([...imported('nat.rly').functions.keys()].slice(-5)).toEqual(nat);
    const gradient = ['FromGradCell', 'MultiplyGradCell', 'AddGradCell'];
    expect([...imported('gradient.rly').functions.keys()]).toEqual(gradient);
    expect(imported('core.rly').typeDefinitions.get('Storage')?.extern).toBe(true);
  });

  it('is well-formed, and C074 prints and parses back to itself', () => {
    const all = imported(...FILES);
    expect(wellFormed(all)).toEqual([]);
    const text = printModule(all);
    const again = mod(text.replace(/^.*\n/, ''));
    expect(structuralEqual(again, all)).toBe(true);
    expect(printModule(again)).toBe(text);
  });

  it('is imported once, with its dependencies', () => {
    const nat = imported('nat.rly');
    expect([...nat.imports]).toEqual(['prelude.rly', 'nat.rly']);
    expect(importStd(nat, 'prelude.rly')).toEqual({ _tag: 'Right', right: nat });
    expect(imported('prelude.rly', 'nat.rly').functions.size).toBe(nat.functions.size);
  });

  it('can be named by a module that is read with it', () => {
    const context = imported('prelude.rly');
    const m = mod('def @main() { @length(Cons(1, Nil)) }', { context });
    expect(m.functions.size).toBe(context.functions.size + 1);
    expect(m.imports.has('prelude.rly')).toBe(true);
    expect(m.typeDefinitions.get('List')).toBe(context.typeDefinitions.get('List'));
  });
});

describe('an import', () => {
  it('refuses names that stand for something else', () => {
    expect(codes(importStd(mod('def @map() { 1 }'), 'prelude.rly'))).toEqual(['IMPORT_CLASH']);
    expect(codes(importStd(mod('type List { }'), 'prelude.rly'))).toEqual(['IMPORT_CLASH']);
    expect(codes(importStd(mod('type Mine { Cons }'), 'prelude.rly'))).toEqual(['IMPORT_CLASH']);
    const twice = parseModule('#[version = "0.0.5"]\ndef @map() { 1 } type List { Cons }', {
      ops,
      context: imported('prelude.rly'),
    });
    expect(codes(twice)).toEqual(['NAME_TWICE', 'NAME_TWICE', 'NAME_TWICE']);
  });

  it('refuses files that there are not', () => {
    const m = irModule({ ops });
    expect(codes(importStd(m, '__proto__' as StdFile))).toEqual(['IMPORT_UNKNOWN']);
  });

  it('keeps equal definitions, and joins the rest', () => {
    const a = mod('type A[t] { X(t) } def @f(%x: A[int8]) { %x }');
    const b = mod('type A[u] { X(u) } type B { Y } def @f(%y: A[int8]) { %y } def @g() { Y }');
    const merged = mergeModules(a, b);
    expect(merged._tag === 'Right' && [...merged.right.functions.keys()]).toEqual(['f', 'g']);
    expect(merged._tag === 'Right' && [...merged.right.constructors.keys()]).toEqual(['X', 'Y']);
    expect(merged._tag === 'Right' && merged.right.functions.get('f')).toBe(a.functions.get('f'));
  });
});
