// The layers inside each package, and the import checks derived from them.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The modules ("rooms") of each package, the files and folders of its `src`, by layer ("floor") from
 * the lowest. A module may import only modules of lower layers. `index` is above all others, and `*`
 * is every module that is not named. A large module may have its own layers. Read by the layer check
 * (`pnpm lint`).
 *
 * A file and a folder with the same name are one module.
 */
export const rooms = {
  'packages/base': [
    'bytes dag did-you-mean either hash invariant memo prng quote steps table version',
    'span',
    'diagnostic',
    'render',
    'or-throw',
    'caller',
    'options',
    'limits',
  ],
  'packages/egraph': [
    'diagnostics ids store term',
    'sexp',
    'pattern',
    'facts language match',
    'egraph extract',
    'analysis rewrite serialize',
    'explain run',
    'search',
  ],
  'packages/tensor': [
    'dtype shape',
    'float-code',
    'codes spacing',
    'diagnostics storage',
    'tensor',
    'strided',
    'access bytes views',
    'cast compare hash print',
    'npy',
  ],
  'packages/ir': [
    'diagnostics types',
    'expr ops',
    'analysis describe',
    'module',
    'equal',
    'infer',
    'effects',
  ],
  'packages/ir/src/infer': [
    'solve',
    'collect generalize run',
    'constrain',
    'write',
    'definition query',
    'infer',
  ],
  'packages/text': [
    'diagnostics relay-text',
    'tokens',
    'mention',
    'json',
    'meta',
    'format parse print',
    'prelude words',
  ],
  'packages/ops': [
    'moves scalar',
    'bounds cost diagnostics example-types kernels layout numerics onnx-form relay-text value',
    'attrs build call-pattern kernel op-call',
    'columns composites convolution-algorithm pattern relation scale-axis',
    'evaluate form measure on-integers relayout static-form storing',
    'commutes rewriting',
    'constant-folding definition',
    'gradient',
    'derive facts',
    'define-op',
    'composite-op families',
    'ops',
    'builders standard-ops',
  ],
  'packages/autodiff': [
    'diagnostics tensors reverse-types',
    'active backward instances',
    'reverse',
    'first-order higher-order',
    'expand',
  ],
  'packages/pass-manager': [
    'budget count counts diagnostics digest fast-math instrument subject',
    'config hooks instruments needs report',
    'context',
    'pass',
    'functions tally',
    'run',
  ],
  'packages/executor': [
    'diagnostics function-names',
    'stop',
    'limits values',
    'executor size-claims',
    'code',
    'oracle run',
    'interpreter',
    'evaluate',
  ],
  'packages/equivalence': [
    'diagnostics exact-constants observe retype trace values verdicts',
    'describe inputs reduce refines widen',
    'input-distributions run',
    'baseline',
    'regimes',
    'check',
    'steps',
    'bisect instruments',
    'fault',
  ],
  'packages/rewrites': [
    'diagnostics options',
    'rule',
    'match',
    'cost',
    'call-times',
    'measured time-calls',
    'dataflow greedy saturate',
    'explain rules',
  ],
  'packages/passes': [
    'configurable constant-call diagnostics facts operator-counters shared-effects type-args',
    'forward-rewrite',
    '*',
    'cps defunctionalize fold-scale-axis layout partial-evaluate',
    'simplify-inference',
    'never-worse optimize passes quantize-pipeline',
  ],
  'packages/lower': [
    'loop-shape memory window',
    'loop-turns',
    'region',
    'element',
    'canonical-product range',
    'kernel',
    'lowering',
    'reference',
    'lower-concat lower-loop lower-map lower-pad lower-view',
    'integer-factor lower-half lower-steps',
    'lower-contract lower-fold lower-gather lower-interpolate lower-places lower-scan',
    'lower',
    'print',
  ],
  'packages/wasm': [
    'byte-text diagnostics emit places web-assembly',
    'crew level',
    'kernels',
    'generate',
    'compile',
    'interpreted module-weights',
    'main-region module-text',
    'checked facts module-files thread',
    'bare-run runtime',
    'sizes',
    'executor',
  ],
  'packages/onnx': [
    'protobuf',
    'schemas',
    'diagnostics',
    'room',
    'decode-model encode-model operator-api problems signature',
    'block-weights default-opset',
    'shared',
    'chapters',
    'catalogue',
    'import',
    'export',
    'reread',
  ],
  'packages/editor': [
    'range',
    'document',
    'place',
    'describe',
    'complete definition diagnose format hover symbols',
  ],
  'packages/lezer-relay': ['guard highlight', 'parser', 'relay', 'codemirror'],
  'packages/models': ['weights', 'network', 'exported residual squeezenet', '*'],
  'packages/proofs': [
    'attributes fractions meaning roles solver',
    'calls literals terms',
    'instances numeric rational settings smt values',
    'kernels range real',
    'conditions equal operators',
    'evaluate exhaust',
    'match',
    'prove',
  ],
  'packages/testing': [
    'diagnostics',
    'corrupt generate shrink',
    'compiled kernels late-types samplers',
    'calls steps',
    'full-language motifs',
    'options',
    'program',
    'fuzz programs test-pass',
    'gradients',
    'laws mutants rules',
  ],
  'packages/baton': ['bound clock tensor', 'ir models'],
  'packages/drawing': [
    'camera cut data describe kinds layers places',
    'columns kind-of text-table',
    'call-diff graph',
    'align layout',
    'aligned',
  ],
  'packages/report': [
    'figures page subject timed',
    'fuse page-html print-stats trace variants',
    'schema',
    'changes compare-outputs headline passes print-searches profile',
    'print run-program',
    'optimize-at',
    'engines page-model quantized regimes',
    'variant-programs',
    'other-variants',
    'level-times',
    'variant-rows',
    'measure-model',
  ],
  'packages/playground': ['protocol rule-lines', 'engine page', 'offline worker'],
  'packages/cli': [
    'command-line dimension-names exit-codes file-figures host likely-sizes node-reading progress runtime-sessions timing',
    'command diagnostics stages',
    'config executors help limits node-files pairs',
    'arrays model-file node-onnxruntime node-playground node-proofs node-testing optimized own-passes pipeline session',
    'file-check node-host onnxruntime quantize report-file target',
    'named-rules sampled-check unused-rules',
    'attempt',
    'never-larger',
    'commands',
    'bench-worker main',
    'bin',
  ],
  'packages/vscode': ['client guard protocol', 'serve', 'server'],
  'packages/workshop': [
    'begin standalone state-file',
    'onnxruntime',
    'code-mutants egraph executors node-tests prove reduce',
    'fuzz',
    'cases hunt',
    'readers',
  ],
  'packages/workshop/src/code-mutants': ['comparison mutants', 'bundle'],
  'packages/workshop/src/hunt': [
    'draw model',
    'builder compare',
    'calls noise outside paths',
    'check fragments tools',
    'arguments generate reduce',
    'chosen files task',
    'hunt',
    'report worker',
    'main',
  ],
  'packages/workshop/src/prove': ['page shipped xla', 'main'],
  'packages/workshop/src/readers': [
    'draw onnx-fields',
    'bytes clean-models',
    'reader tokens wire',
    'afterwards host json-tree onnx-corruption zip',
    'commands json npz onnx text',
    'external',
    'readers',
    'arguments measure',
    'task',
    'crew report worker',
    'finding',
    'main',
  ],
  bench: [
    'files interpreter text',
    'benchmarks-page',
    'arguments egraph scaling tvm',
    'subjects',
    'engines exported field kernels loops modules passes search timing variants-page',
    'compiled main',
  ],
  'bench/src/modules': ['chromium emit first peak-memory', 'page worker', 'measure'],
};

