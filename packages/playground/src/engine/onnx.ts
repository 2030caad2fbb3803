/** The import of ONNX, which pages load with the first ONNX file. */
export { importOnnx } from '@baton/onnx';
