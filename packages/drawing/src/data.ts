/** Drawings as data: texts are named by their index in a table. */

export interface Drawing {
  /** The reason, if it was not drawn. */
  readonly omitted?: string;
  readonly calls: number;
  readonly width: number;
  readonly height: number;
  readonly cards: ReadonlyArray<Card>;
  readonly edges: ReadonlyArray<Edge>;
}

/** A box, by centre and size: an operator call, or a kernel with one row per call. */
export interface Card {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly rows: ReadonlyArray<Row>;
}

/** One operator call, input or output. The last five fields are texts. */
export interface Row {
  /** An index in the table of kinds. */
  readonly kind: number;
  readonly call: boolean;
  readonly places: ReadonlyArray<number>;
  readonly op: number;
  /** A note after the name, such as a window's size. */
  readonly note: number;
  readonly type: number;
  /** The types of the arguments. */
  readonly inputs: number;
  readonly attrs: number;
}

/** An edge between cards, which are named by index; its points are x and y alternately. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  readonly points: ReadonlyArray<number>;
}

export interface CallGroup {
  readonly op: string;
  /** For removed calls: the operators that replace them, `a constant`, or nothing. */
  readonly into: string;
  readonly count: number;
  /** The origins of each call, as texts; the list is cut if there are many calls. */
  readonly places: ReadonlyArray<ReadonlyArray<number>>;
}
