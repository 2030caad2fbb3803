/**
 * The layer table of ARCHITECTURE.md as data: the allowed imports of each package. The layer check
 * (`pnpm lint`) reads it.
 */
export const mayImport = {
  base: [],
  egraph: ['base'],
  tensor: ['base'],
  ir: ['base', 'tensor'],
  text: ['base', 'tensor', 'ir'],
  ops: ['base', 'tensor', 'ir', 'text'],
  'pass-manager': ['base', 'tensor', 'ir', 'text'],
  autodiff: ['base', 'tensor', 'ir', 'ops'],
  executor: ['base', 'autodiff', 'tensor', 'ir', 'text', 'ops'],
  equivalence: ['base', 'tensor', 'ir', 'text', 'ops', 'pass-manager', 'executor'],
  rewrites: ['base', 'egraph', 'tensor', 'ir', 'text', 'ops', 'pass-manager'],
  passes: ['base', 'autodiff', 'tensor', 'ir', 'text', 'ops', 'pass-manager', 'rewrites'],
  onnx: ['base', 'autodiff', 'tensor', 'ir', 'ops'],
  editor: ['base', 'tensor', 'ir', 'text', 'ops'],
  models: ['base', 'tensor', 'ir', 'ops'],
  testing: [
    'base',
    'autodiff',
    'tensor',
    'ir',
    'text',
    'ops',
    'pass-manager',
    'executor',
    'equivalence',
    'rewrites',
    'passes',
  ],
  wasm: ['base', 'tensor', 'ir', 'ops', 'pass-manager', 'rewrites', 'passes', 'executor'],
  baton: [
    'base',
    'autodiff',
    'tensor',
    'ir',
    'text',
    'ops',
    'pass-manager',
    'executor',
    'equivalence',
    'rewrites',
    'passes',
    'onnx',
    'models',
    'egraph',
    'wasm',
  ],
  report: ['base', 'tensor', 'ir', 'ops', 'pass-manager', 'equivalence', 'baton'],
  cli: ['base', 'tensor', 'ir', 'ops', 'executor', 'onnx', 'wasm', 'report', 'baton'],
};

/** External libraries by package; the other packages depend only on Baton. */
export const libraries = {
  base: ['fp-ts'],
  text: ['io-ts'],
  ops: ['io-ts'],
  rewrites: ['io-ts'],
  testing: ['fast-check'],
  cli: ['fflate'],
};
