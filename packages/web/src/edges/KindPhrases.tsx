/** Shows kinds of relationships between two objects as phrases, never as names of kinds alone. */
import { phrasesText } from '@clew/model';
import { useKindTexts } from './useKindTexts.ts';

interface KindPhrasesProps {
  readonly kinds: readonly string[];
  /** Whether the names of the kinds are shown next to the phrases; otherwise they appear on hover. */
  readonly hasNames?: boolean;
}

export function KindPhrases({ kinds, hasNames = false }: KindPhrasesProps) {
  const textOf = useKindTexts(kinds);
  const text = phrasesText(kinds, (kind) => textOf(kind).phrase);
  const names = kinds.join(', ');
  if (!hasNames || text === names) return <span title={names}>{text}</span>;
  return (
    <>
      {text} <code>{names}</code>
    </>
  );
}
