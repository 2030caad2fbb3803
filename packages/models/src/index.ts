/** The public names of `@baton/models`. */
export {
  type Diagnostic,
  type Diagnostics,
  DiagnosticsError,
  fail,
  ok,
  orThrow,
  type Result,
  renderDiagnostics,
} from '@baton/base';
export { type BertOptions, bert } from './bert.ts';
export { type DecoderOptions, decoder } from './decoder.ts';
export { type DenseNet121Options, densenet121 } from './densenet121.ts';
export { type DetectorOptions, detector } from './detector.ts';
export { type Gpt2Options, gpt2 } from './gpt2.ts';
export { type LstmOptions, lstm } from './lstm.ts';
export { type MlpOptions, mlp } from './mlp.ts';
export { type MobileNetV2Options, mobilenetV2 } from './mobilenet-v2.ts';
export type { ResNetOptions } from './residual.ts';
export { resnet18 } from './resnet18.ts';
export { resnet50 } from './resnet50.ts';
export {
  type SearchedNetworkName,
  type SearchedNetworkOptions,
  searchedNetwork,
} from './searched/searched-network.ts';
export { type SqueezeNetOptions, squeezenet } from './squeezenet.ts';
export { type TransformerEncoderOptions, transformerEncoder } from './transformer-encoder.ts';
export { type UnetOptions, unet } from './unet.ts';
export { type VitOptions, vit } from './vit.ts';
