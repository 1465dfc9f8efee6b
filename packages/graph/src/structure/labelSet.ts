/**
 * Labels, ascending. A plain array: most of the millions of sets have one label, and a typed array takes ten times
 * as much memory.
 */
export type LabelSet = readonly number[];
