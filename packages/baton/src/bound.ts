/** The functions that take an operator table, with the standard operators bound. */
import type { Result } from '@baton/base';
import * as ir from '@baton/ir';
import * as models from '@baton/models';
import * as onnx from '@baton/onnx';
import { standardOps } from '@baton/ops';

/** `ops` may be given to use another table than the standard one. */
type WithDefaultOps<O extends { readonly ops: ir.OpTable }> = Omit<O, 'ops'> &
  Partial<Pick<O, 'ops'>>;

/** As `parseModule` of `@baton/ir`. */
export const parseModule = (
  text: string,
  options: WithDefaultOps<ir.ParseOptions> = {},
): Result<ir.IRModule> => ir.parseModule(text, { ops: standardOps, ...options });

/** As `parseExpr` of `@baton/ir`. */
export const parseExpr = (
  text: string,
  options: WithDefaultOps<ir.ParseOptions> = {},
): Result<ir.Expr> => ir.parseExpr(text, { ops: standardOps, ...options });

/** As `importOnnx` of `@baton/onnx`. */
export const importOnnx = (
  bytes: Uint8Array,
  options: WithDefaultOps<onnx.ImportOptions> = {},
): Result<ir.IRModule> => onnx.importOnnx(bytes, { ops: standardOps, ...options });

/** As `resnet18` of `@baton/models`. */
export const resnet18 = (options: WithDefaultOps<models.ResNet18Options> = {}): ir.IRModule =>
  models.resnet18({ ops: standardOps, ...options });

/** As `mobilenetV2` of `@baton/models`. */
export const mobilenetV2 = (options: WithDefaultOps<models.MobileNetV2Options> = {}): ir.IRModule =>
  models.mobilenetV2({ ops: standardOps, ...options });
