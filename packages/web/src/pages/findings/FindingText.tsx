/** A text about the type of a finding. */
import type { UnifiedFindingRow } from '@clew/api';
import { Answer } from '../../parts/Answer.tsx';
import { Markdown } from '../../parts/Markdown.tsx';
import { type TextName, useText } from './finding.ts';

export function FindingText({ row, name }: { readonly row: UnifiedFindingRow; readonly name: TextName }) {
  const query = useText(row, name);
  return (
    <Answer query={query} what="the text" lines={2}>
      {(text) => (text.trim() === '' ? <p className="quiet">No description</p> : <Markdown text={text} />)}
    </Answer>
  );
}
