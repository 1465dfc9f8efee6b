/** Figures of benchmarks as text, and comparisons of two sets. */

export interface BenchResult {
  readonly name: string;
  /** The name of a figure ends with its unit: `p50 (ms)`, `objects/s`, `resident (MB)`. */
  readonly figures: Readonly<Record<string, number | string>>;
}

export interface BenchRun {
  readonly file: string;
  readonly name: string;
  readonly results: readonly BenchResult[];
  readonly seconds: number;
  /** Maximum resident memory of the process. */
  readonly peakMb: number;
  /** The reason for missing figures. */
  readonly fault?: string;
}

/** The output of `--json`. */
export interface BenchReport {
  /** Day of the measurement. */
  readonly date: string;
  readonly machine: string;
  /** Number of runnable processes before the start, averaged over a minute. */
  readonly load: number;
  readonly node: string;
  readonly scale: string;
  readonly runs: readonly BenchRun[];
}

export interface Change {
  readonly figure: string;
  readonly before: number;
  readonly after: number;
  /** Change in percent. */
  readonly percent: number;
  readonly verdict: 'better' | 'worse' | 'same' | 'other';
}

export function formatRun(run: BenchRun): string {
  const title = `${run.name}  (${run.seconds.toFixed(1)} s, peak ${Math.round(run.peakMb)} MB)`;
  if (run.fault !== undefined) return `${title}\n  FAILED: ${run.fault}\n`;
  const rows = run.results.flatMap(({ name, figures }) =>
    Object.entries(figures).map(([figure, value], index) => [
      index === 0 ? name : '',
      figure,
      formatFigure(value),
    ]),
  );
  return `${title}\n${align(rows)}`;
}

export function formatFigure(value: number | string): string {
  if (typeof value === 'string') return value;
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  return value.toLocaleString('en-US', { maximumSignificantDigits: Math.abs(value) < 1 ? 2 : 4 });
}

function align(rows: readonly (readonly string[])[]): string {
  const width = (column: number): number => Math.max(0, ...rows.map((row) => (row[column] as string).length));
  const [first, second, third] = [width(0), width(1), width(2)];
  return rows
    .map(
      ([a, b, c]) =>
        `  ${(a as string).padEnd(first)}  ${(b as string).padEnd(second)}  ${(c as string).padStart(third)}\n`,
    )
    .join('');
}

/** Times, memory and sizes should fall, rates should rise; counts alone are neither better nor worse. */
function directionOf(figure: string): 'falls' | 'rises' | undefined {
  if (/\/s\b|per second/.test(figure)) return 'rises';
  if (/\((µs|ms|s|MB|kB|GB|bytes)\)|\bms$|^ms\b|bytes (an?|per) /.test(figure)) return 'falls';
  return undefined;
}

/** @returns every numeric figure that both have, in the order of the second */
export function compareRuns(
  before: readonly BenchRun[],
  after: readonly BenchRun[],
  tolerance: number,
): Change[] {
  const known = new Map(before.flatMap(figuresOf));
  return after.flatMap(figuresOf).flatMap(([figure, value]): Change[] => {
    const old = known.get(figure);
    if (old === undefined) return [];
    const percent = old === value ? 0 : old === 0 ? Number.POSITIVE_INFINITY : (value / old - 1) * 100;
    return [{ figure, before: old, after: value, percent, verdict: judge(figure, percent, tolerance) }];
  });
}

function judge(figure: string, percent: number, tolerance: number): Change['verdict'] {
  const direction = directionOf(figure.slice(figure.lastIndexOf(' > ') + 3));
  if (direction === undefined) return 'other';
  if (Math.abs(percent) <= tolerance) return 'same';
  return percent > 0 === (direction === 'rises') ? 'better' : 'worse';
}

function figuresOf(run: BenchRun): [string, number][] {
  return run.results.flatMap(({ name, figures }) =>
    Object.entries(figures).flatMap(([figure, value]): [string, number][] =>
      typeof value === 'number' ? [[`${run.name} > ${name} > ${figure}`, value]] : [],
    ),
  );
}

export function formatComparison(changes: readonly Change[], tolerance: number): string {
  const changed = changes.filter((change) => change.verdict === 'better' || change.verdict === 'worse');
  const title = `${changes.length} figures compared, ${changed.length} changed by more than ${tolerance} %\n`;
  const rows = changed.map((change) => [
    `${change.verdict}  ${change.figure}`,
    `${formatFigure(change.before)} -> ${formatFigure(change.after)}`,
    `${change.percent > 0 ? '+' : ''}${change.percent.toFixed(0)} %`,
  ]);
  return title + align(rows);
}
