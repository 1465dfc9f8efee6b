/** Data of line charts. */

export interface Line {
  /** Distinguishes lines with equal names. */
  readonly id: string;
  readonly name: string;
  readonly points: readonly { readonly at: string; readonly value: number }[];
}

/** An event at a time, with its number in a list next to the chart. */
export interface ChartEvent {
  readonly at: string;
  readonly number: number;
  readonly title: string;
}

export interface LineChartProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** Largest value of the scale; default: that of the lines. */
  readonly most?: number;
  /** Whether the values are counts, so that the scale has only integers. */
  readonly isCount?: boolean;
  /** A target value with its label. */
  readonly goal?: { readonly value: number; readonly words: string };
  readonly events?: readonly ChartEvent[];
  readonly height?: number;
}
