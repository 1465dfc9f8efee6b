/** Texts of relationships in a drawing: kind names, phrases, or none. */
import { useMemo } from 'react';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import type { LabelOf } from '../../graph/drawing.ts';
import type { Graph } from '../../graph/model.ts';
import type { Labels } from './exploreState.ts';

const kindItself: LabelOf = (kind) => kind;
const nothing: LabelOf = () => '';

export function useLabels(labels: Labels, { edges }: Graph): LabelOf {
  const kinds = useMemo(
    () => (labels === 'phrases' ? new Set(edges.map(({ kind }) => kind)) : []),
    [labels, edges],
  );
  const textOf = useKindTexts(kinds);
  return useMemo(() => {
    if (labels === 'kinds') return kindItself;
    return labels === 'off' ? nothing : (kind) => textOf(kind).phrase;
  }, [labels, textOf]);
}
