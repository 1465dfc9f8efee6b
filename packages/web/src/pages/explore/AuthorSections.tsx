/**
 * Texts that authors of extensions provide for kinds, in the panels of objects and relationships. They are untrusted: each link
 * shows its host.
 */
import { useState } from 'react';
import { isOfExtension } from '../../edges/kindTexts.ts';
import { AuthorText } from '../../parts/AuthorText.tsx';
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
  return sections.map((section) => <AuthorSection key={section.title} {...section} />);
}

/** The text is loaded when it is opened. */
function AuthorSection({ title, content }: Section) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="author-section" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{shortText(cleanText(title), 200)}</summary>
      {isOpen && <AuthorText text={cleanLines(content)} />}
    </details>
  );
}

const cleanLines = (text: string): string => text.split(/\r?\n/).map(cleanText).join('\n');
