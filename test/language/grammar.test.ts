/** A copy of the grammar with one more kind of node: everything that `pnpm gen` writes follows. */
import { fileURLToPath } from 'node:url';
import {
  type Clause,
  type Expr,
  letIn,
  type Pattern,
  patternVars,
  tuple,
  type Var,
  variable,
} from '@baton/ir';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A script, which has no types. */
const script = (name: string): Promise<object> =>
  import(new URL(`../../scripts/${name}.mjs`, import.meta.url).href);

type Sources = (grammar: object) => ReadonlyMap<string, string>;

const { grammarSources, loadGrammar } = (await script('grammar')) as {
  readonly loadGrammar: (root: string) => Promise<{ readonly [tag: string]: object }>;
  readonly grammarSources: Sources;
};
const { constructSource } = (await script('construct')) as {
  readonly constructSource: (grammar: object) => string;
};
const { jsonNodeSources } = (await script('json-nodes')) as { readonly jsonNodeSources: Sources };

const grammar = await loadGrammar(root);

/** `watch bound = first, ..rest, each pattern => body, last`. */
interface Watch {
  readonly _tag: 'Watch';
  readonly last: Expr;
  readonly bound: Var;
  readonly first: Expr;
  readonly rest: ReadonlyArray<Expr>;
  readonly cases: ReadonlyArray<{ readonly pattern: Pattern; readonly body: Expr }>;
  readonly note: string;
  readonly span: undefined;
  readonly hash: number;
}

const row = {
  doc: 'A kind that is not there.',
  sort: 'compound',
  fields: {
    last: 'callee',
    bound: 'binder',
    first: 'child',
    rest: 'children',
    cases: 'clauses',
    note: 'leaf',
  },
  make: ['watch', 'bound', 'last', 'first', 'rest', 'cases', 'note', 'span'],
};

