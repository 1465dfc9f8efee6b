/** Texts for the type of a finding. */
import type { UnifiedFindingRow } from '@clew/api';
import { isOfExtension } from '../../edges/kindTexts.ts';
import { Answer } from '../../parts/Answer.tsx';
import { AuthorText } from '../../parts/AuthorText.tsx';
import { Markdown } from '../../parts/Markdown.tsx';
import { type TextName, useText } from './finding.ts';

export function FindingText({ row, name }: { readonly row: UnifiedFindingRow; readonly name: TextName }) {
  const query = useText(row, name);
  return (
    <Answer query={query} what="the text" lines={2}>
      {(text) => {
        if (text.trim() === '') return <p className="quiet">No description</p>;
        // Ids of checks have the same form.
        return isOfExtension(row.finding) ? <AuthorText text={text} /> : <Markdown text={text} />;
      }}
    </Answer>
  );
}

export function References({ row }: { readonly row: UnifiedFindingRow }) {
  return (
    <details>
      <summary>References</summary>
      <FindingText row={row} name="references" />
    </details>
  );
}
