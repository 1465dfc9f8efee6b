/** Describes a finding in one sentence: its source, the phrase of the relationship, and its target. */
import type { UnifiedFindingRow } from '@clew/api';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { cleanText } from '../../text/cleanText.ts';
import { splitName } from '../../text/names.ts';

export interface FindingSentence {
  readonly text: string;
  /** The title of the type, if the sentence does not contain it. */
  readonly type: string;
}

/**
 * @param rows the shown findings
 * @returns "SVC_SYNC can replicate the secrets of CORP.EXAMPLE"; for a finding about one object, only its name
 */
export function useFindingSentences(
  rows: readonly UnifiedFindingRow[],
): (row: UnifiedFindingRow) => FindingSentence {
  const textOf = useKindTexts(rows.flatMap(({ relation }) => relation ?? []));
  return (row) => {
    const { title, relation, target_principal_name: target, source_principal_name: source } = row;
    const whole = cleanText(target || row.target_principal_id);
    if (relation === undefined) return { text: whole, type: title };
    const { name } = splitName(cleanText(source || row.source_principal_id), row.source_principal_kind);
    return { text: `${name} ${textOf(relation).phrase} ${whole}`, type: title };
  };
}

/** @returns the finding in one line, for notices: the name of an object alone would not describe the finding */
export const lineOf = (
  { relation }: Pick<UnifiedFindingRow, 'relation'>,
  { text, type }: FindingSentence,
): string => (relation === undefined ? `${type}: ${text}` : text);
