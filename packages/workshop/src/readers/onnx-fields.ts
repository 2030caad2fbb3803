/** The fields of ONNX's messages, as far as corruption of them has a meaning. */

export type MessageName =
  | 'Model'
  | 'Graph'
  | 'Node'
  | 'Attribute'
  | 'Tensor'
  | 'SparseTensor'
  | 'ValueInfo'
  | 'Type'
  | 'TensorType'
  | 'InnerType'
  | 'MapType'
  | 'Shape'
  | 'Dimension'
  | 'OperatorSet'
  | 'Function'
  | 'Entry';

export type FieldKind = 'text' | 'data' | 'number' | 'numbers' | { readonly message: MessageName };

const of = (message: MessageName): FieldKind => ({ message });

const FIELDS: Readonly<Record<MessageName, Readonly<Partial<Record<number, FieldKind>>>>> = {
  Model: {
    1: 'number',
    2: 'text',
    3: 'text',
    4: 'text',
    5: 'number',
    6: 'text',
    7: of('Graph'),
    8: of('OperatorSet'),
    14: of('Entry'),
    25: of('Function'),
  },
  Graph: {
    1: of('Node'),
    2: 'text',
    5: of('Tensor'),
    10: 'text',
    11: of('ValueInfo'),
    12: of('ValueInfo'),
    13: of('ValueInfo'),
    15: of('SparseTensor'),
    16: of('Entry'),
  },
  Node: {
    1: 'text',
    2: 'text',
    3: 'text',
    4: 'text',
    5: of('Attribute'),
    6: 'text',
    7: 'text',
    8: 'text',
    9: of('Entry'),
  },
  Attribute: {
    1: 'text',
    3: 'number',
    4: 'text',
    5: of('Tensor'),
    6: of('Graph'),
    7: 'data',
    8: 'numbers',
    9: 'text',
    10: of('Tensor'),
    11: of('Graph'),
    13: 'text',
    14: of('Type'),
    15: of('Type'),
    20: 'number',
    21: 'text',
    22: of('SparseTensor'),
    23: of('SparseTensor'),
  },
  Tensor: {
    1: 'numbers',
    2: 'number',
    4: 'data',
    5: 'numbers',
    6: 'text',
    7: 'numbers',
    8: 'text',
    9: 'data',
    10: 'data',
    11: 'numbers',
    12: 'text',
    13: of('Entry'),
    14: 'number',
  },
  SparseTensor: { 1: of('Tensor'), 2: of('Tensor'), 3: 'numbers' },
  ValueInfo: { 1: 'text', 2: of('Type'), 3: 'text', 4: of('Entry') },
  Type: {
    1: of('TensorType'),
    4: of('InnerType'),
    5: of('MapType'),
    6: 'text',
    8: of('TensorType'),
    9: of('InnerType'),
  },
  TensorType: { 1: 'number', 2: of('Shape') },
  InnerType: { 1: of('Type') },
  MapType: { 1: 'number', 2: of('Type') },
  Shape: { 1: of('Dimension') },
  Dimension: { 1: 'number', 2: 'text', 3: 'text' },
  OperatorSet: { 1: 'text', 2: 'number' },
  Function: {
    1: 'text',
    4: 'text',
    5: 'text',
    6: 'text',
    7: of('Node'),
    8: 'text',
    9: of('OperatorSet'),
    10: 'text',
    11: of('Attribute'),
    12: of('ValueInfo'),
    13: 'text',
  },
  Entry: { 1: 'text', 2: 'text' },
};

/** The content of a field of a message; `undefined` for one that is not known. */
export const kindOf = (message: MessageName, number: number): FieldKind | undefined =>
  FIELDS[message][number];

/** The numbers of the fields of a message that hold a message of another name. */
export const fieldsWith = (message: MessageName, inner: MessageName): ReadonlyArray<number> =>
  Object.entries(FIELDS[message]).flatMap(([number, kind]) =>
    typeof kind === 'object' && kind.message === inner ? [Number(number)] : [],
  );
