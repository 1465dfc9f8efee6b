/**
 * Texts that the author of an extension gives to its kinds, in the panels of objects and relationships. They are foreign: shown
 * as a few elements of Markdown, with the host next to each link.
 */
import { isOfExtension } from '../../edges/kindTexts.ts';
import { Markdown } from '../../parts/Markdown.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText, shortText } from '../../text/cleanText.ts';
import { type Section, sectionsIn } from './authorSections.ts';

/** @param nodeKey number of the node in the graph */
export function ObjectSections({
  nodeKey,
  kinds,
}: {
  readonly nodeKey: string;
  readonly kinds: readonly string[];
}) {
  const { data } = useAnswer(
    'GetNodeByID',
    { params: { node_id: Number(nodeKey) }, query: { 'include-info': true } },
    { enabled: kinds.some(isOfExtension) },
  );
  return <Sections sections={sectionsIn(data?.data.info)} />;
}

export function RelationshipSections({ kind }: { readonly kind: string }) {
  const kinds = useAnswer('ListEdgeKinds', {}, { enabled: isOfExtension(kind) });
  const id = kinds.data?.data.find(({ name }) => name === kind)?.id;
  const { data } = useAnswer(
    'GetRelationshipKind',
    { params: { relationship_kind_id: id ?? 0 } },
    { enabled: id !== undefined },
  );
  return <Sections sections={sectionsIn(data?.data.info)} />;
}

function Sections({ sections }: { readonly sections: readonly Section[] }) {
  return sections.map(({ title, content }) => (
    <details key={title} className="author-section">
      <summary>{shortText(cleanText(title), 200)}</summary>
      <Markdown text={cleanLines(content)} isForeign />
    </details>
  ));
}

const cleanLines = (text: string): string => text.split(/\r?\n/).map(cleanText).join('\n');
