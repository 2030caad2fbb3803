/** The names of operator sets. */

/** The operators of ONNX Runtime, which its optimizer and its quantizer write. */
export const MICROSOFT = 'com.microsoft';
