/** Texts for an exported drawing: its question, the age of its data, and its address. */
import type { FrameTexts } from '../../graph/frame.ts';
import { formatDate, formatMoment, isTime } from '../../text/formats.ts';
import { isMasked } from '../../text/masking.ts';
import { isSet, setWords } from './endSets.ts';
import type { ExploreState } from './exploreState.ts';

const MAX_QUERY = 120;

/** @param nameOf names of objects, masked while names are masked */
export function questionWords(
  { mode, from, to, object, query }: Pick<ExploreState, 'mode' | 'from' | 'to' | 'object' | 'query'>,
  nameOf: (id: string) => string,
): string {
  const end = (id: string | undefined): string =>
    id === undefined ? '?' : isSet(id) ? setWords(id) : nameOf(id);
  if (mode === 'path') return `${end(from)} to ${end(to)}`;
  if (mode === 'query')
    return isMasked() || query === undefined ? 'Query' : `Query: ${query.slice(0, MAX_QUERY)}`;
  return object === undefined ? 'Drawing' : nameOf(object);
}

/** @param analyzed time of the analysis; absent while unknown @param now milliseconds since the epoch */
export function exportTexts(title: string, analyzed: string | undefined, now: number): FrameTexts {
  const made = `Created on ${formatDate(new Date(now).toISOString())}`;
  const age = isTime(analyzed) ? `Data analyzed ${formatMoment(analyzed)}. ${made}` : made;
  return {
    title,
    date: isMasked() ? `${age}. Names are masked.` : `${age}.`,
    address: isMasked() ? undefined : location.href,
  };
}
