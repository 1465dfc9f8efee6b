/**
 * The drawing of a line chart. Each line has its name and last value at its end; a leader in the color and dash of the line
 * connects the name to the line's last point, even if names were moved apart. Hovering shows the values of all lines at a time.
 */
import { type PointerEvent, useState } from 'react';
import { formatMoment, formatTick } from '../text/formats.ts';
import { fontOf, measureIn, useFonts } from '../text/measure.ts';
import { elidedMiddle } from '../text/names.ts';
import type { Line, LineChartProps } from './chartLines.ts';
import { anchorOf, apart, nearest, needsHours, timeTicks, valueTicks } from './chartScale.ts';
import { Name } from './Name.tsx';
import { useWidth } from './useWidth.ts';

const DEFAULT_HEIGHT = 190;
const TOP = 12;
const BOTTOM = 26;
const LINE_HEIGHT = 17;
const DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 2', '10 4'];
/** Narrower charts list the names of lines below. */
const MIN_LABELED = 520;
const MAX_LABEL = 190;
/** Pixels between the last point and the name. */
const LEADER = 38;
/** Charts with more points show only the last point of each line. */
const MAX_DOTS = 40;
const TEXT = fontOf(550, 12);

const classOf = (index: number): string => `line-${index % DASHES.length}`;
const dashOf = (index: number): string | undefined => DASHES[index % DASHES.length];

