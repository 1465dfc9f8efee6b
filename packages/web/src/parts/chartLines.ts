/** Data of line charts. */

export interface Line {
  /** Distinguishes lines: names may be the same. */
  readonly id: string;
  readonly name: string;
  readonly points: readonly { readonly at: string; readonly value: number }[];
}

/** An event at a time, by its number in a list next to the chart. */
export interface ChartEvent {
  readonly at: string;
  readonly number: number;
  readonly title: string;
}

export interface LineChartProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** Largest value of the scale; by default that of the lines. */
  readonly most?: number;
  /** Counts have no marks between two numbers. */
  readonly isCount?: boolean;
  /** A value that is to be reached, with its words. */
  readonly goal?: { readonly value: number; readonly words: string };
  readonly events?: readonly ChartEvent[];
  readonly height?: number;
}
