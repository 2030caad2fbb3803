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

/** As `printExpr` of `@baton/ir`: attributes that equal an operator's defaults are left out. */
export const printExpr = (expr: ir.Expr, options: ir.PrintOptions = {}): string =>
  ir.printExpr(expr, { ops: standardOps, ...options });

/** As `irModule` of `@baton/ir`. */
export const irModule = (parts: WithDefaultOps<ir.ModuleParts> = {}): ir.IRModule =>
  ir.irModule({ ops: standardOps, ...parts });

/** As `moduleFromExpr` of `@baton/ir`. */
export const moduleFromExpr = (
  expr: ir.Expr,
  parts: WithDefaultOps<ir.ModuleParts> = {},
): ir.IRModule => ir.moduleFromExpr(expr, { ops: standardOps, ...parts });

/** As `fromJson` of `@baton/ir`. */
export const fromJson = (
  text: string,
  options: WithDefaultOps<ir.FromJsonOptions> = {},
): Result<ir.IRModule> => ir.fromJson(text, { ops: standardOps, ...options });

/** As `decodeModule` of `@baton/ir`. */
export const decodeModule = (
  data: unknown,
  options: WithDefaultOps<ir.FromJsonOptions> = {},
): Result<ir.IRModule> => ir.decodeModule(data, { ops: standardOps, ...options });

/** As `structuralEqual` of `@baton/ir`: attributes that a call leaves out have their defaults. */
export const structuralEqual = (
  a: ir.Expr | ir.IRModule,
  b: ir.Expr | ir.IRModule,
  options: ir.EqualOptions = {},
): boolean =>
  // A module knows its operators.
  ir.structuralEqual(a, b, a._tag === 'IRModule' ? options : { ops: standardOps, ...options });

/** As `importOnnx` of `@baton/onnx`. */
export const importOnnx = (
  bytes: Uint8Array,
  options: WithDefaultOps<onnx.ImportOptions> = {},
): Result<ir.IRModule> => onnx.importOnnx(bytes, { ops: standardOps, ...options });

/** As `mlp` of `@baton/models`. */
export const mlp = (options: WithDefaultOps<models.MlpOptions> = {}): ir.IRModule =>
  models.mlp({ ops: standardOps, ...options });

/** As `resnet18` of `@baton/models`. */
export const resnet18 = (options: WithDefaultOps<models.ResNetOptions> = {}): ir.IRModule =>
  models.resnet18({ ops: standardOps, ...options });

/** As `resnet50` of `@baton/models`. */
export const resnet50 = (options: WithDefaultOps<models.ResNetOptions> = {}): ir.IRModule =>
  models.resnet50({ ops: standardOps, ...options });

/** As `mobilenetV2` of `@baton/models`. */
export const mobilenetV2 = (options: WithDefaultOps<models.MobileNetV2Options> = {}): ir.IRModule =>
  models.mobilenetV2({ ops: standardOps, ...options });

/** As `squeezenet` of `@baton/models`. */
export const squeezenet = (options: WithDefaultOps<models.SqueezeNetOptions> = {}): ir.IRModule =>
  models.squeezenet({ ops: standardOps, ...options });

/** As `densenet121` of `@baton/models`. */
export const densenet121 = (options: WithDefaultOps<models.DenseNet121Options> = {}): ir.IRModule =>
  models.densenet121({ ops: standardOps, ...options });

/** As `lstm` of `@baton/models`. */
export const lstm = (options: WithDefaultOps<models.LstmOptions> = {}): ir.IRModule =>
  models.lstm({ ops: standardOps, ...options });

/** As `transformerEncoder` of `@baton/models`. */
export const transformerEncoder = (
  options: WithDefaultOps<models.TransformerEncoderOptions> = {},
): ir.IRModule => models.transformerEncoder({ ops: standardOps, ...options });
