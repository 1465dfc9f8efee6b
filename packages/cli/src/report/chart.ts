/** A measure by day as a small inline SVG chart. */
import { formatMeasure, type MeasuredDay } from '../findings/readPosture.ts';
import { type Html, html } from './html.ts';

const WIDTH = 260;
const HEIGHT = 80;
const MARGIN = 6;

/** The scale starts at 0: otherwise, small changes look large. */
export function chart(title: string, unit: string, days: readonly MeasuredDay[]): Html {
  const latest = days.at(-1);
  if (latest === undefined) return html`<figure><figcaption>${title}</figcaption><p>no data</p></figure>`;
  // One day is shown as a figure without a line.
  if (days.length === 1)
    return html`<figure><figcaption>${title}</figcaption><p class="figure">${formatMeasure(latest.value, unit)}</p></figure>`;
  const most = Math.max(...days.map(({ value }) => value), 1);
  const [first, last] = [Date.parse(days[0]?.date ?? latest.date), Date.parse(latest.date)];
  const x = (date: string) =>
    last === first
      ? WIDTH / 2
      : MARGIN + ((Date.parse(date) - first) / (last - first)) * (WIDTH - 2 * MARGIN);
  const y = (value: number) => HEIGHT - MARGIN - (Math.max(0, value) / most) * (HEIGHT - 2 * MARGIN);
  const points = days.map(({ date, value }) => `${x(date).toFixed(1)},${y(value).toFixed(1)}`);
  const [lastX = '0', lastY = '0'] = points.at(-1)?.split(',') ?? [];
  return html`<figure><figcaption>${title} <b>${formatMeasure(latest.value, unit)}</b></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<line x1="0" y1="${HEIGHT - MARGIN}" x2="${WIDTH}" y2="${HEIGHT - MARGIN}" class="axis"/>
<polyline points="${points.join(' ')}" class="line"/><circle cx="${lastX}" cy="${lastY}" r="3" class="dot"/>
</svg></figure>`;
}