/** What is written from the copy of the grammar. */
async function written(name: string, folder = 'ir/src/expr'): Promise<Written> {
  const copy = { ...grammar, Watch: row };
  const constructors = 'packages/ir/src/expr/construct.ts';
  const texts = new Map([
    ...grammarSources(copy),
    ...jsonNodeSources(copy),
    [constructors, constructSource(copy)],
  ]);
  const contents = (texts.get(`packages/${folder}/${name}.ts`) ?? '').replace(
    "import * as build from '@baton/ir'",
    `import * as build from '${root}${constructors}'`,
  );
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${root}/packages/${folder}`, loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['baton-source'],
    plugins: [inPlaceOf(constructors, texts.get(constructors) ?? '')],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as Written;
}

/** Another text for a file of the project. */
const inPlaceOf = (path: string, contents: string): Plugin => ({
  name: 'in place',
  setup: ({ onLoad }) => {
    const filter = new RegExp(`${path.replaceAll('.', '[.]')}$`);
    onLoad({ filter }, () => ({ contents, loader: 'ts' }));
  },
});

interface Written {
  readonly watch: (
    bound: Var,
    last: Expr,
    first: Expr,
    rest: ReadonlyArray<Expr>,
    cases: ReadonlyArray<Clause>,
    note: string,
  ) => Watch;
  readonly children: (node: Watch | Expr) => ReadonlyArray<Expr>;
  readonly childAt: (node: Watch | Expr, index: number) => Expr | undefined;
  readonly binders: (node: Watch | Expr) => ReadonlyArray<Var>;
  readonly sortOf: (node: Watch | Expr) => string;
  readonly sameFields: (a: object, b: object, c: object) => boolean;
  readonly mapParts: (node: Watch, parts: object) => Watch;
  readonly encodeNode: (node: Watch, to: object) => object;
  readonly decodeNode: (row: object, path: string, from: object) => Watch;
  readonly nodeRows: { readonly Watch: { is: (row: object) => boolean } };
}

const names = ['bound', 'p', 'q', 'first', 'r0', 'r1', 'b0', 'b1', 'last'] as const;
const vars = Object.fromEntries(names.map((name) => [name, variable(name)])) as Record<
  (typeof names)[number],
  Var
>;
const binding = (v: Var): Pattern => ({ _tag: 'PatternVar', variable: v, span: undefined });
const cases = [
  { pattern: binding(vars.p), body: vars.b0 },
  { pattern: binding(vars.q), body: vars.b1 },
];
const { watch: makeWatch } = await written('construct');
const made = (note: string, rest: ReadonlyArray<Expr> = [vars.r0, vars.r1]): Watch =>
  makeWatch(vars.bound, vars.last, vars.first, rest, cases, note);
const watch = made('n');
const below = [vars.first, vars.r0, vars.r1, vars.b0, vars.b1, vars.last];

const access = await written('access');

test('a kind that is added to a copy of the grammar has a constructor, which hashes it', () => {
  const { last, bound, first, r0, r1 } = vars;
  const fields = { last, bound, first, rest: [r0, r1], cases, note: 'n', span: undefined };
  expect(watch).toEqual({ _tag: 'Watch', ...fields, hash: expect.any(Number) });
  expect(made('n').hash).toBe(watch.hash);
  expect(made('other').hash).not.toBe(watch.hash);
  expect(made('n', [vars.r0]).hash).not.toBe(watch.hash);
});

test('a kind that is added to a copy of the grammar has children, in the order of evaluation', () => {
  expect(access.children(watch)).toEqual(below);
  const found = below.map((_, i) => access.childAt(watch, i));
  expect(found.every((child, i) => child === below[i])).toBe(true);
  expect(access.childAt(watch, below.length)).toBe(undefined);
  expect(access.sortOf(watch)).toBe('compound');
});

test('a kind that is added to a copy of the grammar is made again from other children', async () => {
  const { mapParts } = await written('map-parts');
  expect(mapParts(watch, { child: (child: Expr) => child })).toBe(watch);
  const seen: Expr[] = [];
  const child = (old: Expr): Expr => {
    seen.push(old);
    return tuple([old]);
  };
  const made = mapParts(watch, { child });
  expect(seen.every((child, i) => child === below[i])).toBe(true);
  expect(seen.length).toBe(below.length);
  expect(access.children(made).every((child) => child._tag === 'Tuple')).toBe(true);
  expect(access.binders(made)).toEqual([vars.bound, vars.p, vars.q]);
  expect(made).toMatchObject({ _tag: 'Watch', note: 'n' });
});

test('the other kinds of the grammar do not change', () => {
  const node = letIn(vars.bound, vars.first, tuple([vars.bound]));
  expect(access.children(node)).toEqual([node.value, node.body]);
  expect(access.binders(node)).toEqual([vars.bound]);
});

test('a kind that is added to a copy of the grammar is compared field by field', async () => {
  const { sameFields } = await written('same-fields', 'ir/src/equal');
  const compare = (a: object, b: object) => {
    const pending: Expr[] = [];
    const bound: Var[] = [];
    const isSame = sameFields(a, b, { pending, vars: { bind: (v: Var) => bound.push(v) } });
    return { isSame, bound, next: pending.filter((_, i) => i % 2 === 0).reverse() };
  };
  const same = compare(watch, { ...watch });
  expect(same.isSame).toBe(true);
  expect(same.bound).toEqual([vars.bound, vars.p, vars.q]);
  expect(same.next).toEqual(below);
  expect(compare(watch, { ...watch, note: 'other' }).isSame).toBe(false);
  expect(compare(watch, { ...watch, rest: [] }).isSame).toBe(false);
  expect(compare(watch, vars.first).isSame).toBe(false);
});

test('a kind that is added to a copy of the grammar is copied with other variables', async () => {
  const { mapParts } = await written('map-parts');
  const others = new Map<Expr, Var>(
    Object.values(vars).map((v) => [v, variable(`${v.nameHint}'`)]),
  );
  const next = (v: Expr) => others.get(v) ?? vars.first;
  const made = mapParts(watch, { child: next, binder: next });
  expect(access.children(made)).toEqual(below.map(next));
  expect(access.binders(made)).toEqual([vars.bound, vars.p, vars.q].map(next));
  expect(made).toMatchObject({ _tag: 'Watch', note: 'n' });
  const copy = mapParts(watch, { child: (child: Expr) => child, isCopy: true });
  expect(copy === watch).toBe(false);
  expect(copy).toEqual(watch);
});

test('a kind that is added to a copy of the grammar is written to JSON, and read', async () => {
  const { encodeNode } = await written('encode-node', 'text/src/json');
  const { decodeNode } = await written('decode-node', 'text/src/json');
  const index = (v: Expr): number => [...Object.values(vars)].indexOf(v as Var);
  const row = encodeNode(watch, {
    span: () => undefined,
    child: index,
    clause: (c: Clause) => ({ pattern: patternVars(c.pattern).map(index), body: index(c.body) }),
  });
  expect(row).toEqual({
    tag: 'Watch',
    last: index(vars.last),
    bound: index(vars.bound),
    first: index(vars.first),
    rest: [vars.r0, vars.r1].map(index),
    cases: [
      { pattern: [index(vars.p)], body: index(vars.b0) },
      { pattern: [index(vars.q)], body: index(vars.b1) },
    ],
    note: 'n',
    span: undefined,
  });
  const { nodeRows } = await written('node-rows', 'text/src/json');
  expect(nodeRows.Watch.is({ ...row, cases: [] })).toBe(true);
  expect(nodeRows.Watch.is({ ...row, cases: [], note: 1 })).toBe(false);
  const at = (i: number) => Object.values(vars)[i];
  const read = decodeNode(row, '', {
    span: () => undefined,
    child: at,
    binder: at,
    children: (is: ReadonlyArray<number>) => is.map(at),
    clauses: () => watch.cases,
  });
  expect(read).toEqual(watch);
});
