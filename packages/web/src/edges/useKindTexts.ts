/** The texts of kinds for a page; texts of extensions are loaded on first use. */
import { useMemo } from 'react';
import { useAnswer } from '../service/queries.ts';
import { builtInText, isOfExtension, type KindText, textOfExtension } from './kindTexts.ts';

/**
 * @param kinds the shown kinds: a request is sent only if an extension may have declared one of them @returns the texts of any
 * kind; default texts for extension kinds until the answer arrives
 */
export function useKindTexts(kinds: Iterable<string>): (kind: string) => KindText {
  const enabled = [...kinds].some(isOfExtension);
  const { data } = useAnswer('ListKinds', {}, { enabled });
  return useMemo(() => {
    const declared = new Map(
      (data?.data.relationship_kinds ?? [])
        .filter(({ is_builtin, schema_name }) => !is_builtin && schema_name !== '')
        .map((kind) => [kind.name, textOfExtension(kind)]),
    );
    return (kind) => declared.get(kind) ?? builtInText(kind);
  }, [data]);
}
