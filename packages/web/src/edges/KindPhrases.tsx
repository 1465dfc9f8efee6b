/** Kinds of relationships between two objects as words: the names of kinds are never shown instead of them. */
import { phrasesText } from '@clew/model';
import { useKindTexts } from './useKindTexts.ts';

interface KindPhrasesProps {
  readonly kinds: readonly string[];
  /** The names of the kinds are shown next to the words, and otherwise when the pointer rests on them. */
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
