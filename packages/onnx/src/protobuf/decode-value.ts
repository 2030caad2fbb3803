/** Reads the fields of a SequenceProto and of an OptionalProto. */
import { decodeTensorProto } from './decode-tensor.ts';
import { OPTIONAL, SEQUENCE } from './fields.ts';
import type { TensorProto } from './messages.ts';
import type { WireReader } from './wire.ts';

/** A sequence of tensors. */
export function decodeSequence(r: WireReader): ReadonlyArray<TensorProto> {
  const tensors: TensorProto[] = [];
  while (r.next()) {
    if (r.field === SEQUENCE.tensorValues)
      tensors.push(r.message('TensorProto', decodeTensorProto));
    else r.skip();
  }
  return tensors;
}

/** A tensor, a sequence of tensors, or `null` for a value that is absent. */
export function decodeOptional(r: WireReader): TensorProto | ReadonlyArray<TensorProto> | null {
  let value: TensorProto | ReadonlyArray<TensorProto> | null = null;
  while (r.next()) {
    if (r.field === OPTIONAL.tensorValue) value = r.message('TensorProto', decodeTensorProto);
    else if (r.field === OPTIONAL.sequenceValue) value = r.message('SequenceProto', decodeSequence);
    else r.skip();
  }
  return value;
}
