export { decodeModel, decodeTensorFile } from './protobuf/decode-model.ts';
