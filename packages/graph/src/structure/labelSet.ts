/** Labels, ascending. A plain list: of millions of sets most have one label, and a typed array takes ten times as much. */
export type LabelSet = readonly number[];
