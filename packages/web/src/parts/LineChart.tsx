/**
 * Lines over time, with the same numbers as a table for screen readers. They are drawn at the actual width in pixels, never
 * scaled, so that texts keep their size.
 */
import { useId, useState } from 'react';
import { formatDate, formatMoment } from '../text/formats.ts';
import type { LineChartProps } from './chartLines.ts';
import { DrawnChart } from './DrawnChart.tsx';
import { Name } from './Name.tsx';

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
        <p className="quiet">No data for this period.</p>
      ) : asTable ? (
        <ChartTable lines={lines} format={format} />
      ) : (
        <DrawnChart {...props} />
      )}
    </figure>
  );
}

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
