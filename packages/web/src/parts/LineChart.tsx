/**
 * Lines over time, with the same numbers as a table for screen readers. They are drawn in actual pixels for the
 * available width, never scaled, so that texts keep their size.
 */
import { useId, useState } from 'react';
import { formatDate, formatMoment, formatTick } from '../text/formats.ts';
import { fontOf, measureIn, useFonts } from '../text/measure.ts';
import { elidedMiddle } from '../text/names.ts';
import { apart, needsHours, timeTicks, valueTicks } from './chartScale.ts';
import { Name } from './Name.tsx';
import { useWidth } from './useWidth.ts';

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

interface LineChartProps {
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

const DEFAULT_HEIGHT = 190;
const TOP = 12;
const BOTTOM = 26;
const LINE_HEIGHT = 17;
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 2', '10 4'];
/** Narrower charts name their lines below. */
const MIN_LABELED = 520;
const MAX_LABEL = 190;
const TEXT = fontOf(550, 12);

export function LineChart(props: LineChartProps) {
  const { title, lines, format } = props;
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const isEmpty = lines.every(({ points }) => points.length === 0);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption>
        <span id={id}>{title}</span>
        {!isEmpty && (
          <button type="button" className="plain" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'View as chart' : 'View as table'}
          </button>
        )}
      </figcaption>
      {isEmpty ? (
        <p className="quiet">Not known for this period.</p>
      ) : asTable ? (
        <ChartTable lines={lines} format={format} />
      ) : (
        <Drawn {...props} />
      )}
    </figure>
  );
}

function Drawn({
  title,
  lines,
  format,
  most,
  isCount = false,
  goal,
  events = [],
  height = DEFAULT_HEIGHT,
}: LineChartProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  useFonts();
  const times = lines.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const largest = most ?? Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value)));
  const marks = valueTicks(largest, 4, isCount);
  const top = marks.at(-1)!;
  const measure = measureIn(fontOf(400, 12));
  // Marks of the scale are round: they need no decimals.
  const scale = (mark: number) => format(mark).replace(/\.0(?=%)/, '');
  const left = Math.ceil(Math.max(...marks.map((mark) => measure(scale(mark))))) + 12;
  const isLabeled = width >= MIN_LABELED;
  const ends = lines.flatMap(({ name, points }, index) => {
    const end = points.at(-1);
    if (end === undefined) return [];
    const words = `${elidedMiddle(name, MAX_LABEL, measureIn(TEXT))} ${format(end.value)}`;
    return [{ index, end, words }];
  });
  const right = isLabeled ? Math.ceil(Math.max(...ends.map(({ words }) => measureIn(TEXT)(words)))) + 20 : 10;
  const x = (time: number): number =>
    left + (last === first ? 0.5 : (time - first) / (last - first)) * (width - left - right);
  const y = (value: number): number => TOP + (1 - value / top) * (height - BOTTOM - TOP);
  const labels = apart(
    ends.map(({ end }) => y(end.value)),
    LINE_HEIGHT,
    TOP,
    height - BOTTOM,
  );
  const withHours = needsHours(times);
  const moments = timeTicks(first, last, Math.max(2, Math.floor((width - left - right) / 110)));
  return (
    <div ref={box} className="chart-box">
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={`${title}: ${summary(lines, format)}`}>
          {marks.map((mark) => (
            <g key={mark}>
              <line className="grid" x1={left} x2={width - right} y1={y(mark)} y2={y(mark)} />
              <text className="scale" x={left - 8} y={y(mark) + 4} textAnchor="end">
                {scale(mark)}
              </text>
            </g>
          ))}
          {moments.map((moment, at) => (
            <text
              key={moment}
              className="scale"
              x={x(moment)}
              y={height - 6}
              textAnchor={
                moments.length === 1
                  ? 'middle'
                  : at === 0
                    ? 'start'
                    : at === moments.length - 1
                      ? 'end'
                      : 'middle'
              }
            >
              {formatTick(moment, withHours)}
            </text>
          ))}
          {goal !== undefined && (
            <g className="goal">
              <line x1={left} x2={width - right} y1={y(goal.value)} y2={y(goal.value)} />
              <text x={left + 4} y={y(goal.value) - 5}>
                {goal.words}
              </text>
            </g>
          )}
          {events
            .filter(({ at }) => Date.parse(at) >= first && Date.parse(at) <= last)
            .map(({ at, number, title: words }) => (
              <g key={number} className="event">
                <title>{words}</title>
                <line x1={x(Date.parse(at))} x2={x(Date.parse(at))} y1={TOP} y2={height - BOTTOM} />
                <circle cx={x(Date.parse(at))} cy={height - BOTTOM} r="9" />
                <text x={x(Date.parse(at))} y={height - BOTTOM + 4} textAnchor="middle">
                  {number}
                </text>
              </g>
            ))}
          {lines.map(({ id, points }, index) => (
            <g key={id} className={`line line-${index % DASHES.length}`}>
              <polyline
                points={points
                  .map(({ at, value }) => `${x(Date.parse(at)).toFixed(1)},${y(value).toFixed(1)}`)
                  .join(' ')}
                strokeDasharray={DASHES[index % DASHES.length]}
              />
              {points.slice(-1).map(({ at, value }) => (
                <circle key={at} cx={x(Date.parse(at))} cy={y(value)} r="4" />
              ))}
            </g>
          ))}
          {isLabeled &&
            ends.map(({ index, end, words }, at) => (
              <text
                key={index}
                className="end-label"
                x={x(Date.parse(end.at)) + 10}
                y={(labels[at] ?? 0) + 4}
              >
                {words}
              </text>
            ))}
        </svg>
      )}
      {!isLabeled && (
        <ul className="legend">
          {ends.map(({ index, end }) => (
            <li key={index} className={`line-${index % DASHES.length}`}>
              <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
                <line x1="0" x2="28" y1="4" y2="4" strokeDasharray={DASHES[index % DASHES.length]} />
              </svg>
              <Name text={lines[index]?.name} /> <strong>{format(end.value)}</strong>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const summary = (lines: readonly Line[], format: (value: number) => string): string =>
  lines
    .map(
      ({ name, points }) =>
        `${name} ${format(points[0]?.value ?? 0)} to ${format(points.at(-1)?.value ?? 0)}`,
    )
    .join('; ');

function ChartTable({ lines, format }: Pick<LineChartProps, 'lines' | 'format'>) {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort();
  const days = new Set(times.map((at) => formatDate(at)));
  return (
    <div className="table-box">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {lines.map(({ id, name }) => (
              <th key={id} scope="col">
                <Name text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time) => (
            <tr key={time}>
              <th scope="row">{days.size === times.length ? formatDate(time) : formatMoment(time)}</th>
              {lines.map(({ id, points }) => {
                const point = points.find(({ at }) => at === time);
                return <td key={id}>{point === undefined ? '' : format(point.value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
