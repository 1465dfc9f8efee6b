/**
 * The frame of an answer with rows: all fields except the rows. It has its own size limit, independent of the number of
 * environments and constraints of an organization. It names the parts that it omits.
 */
import { MAX_ANSWER } from './boundedAnswer.ts';
import { fittingRows, nextOf } from './rows.ts';
import type { Answer } from './tool.ts';

/** Maximum number of bytes of a frame as JSON, with the names of omitted parts. */
export const MAX_FRAME = 4_000;
const MAX_TEXT = 300;

interface Rows {
  readonly name: string;
  readonly rows: readonly unknown[];
  /** Position of the first row. */
  readonly skip: number;
  /** Number of existing rows. */
  readonly count: number;
  /** Number of rows that can be requested; default: all. */
  readonly most?: number;
  /** How to get the others: "ask with a higher limit". */
  readonly others: string;
}

/** @returns the frame with the rows that fit; `left_out` has a sentence for each truncated list */
export function framed(
  frame: Answer,
  { name, rows, skip, count, most = count, others }: Rows,
  size = MAX_ANSWER,
): Answer {
  const { shown, isCut } = fittingRows(rows, size - MAX_FRAME);
  const rest =
    count > skip + shown.length ? [`${name}: ${placeOf(skip, shown.length, count)}; ${others}`] : [];
  const next = nextOf(skip, shown.length, Math.min(count, most));
  const cut: Record<string, unknown> = {
    ...{ ...structuredClone(frame), next },
    ...(isCut && { truncated: true }),
  };
  const counts = new Map(listsOf(cut).map(({ place, list }) => [place, list.length]));
  const said = (): string[] => [
    ...rest,
    ...listsOf(cut).flatMap(({ place, list }) => {
      const whole = counts.get(place) ?? list.length;
      return list.length < whole ? [`${place}: ${list.length} of ${whole} are shown`] : [];
    }),
  ];
  const whole = () => ({ ...cut, ...(said().length > 0 && { left_out: said() }) });
  for (;;) {
    if (sizeOf(whole()) <= MAX_FRAME) break;
    const largest = listsOf(cut)
      .filter(({ list }) => list.length > 0)
      .sort((a, b) => sizeOf(b.list) - sizeOf(a.list))[0];
    if (largest === undefined) break;
    largest.list.length = Math.floor(largest.list.length / 2);
  }
  const bounded = sizeOf(whole()) <= MAX_FRAME ? whole() : shortTexts(whole());
  return { ...(bounded as Answer), [name]: shown };
}

/** "3 of 10 are shown", or for later pages "4 to 6 of 10 are shown". */
const placeOf = (skip: number, shown: number, count: number): string =>
  `${skip > 0 && shown > 0 ? `${skip + 1} to ${skip + shown}` : shown} of ${count} are shown`;

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The lists of the frame and of its members, with their paths: `excluded.constraints`. */
function listsOf(value: object, at = ''): { readonly place: string; readonly list: unknown[] }[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const place = at === '' ? name : `${at}.${name}`;
    if (Array.isArray(member)) return [{ place, list: member }];
    return at === '' && typeof member === 'object' && member !== null ? listsOf(member, place) : [];
  });
}

function shortTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT).toWellFormed()}...`;
  if (Array.isArray(value)) return value.map(shortTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortTexts(member)]));
}
