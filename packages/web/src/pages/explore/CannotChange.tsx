/**
 * "We can't change this" in the menus of a drawing: for an object, an object with its contents, or the repairs that remove a
 * relationship.
 */
import type { Graph, GraphEdge } from '../../graph/model.ts';
import { Waiting } from '../../parts/Answer.tsx';
import { Dialog } from '../../parts/Dialog.tsx';
import { describeError } from '../../service/queries.ts';
import { cleanText, visibleText } from '../../text/cleanText.ts';
import { type ConstraintChoice, ConstraintDialog } from '../fix/ConstraintDialog.tsx';
import { usePathRepairs } from './usePathRepairs.ts';

/** An object id, or the relationships of a line. */
export type Fixed = { readonly object: string } | { readonly edges: readonly GraphEdge[] };

interface CannotChangeProps {
  readonly fixed: Fixed;
  readonly graph: Graph;
  readonly onClose: () => void;
}

export function CannotChange({ fixed, graph, onClose }: CannotChangeProps) {
  if ('edges' in fixed) return <OfRelationship edges={fixed.edges} graph={graph} onClose={onClose} />;
  return (
    <ConstraintDialog choices={ofObject(graph, fixed.object)} subject={fixed.object} onClose={onClose} />
  );
}

/** Kinds of objects that contain others. */
const CONTAINERS = new Set(['OU', 'Container', 'Domain']);

function ofObject({ nodes }: Graph, object_id: string): ConstraintChoice[] {
  const node = nodes.get(object_id);
  const name = cleanText(node?.name ?? object_id);
  return [
    { label: `Anything about ${name}`, body: { subject: 'object', object_id } },
    ...(CONTAINERS.has(node?.kind ?? '')
      ? [{ label: `${name} and all objects below it`, body: { subject: 'container' as const, object_id } }]
      : []),
  ];
}

const MAX_TITLE = 400;

interface OfRelationshipProps extends Omit<CannotChangeProps, 'fixed'> {
  readonly edges: readonly GraphEdge[];
}

function OfRelationship({ edges, graph, onClose }: OfRelationshipProps) {
  const query = usePathRepairs([edges], true);
  const [first] = edges;
  if (query.data === undefined)
    return (
      <Dialog title="We can't change this" onClose={onClose}>
        {query.error === null ? (
          <Waiting what="the repairs" />
        ) : (
          <p role="alert">{describeError(query.error).text}</p>
        )}
      </Dialog>
    );
  const [step] = query.data.data.steps;
  const repairs = (step?.repairs ?? []).map(
    ({ title, repair }): ConstraintChoice => ({
      label: cleanText(title),
      body: { subject: 'repairs', repairs: [repair], title: visibleText(title).slice(0, MAX_TITLE) },
    }),
  );
  const ends = [first?.target, first?.source].filter((id) => id !== undefined);
  const choices = [...repairs, ...ends.flatMap((id) => ofObject(graph, id))];
  return (
    <ConstraintDialog
      choices={choices}
      subject={edges.map(({ source, kind, target }) => `${source} ${kind} ${target}`).join(' ')}
      onClose={onClose}
    />
  );
}
