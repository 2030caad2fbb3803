/**
 * The layer table of ARCHITECTURE.md as data: what each package may import. Read by the layer
 * check (`pnpm lint`).
 */
export const mayImport = {
  base: [],
  egraph: ['base'],
  tensor: ['base'],
  ir: ['base', 'tensor'],
  ops: ['base', 'tensor', 'ir'],
  'pass-manager': ['base', 'tensor', 'ir'],
  executor: ['base', 'tensor', 'ir', 'ops'],
  passes: ['base', 'tensor', 'ir', 'ops', 'pass-manager'],
  onnx: ['base', 'tensor', 'ir', 'ops'],
  models: ['base', 'tensor', 'ir', 'ops'],
  baton: [
    'base',
    'tensor',
    'ir',
    'ops',
    'pass-manager',
    'executor',
    'passes',
    'onnx',
    'models',
    'egraph',
  ],
};

/** External libraries by package; the others stand on Baton alone. */
export const libraries = {
  base: ['fp-ts'],
  egraph: ['highs'],
  tensor: ['fp-ts'],
  ir: ['fp-ts'],
  ops: ['fp-ts', 'io-ts'],
  'pass-manager': ['fp-ts'],
  executor: ['fp-ts'],
  passes: ['fp-ts'],
  onnx: ['fp-ts'],
  models: [],
  baton: ['fp-ts'],
};
