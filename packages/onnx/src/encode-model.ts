/** Encoding of messages into ONNX files. */

import { encodeAttribute, encodeGraph, encodeNode, encodeOpset } from './protobuf/encode-graph.ts';
import { FUNCTION, MODEL } from './protobuf/fields.ts';
import type { FunctionProto, ModelProto } from './protobuf/messages.ts';
import { type WireWriter, writeMessage } from './protobuf/wire-writer.ts';

/**
 * The bytes of a model as pieces, to be written one after another. The elements of tensors are not
 * copied.
 *
 * **Complexity** linear in the messages, without the elements of tensors.
 */
export const encodeModel = (model: ModelProto): ReadonlyArray<Uint8Array> =>
  writeMessage((w) => {
    const { producer, graph } = model;
    w.int(MODEL.irVersion, model.irVersion);
    if (producer !== undefined) {
      w.text(MODEL.producerName, producer[0]);
      w.text(MODEL.producerVersion, producer[1]);
    }
    if (graph !== undefined) w.message(MODEL.graph, (inner) => encodeGraph(inner, graph));
    for (const opset of model.opsetImports) {
      w.message(MODEL.opsetImport, (inner) => encodeOpset(inner, opset));
    }
    for (const f of model.functions) {
      w.message(MODEL.functions, (inner) => encodeFunction(inner, f));
    }
  });

function encodeFunction(w: WireWriter, f: FunctionProto): void {
  w.text(FUNCTION.name, f.name);
  for (const input of f.inputs) w.text(FUNCTION.input, input);
  for (const output of f.outputs) w.text(FUNCTION.output, output);
  for (const node of f.nodes) w.message(FUNCTION.node, (inner) => encodeNode(inner, node));
  for (const opset of f.opsetImports) {
    w.message(FUNCTION.opsetImport, (inner) => encodeOpset(inner, opset));
  }
  w.text(FUNCTION.domain, f.domain);
  for (const attribute of f.defaults) {
    w.message(FUNCTION.attributeProto, (inner) => encodeAttribute(inner, attribute));
  }
  if (f.overload !== '') w.text(FUNCTION.overload, f.overload);
}