export function DrawnChart(props: LineChartProps) {
  const { title, lines, format, goal, events = [], height = DEFAULT_HEIGHT } = props;
  const [box, width] = useWidth<HTMLDivElement>();
  const [hovered, setHovered] = useState<number>();
  useFonts();
  const layout = layoutOf(props, width, height);
  const { first, last, left, right, times, marks, moments, ends, x, y, isLabeled } = layout;
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setHovered(nearest(times, first + ((at - left) / (width - left - right)) * (last - first)));
  };
  return (
    <div ref={box} className="chart-box">
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${title}: ${summary(lines, format)}`}
          onPointerMove={onMove}
          onPointerLeave={() => setHovered(undefined)}
        >
          {marks.map(({ value, words }) => (
            <g key={value}>
              <line className="grid" x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
              <text className="scale" x={left - 8} y={y(value) + 4} textAnchor="end">
                {words}
              </text>
            </g>
          ))}
          {moments.map(({ moment, words, anchor }) => (
            <text key={moment} className="scale" x={x(moment)} y={height - 6} textAnchor={anchor}>
              {words}
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
          {hovered !== undefined && (
            <line className="hovered" x1={x(hovered)} x2={x(hovered)} y1={TOP} y2={height - BOTTOM} />
          )}
          {lines.map(({ id, points }, index) => (
            <g key={id} className={`line ${classOf(index)}`}>
              <polyline
                points={points
                  .map(({ at, value }) => `${x(Date.parse(at)).toFixed(1)},${y(value).toFixed(1)}`)
                  .join(' ')}
                strokeDasharray={dashOf(index)}
              />
              {points.slice(points.length <= MAX_DOTS ? 0 : -1).map(({ at, value }, point, shown) => (
                <circle
                  key={at}
                  cx={x(Date.parse(at))}
                  cy={y(value)}
                  r={point === shown.length - 1 ? 4 : 2.5}
                />
              ))}
            </g>
          ))}
          {isLabeled &&
            ends.map(({ index, end, words, labelY }) => {
              const dot = x(Date.parse(end.at));
              return (
                <g key={index}>
                  <polyline
                    className={`leader ${classOf(index)}`}
                    points={`${dot + 5},${y(end.value)} ${dot + 12},${labelY} ${dot + LEADER - 4},${labelY}`}
                    strokeDasharray={dashOf(index)}
                  />
                  <text className="end-label" x={dot + LEADER} y={labelY + 4}>
                    {words}
                  </text>
                </g>
              );
            })}
        </svg>
      )}
      {hovered !== undefined && width > 0 && (
        <Values at={hovered} lines={lines} format={format} x={x(hovered)} isLeft={x(hovered) > width / 2} />
      )}
      {!isLabeled && (
        <ul className="legend">
          {ends.map(({ index, end }) => (
            <li key={index} className={classOf(index)}>
              <Swatch index={index} />
              <Name text={lines[index]?.name} /> <strong>{format(end.value)}</strong>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Positions in pixels, and the texts of both scales. */
function layoutOf({ lines, format, most, isCount = false }: LineChartProps, width: number, height: number) {
  const times = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => Date.parse(at))))].sort(
    (a, b) => a - b,
  );
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const largest = most ?? Math.max(...lines.flatMap(({ points }) => points.map(({ value }) => value)));
  // Scale marks are round numbers, so they need no decimals.
  const marks = valueTicks(largest, 4, isCount).map((value) => ({
    value,
    words: format(value).replace(/\.0(?=%)/, ''),
  }));
  const top = marks.at(-1)?.value ?? 1;
  const measure = measureIn(fontOf(400, 12));
  const left = Math.ceil(Math.max(...marks.map(({ words }) => measure(words)))) + 12;
  const isLabeled = width >= MIN_LABELED;
  const y = (value: number): number => TOP + (1 - value / top) * (height - BOTTOM - TOP);
  const named = lines.flatMap(({ name, points }, index) => {
    const end = points.at(-1);
    if (end === undefined) return [];
    return [{ index, end, words: `${elidedMiddle(name, MAX_LABEL, measureIn(TEXT))} ${format(end.value)}` }];
  });
  const labels = apart(
    named.map(({ end }) => y(end.value)),
    LINE_HEIGHT,
    TOP,
    height - BOTTOM,
  );
  const ends = named.map((one, at) => ({ ...one, labelY: labels[at] ?? 0 }));
  const widest = Math.ceil(Math.max(0, ...ends.map(({ words }) => measureIn(TEXT)(words))));
  const right = isLabeled ? widest + LEADER + 10 : 10;
  const x = (time: number): number =>
    left + (last === first ? 0.5 : (time - first) / (last - first)) * (width - left - right);
  const withHours = needsHours(times);
  const ticks = timeTicks(first, last, Math.max(2, Math.floor((width - left - right) / 110)));
  const moments = ticks.map((moment, at) => ({
    moment,
    words: formatTick(moment, withHours),
    anchor: first === last ? ('middle' as const) : anchorOf(at, ticks.length),
  }));
  return { times, first, last, marks, moments, ends, left, right, x, y, isLabeled };
}

/** The values of all lines at a time. */
function Values({
  at,
  lines,
  format,
  x,
  isLeft,
}: {
  readonly at: number;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
  readonly x: number;
  /** Whether the box is on the left of the time. */
  readonly isLeft: boolean;
}) {
  return (
    <div className={isLeft ? 'chart-values left' : 'chart-values'} style={{ left: x }} aria-hidden="true">
      <strong>{formatMoment(new Date(at).toISOString())}</strong>
      <ul className="plain-list">
        {lines.flatMap(({ id, name, points }, index) => {
          const point = points.find((one) => Date.parse(one.at) === at);
          return point === undefined
            ? []
            : [
                <li key={id} className={classOf(index)}>
                  <Swatch index={index} />
                  <Name text={name} /> <strong>{format(point.value)}</strong>
                </li>,
              ];
        })}
      </ul>
    </div>
  );
}

function Swatch({ index }: { readonly index: number }) {
  return (
    <svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true">
      <line x1="0" x2="28" y1="4" y2="4" strokeDasharray={dashOf(index)} />
    </svg>
  );
}

const summary = (lines: readonly Line[], format: (value: number) => string): string =>
  lines
    .map(
      ({ name, points }) =>
        `${name} ${format(points[0]?.value ?? 0)} to ${format(points.at(-1)?.value ?? 0)}`,
    )
    .join('; ');
