/** Lines over time, with the same numbers as a table for those who cannot read lines. */
import { useId, useState } from 'react';
import { formatDate } from '../text/formats.ts';
import { Name } from './Name.tsx';

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly at: string; readonly value: number }[];
}

interface LineChartProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  /** Largest value of the scale; by default that of the lines. */
  readonly most?: number;
}

const WIDTH = 640;
const HEIGHT = 180;
const LEFT = 64;
const BOTTOM = 24;
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 2', '10 4'];

export function LineChart({ title, lines, format, most }: LineChartProps) {
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const times = lines.flatMap(({ points }) => points.map(({ at }) => Date.parse(at)));
  const top = most ?? Math.max(1e-9, ...lines.flatMap(({ points }) => points.map(({ value }) => value)));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const x = (at: string): number =>
    LEFT + (last === first ? 0.5 : (Date.parse(at) - first) / (last - first)) * (WIDTH - LEFT - 12);
  const y = (value: number): number => 10 + (1 - value / top) * (HEIGHT - BOTTOM - 10);
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id}>
        {title}
        <button type="button" className="plain" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'As lines' : 'As a table'}
        </button>
      </figcaption>
      {times.length === 0 ? (
        <p className="quiet">Nothing is known of this time.</p>
      ) : asTable ? (
        <ChartTable lines={lines} format={format} />
      ) : (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title}: ${summary(lines, format)}`}>
          {[0, 0.5, 1].map((part) => (
            <g key={part}>
              <line className="grid" x1={LEFT} x2={WIDTH - 12} y1={y(top * part)} y2={y(top * part)} />
              <text className="scale" x={LEFT - 6} y={y(top * part) + 4} textAnchor="end">
                {format(top * part)}
              </text>
            </g>
          ))}
          <text className="scale" x={LEFT} y={HEIGHT - 6}>
            {formatDate(new Date(first).toISOString())}
          </text>
          <text className="scale" x={WIDTH - 12} y={HEIGHT - 6} textAnchor="end">
            {formatDate(new Date(last).toISOString())}
          </text>
          {lines.map(({ name, points }, index) => (
            <g key={name} className={`line line-${index % DASHES.length}`}>
              <polyline
                points={points.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
                strokeDasharray={DASHES[index % DASHES.length]}
              />
              {points.slice(-1).map(({ at, value }) => (
                <circle key={at} cx={x(at)} cy={y(value)} r="4" />
              ))}
            </g>
          ))}
        </svg>
      )}
      {lines.length > 1 && (
        <ul className="legend">
          {lines.map(({ name }, index) => (
            <li key={name} className={`line-${index % DASHES.length}`}>
              <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
                <line x1="0" x2="28" y1="4" y2="4" strokeDasharray={DASHES[index % DASHES.length]} />
              </svg>
              <Name text={name} />
            </li>
          ))}
        </ul>
      )}
    </figure>
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
  const days = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort();
  return (
    <div className="table-box">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col">
                <Name text={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day}>
              <th scope="row">{formatDate(day)}</th>
              {lines.map(({ name, points }) => {
                const point = points.find(({ at }) => at === day);
                return <td key={name}>{point === undefined ? '' : format(point.value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
