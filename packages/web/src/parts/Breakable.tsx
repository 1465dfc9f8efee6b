/** Text with names of the directory, which break before their domain, or at the ends of words if they are wider than a line. */
import { Fragment } from 'react';

/** Maximum letters of a word that fit into a line of the largest titles on a phone. */
const MAX_WORD = 22;
const DOMAIN = /(?<=\S)(?=@\S)/;
const WORDS = /(?<=[._\\-])(?=\S)/;

/** @param longest maximum letters of an unbroken word */
export function breakableParts(text: string, longest = MAX_WORD): string[] {
  const parts = text.split(/(?<= )/).flatMap((word) => word.split(DOMAIN));
  return parts.flatMap((part) => (part.length > longest ? part.split(WORDS) : [part]));
}

export const Breakable = ({ text, longest }: { readonly text: string; readonly longest?: number }) =>
  breakableParts(text, longest).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
