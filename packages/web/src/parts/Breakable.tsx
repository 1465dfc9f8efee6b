/**
 * Text with names of the directory: a name stays in one line where it fits, and is broken where its words end, or before its domain, where it
 * is wider than a line.
 */
import { Fragment } from 'react';

const BREAKS = /(?<=[._-])(?=\S)|(?<=\S)(?=@\S)/;

export const Breakable = ({ text }: { readonly text: string }) =>
  text.split(/( +)/).map((word, at) => {
    const parts = word.split(BREAKS);
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of a text have no other name
    if (parts.length === 1) return <Fragment key={at}>{word}</Fragment>;
    return (
      <span key={at} className="unbroken">
        {parts.map((part, place) => (
          <Fragment key={place}>
            {place > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: parts of a text have no other name
  });
