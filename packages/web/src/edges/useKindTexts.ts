/** The texts of kinds as a page shows them: those of extensions come as soon as something is shown that needs them. */
import { useMemo } from 'react';
import { useAnswer } from '../service/queries.ts';
import { builtInText, isOfExtension, type KindText, textOfExtension } from './kindTexts.ts';

/**
 * @param kinds those that are shown: the service is asked only where an extension may have declared one
 * @returns the texts of any kind; kinds of extensions have those of built-in ones until the answer comes
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