/** The names in the table that are neither a file nor a folder. */
const strangers = Object.entries(rooms).flatMap(([root, floors]) =>
  floors
    .flatMap((floor) => floor.split(' '))
    .filter((name) => name !== '*' && !exists(`${folderOf(root)}/${name}`))
    .map((name) => `${folderOf(root)}/${name}`),
);
if (strangers.length > 0) throw new Error(`scripts/rooms.mjs: no ${strangers.join(', ')}`);

/** The folder of the modules of a package, or of a module. */
function folderOf(root) {
  return root.includes('/src/') ? root : `${root}/src`;
}

function exists(path) {
  const found = (suffix) =>
    existsSync(fileURLToPath(new URL(`../${path}${suffix}`, import.meta.url)));
  return found('.ts') || found('');
}

const pathOf = (root, name) => `^${folderOf(root)}/${name}(\\.ts$|/)`;

/** The rules of the layer check for the modules of one package, or of one module. */
export function roomRules(root, floors) {
  const folder = folderOf(root);
  const named = floors.map((floor) => floor.split(' ').filter((name) => name !== '*'));
  const paths = (from, to) =>
    named.slice(from, to).flatMap((floor) => floor.map((name) => pathOf(root, name)));
  const others = floors.indexOf('*');
  const rule = (name, comment, from, to) => ({
    name: `rooms-${root.replace('packages/', '')}-${name}`,
    severity: 'error',
    comment,
    from,
    to,
  });
  const all = [...paths(0), pathOf(root, 'index')];
  const rules = named.flatMap((floor, i) =>
    floor.map((name) => {
      const own = pathOf(root, name);
      const above = [...paths(i), pathOf(root, 'index')].filter((path) => path !== own);
      const to =
        others >= 0 && others < i
          ? { path: above }
          : { path: `^${folder}/`, pathNot: [own, ...paths(0, i)] };
      return rule(
        name,
        `${name} may import the rooms below it (scripts/rooms.mjs)`,
        { path: own },
        to,
      );
    }),
  );
  const advice =
    others < 0
      ? 'give the room a floor in scripts/rooms.mjs'
      : 'rooms of one floor import nothing of each other (scripts/rooms.mjs)';
  const own = `^${folder}/$1(\\.ts$|/)`;
  const allowed = others < 0 ? [] : [own, ...paths(0, others)];
  const from = { path: `^${folder}/([^/.]+)`, pathNot: all };
  return [...rules, rule('others', advice, from, { path: `^${folder}/`, pathNot: allowed })];
}
