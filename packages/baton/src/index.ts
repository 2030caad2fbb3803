/**
 * Baton in one import: every package, with the standard operators bound where a function takes an
 * operator table. What is named here stands above the same name from a package.
 */
export * from '@baton/base';
export * as egraph from '@baton/egraph';
export * from '@baton/equivalence';
export * from '@baton/executor';
/** A shape of the IR, whose dimensions may be symbolic; `@baton/tensor` has that of a tensor. */
export type { Shape } from '@baton/ir';
export * from '@baton/ir';
export * from '@baton/onnx';
export * from '@baton/ops';
export * from '@baton/pass-manager';
export * from '@baton/passes';
export * from '@baton/tensor';
export {
  decodeModule,
  densenet121,
  fromJson,
  importOnnx,
  irModule,
  lstm,
  mlp,
  mobilenetV2,
  moduleFromExpr,
  parseExpr,
  parseModule,
  printExpr,
  resnet18,
  resnet50,
  squeezenet,
  structuralEqual,
  transformerEncoder,
} from './bound.ts';
