import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { REPOSITORY } from '../../scripts/project.mjs';
import { anchorOf } from './anchors.ts';

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

const guides = [
  page('Start in five minutes', '/start'),
  page('The playground', '/playground'),
  page('The command', '/cli'),
  page('Optimize an ONNX file', '/guide/optimize-onnx'),
  page('An ONNX model in a web page', '/guide/web-page'),
  page('Build a model', '/guide/building-a-model'),
  page('Compose a pipeline', '/guide/composing-a-pipeline'),
  page('Add a pass', '/adding-a-pass'),
  page('The passes', '/passes'),
  page('Write a rule', '/writing-rules'),
  page('Match patterns', '/guide/matching-patterns'),
  page('Gradients', '/guide/gradients'),
  page('Quantize a network', '/guide/quantizing'),
  page('The rules', '/rules'),
  page('When order matters', '/phase-ordering'),
  page('Rules of XLA', '/xla-rules'),
  page('Add an operator', '/adding-an-op'),
  page('The operators', '/operators'),
  page('ONNX', '/onnx'),
  page('Read the report', '/report'),
  page('Relay in an editor', '/guide/editors'),
];

const language = [page('A tour', '/tour'), page('Reference', '/language/reference')];

const egraph = [
  page('Equality saturation', '/egraph/'),
  page('Arithmetic', '/egraph/1-arithmetic'),
  page('Lambda calculus', '/egraph/2-lambda'),
  page('A small optimizer', '/egraph/3-optimizer'),
];

const spec = [
  page('Overview', '/spec/'),
  page('Language', '/spec/language'),
  page('Types', '/spec/types'),
  page('Operators', '/spec/operators'),
  page('Passes', '/spec/passes'),
  page('Decisions', '/spec/decisions'),
  page('Conformance cases', '/spec/conformance'),
  page('Tests of the cases', '/conformance'),
  page('Tests of pass cases', '/pass-cases'),
  page('Seed programs', '/spec/seed-programs'),
  page('Compared with TVM', '/tvm'),
];

/** The packages of the generated reference, by their import names. */
function packages(): ReadonlyArray<string> {
  const folder = fileURLToPath(new URL('../reference', import.meta.url));
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(batonjs|@baton\/[a-z-]+)\/README\.md$/.test(path))
    .map((path) => path.slice(0, -'/README.md'.length))
    .sort();
}

const packagePage = (name: string): DefaultTheme.SidebarItem => page(name, `/reference/${name}/`);

const project = {
  text: 'Project',
  items: [
    page('Design decisions', '/adr/'),
    page('Compared with other optimizers', '/benchmarks'),
    page('Compared with TVM', '/tvm'),
    page('Bugs found', '/bugs-found'),
    page('Hunting', '/hunting'),
    page('Attacks and tests', '/security'),
    ...(existsSync(new URL('../mutation.md', import.meta.url))
      ? [page('Mutation testing', '/mutation')]
      : []),
  ],
};

const sections = [
  { text: 'Guide', items: guides },
  { text: 'The language', items: language },
  { text: 'E-graphs', items: egraph },
  { text: 'Specification', items: spec, collapsed: false },
  { text: 'API', items: [page('All packages', '/reference/'), ...packages().map(packagePage)] },
  project,
];

/**
 * The list of all pages is 22 kB, and a page of the reference is 1 kB: the two thousand of them list only
 * their package, and decisions only the pages on the project. The longest matching path is used.
 */
const sidebar: DefaultTheme.SidebarMulti = {
  '/': sections,
  '/adr/': [project],
  ...Object.fromEntries(
    packages().map((name) => [
      `/reference/${name}/`,
      [{ text: 'API', items: [page('All packages', '/reference/'), packagePage(name)] }],
    ]),
  ),
};

export default defineConfig({
  title: 'Baton',
  description: 'A Relay-style tensor IR and a graph-rewriting optimizer in TypeScript',
  // Pages have no scripts: the site also opens from a folder, where browsers load no modules.
  mpa: true,
  base: '/baton/',
  srcExclude: ['node_modules/**'],
  rewrites: (id) => id.replace(/README\.md$/, 'index.md'),
  lastUpdated: false,
  markdown: {
    anchor: { slugify: anchorOf },
    languageAlias: { relay: 'rust' },
  },
  themeConfig: {
    nav: [
      { text: 'Playground', link: '/play/index.html', target: '_self' },
      page('Start', '/start'),
      page('Language', '/tour'),
      page('Specification', '/spec/'),
      page('API', '/reference/'),
      page('Sources', REPOSITORY),
    ] as DefaultTheme.NavItem[],
    sidebar,
    outline: [2, 3],
  },
});
