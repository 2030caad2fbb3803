/**
 * Baton in one import: every package, with the standard operators bound where a function takes an
 * operator table. What is named here stands above the same name from a package.
 */
export * from '@baton/base';
export * as egraph from '@baton/egraph';
export * from '@baton/executor';
export * from '@baton/ir';
export * from '@baton/ops';
export * from '@baton/pass-manager';
export * from '@baton/passes';
export * from '@baton/tensor';
export * from '@baton/onnx';
export { importOnnx, mobilenetV2, parseExpr, parseModule, resnet18 } from './bound.ts';
