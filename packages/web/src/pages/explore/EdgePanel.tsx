/** The panel of a relationship next to the drawing: its meaning, its causes, and its removal. */

import { techniqueAddress } from '@clew/model';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isDerived } from '../../edges/edgeKinds.ts';
import { guideOf } from '../../edges/guides.ts';
import { isOfExtension } from '../../edges/kindTexts.ts';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { edgeKey, fromUnified, type Graph, type GraphEdge, plainName } from '../../graph/model.ts';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { Cost } from '../../parts/Cost.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { PathDrawing } from '../../parts/PathDrawing.tsx';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatMoment, isTime } from '../../text/formats.ts';
import { RelationshipSections } from './AuthorSections.tsx';
import type { Fixed } from './CannotChange.tsx';
import { ClosePanel } from './ObjectPanel.tsx';
import { readObject } from './objectData.ts';
import { isOneRepair, usePathRepairs } from './usePathRepairs.ts';

interface EdgePanelProps {
  readonly edges: readonly GraphEdge[];
  readonly graph: Graph;
  readonly onClose: () => void;
  /** Absent for users who may not set constraints. */
  readonly onCannotChange: ((fixed: Fixed) => void) | undefined;
}

export function EdgePanel({ edges, graph, onClose, onCannotChange }: EdgePanelProps) {
  const [first] = edges;
  const [source, target] = [graph.nodes.get(first.source), graph.nodes.get(first.target)];
  return (
    <aside className="panel" aria-label="Selected relationship">
      <ClosePanel onClose={onClose} />
      <h2>{edges.length === 1 ? 'Relationship' : `${edges.length} relationships`}</h2>
      <p>
        {source && <ObjectLink object={{ object_id: source.id, name: source.name, kind: source.kind }} />}
        <br />
        <span aria-hidden="true">↓</span>
        <span className="unseen">to</span>
        <br />
        {target && <ObjectLink object={{ object_id: target.id, name: target.name, kind: target.kind }} />}
      </p>
      {edges.every(({ isWay, isGone }) => !isWay && isGone !== true) && <CutFacts edges={edges} />}
      {edges.map((edge) => (
        <Relation key={edgeKey(edge)} edge={edge} graph={graph} />
      ))}
      {onCannotChange !== undefined && edges.every(({ isWay, isGone }) => !isWay && isGone !== true) && (
        <button type="button" onClick={() => onCannotChange({ edges })}>
          We can't change this…
        </button>
      )}
    </aside>
  );
}

function Relation({ edge, graph }: { readonly edge: GraphEdge; readonly graph: Graph }) {
  const [asked, setAsked] = useState<'composition' | 'inheritance' | 'targets'>();
  const kinds = edge.kind.split(' > ');
  const last = kinds.at(-1)!;
  const { phrase, meaning, removal } = useKindTexts([last])(last);
  const derived = edge.isDerived || isDerived(edge.kind);
  return (
    <section className="card">
      <h3>
        {phrase === last ? edge.kind : phrase}
        {phrase !== last && <small>{edge.kind}</small>}
      </h3>
      {edge.isGone === true ? (
        <p>This relationship no longer exists, but was in the saved drawing.</p>
      ) : edge.isWay ? (
        <p>Leads through objects that this drawing does not show.</p>
      ) : (
        <>
          <p>{meaning}</p>
          <dl className="facts">
            <dt>Remediation</dt>
            <dd>{removal}</dd>
            {edge.isAcl && (
              <>
                <dt>Access list</dt>
                <dd>{edge.isInherited ? 'inherited from a container' : 'set on the object itself'}</dd>
              </>
            )}
            {isTime(edge.lastSeen) && (
              <>
                <dt>Last seen</dt>
                <dd>{formatMoment(edge.lastSeen)}</dd>
              </>
            )}
          </dl>
          <div className="chips">
            {derived && (
              <button
                type="button"
                aria-pressed={asked === 'composition'}
                onClick={() => setAsked('composition')}
              >
                Composition
              </button>
            )}
            {edge.isInherited && (
              <button
                type="button"
                aria-pressed={asked === 'inheritance'}
                onClick={() => setAsked('inheritance')}
              >
                Where it is inherited from
              </button>
            )}
            {edge.kind.startsWith('CoerceAndRelay') && (
              <button type="button" aria-pressed={asked === 'targets'} onClick={() => setAsked('targets')}>
                Relay targets
              </button>
            )}
            <AddToWhatIf
              request={{ remove: [{ source_id: edge.source, kind: edge.kind, target_id: edge.target }] }}
              title={`Remove ${edge.kind} on ${plainName(graph, edge.target)} from ${plainName(graph, edge.source)}`}
              words="Cut in What if"
            />
          </div>
          {!isOfExtension(last) && <GuideSections kind={last} />}
          <RelationshipSections kind={last} />
          {asked !== undefined && <Behind edge={edge} graph={graph} what={asked} />}
        </>
      )}
    </section>
  );
}

/** Closed initially, because the panel is about the relationship itself. */
function GuideSections({ kind }: { readonly kind: string }) {
  const { use, traces, techniques } = guideOf(kind);
  return (
    <>
      <details className="author-section">
        <summary>How attackers use it</summary>
        <p>{use}</p>
      </details>
      <details className="author-section">
        <summary>Traces in logs</summary>
        <p>{traces}</p>
      </details>
      <details className="author-section">
        <summary>References</summary>
        <ul className="plain-list">
          {techniques.map((technique) => (
            <li key={technique}>
              <a href={techniqueAddress(technique)} target="_blank" rel="noreferrer">
                MITRE ATT&CK {technique}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** The cheapest known cut with its cost, or the reason why the relationship cannot be cut. */
function CutFacts({ edges }: { readonly edges: readonly GraphEdge[] }) {
  const step = usePathRepairs([edges], true).data?.data.steps[0];
  if (step === undefined) return null;
  const [repair] = step.repairs;
  return (
    <dl className="facts">
      <dt>Cut</dt>
      <dd>
        {step.locked !== null
          ? cleanText(step.locked.text)
          : repair === undefined
            ? 'No known repair removes it'
            : `${repair.removes ? '' : 'One of several changes: '}${cleanText(repair.title)}`}
      </dd>
      {step.locked === null && step.cost !== null && (
        <>
          <dt>Cost</dt>
          <dd>
            <Cost cost={step.cost} isSum={!isOneRepair(step)} />
          </dd>
        </>
      )}
    </dl>
  );
}

const OPERATIONS = {
  composition: 'GetPathComposition',
  inheritance: 'GetACLInheritancePath',
  targets: 'GetRelayTargets',
} as const;

function Behind({ edge, graph, what }: { edge: GraphEdge; graph: Graph; what: keyof typeof OPERATIONS }) {
  const query = useQuery({
    queryKey: [OPERATIONS[what], edgeKey(edge)],
    queryFn: async ({ signal }) => {
      const [source_node, target_node] = await Promise.all(
        [edge.source, edge.target].map((id) => numberOf(graph, id, signal)),
      );
      const input = { query: { source_node, target_node, edge_type: edge.kind } };
      return fromUnified((await call(OPERATIONS[what], input, { signal })).data);
    },
  });
  return (
    <Answer query={query} what="the composition">
      {(behind) =>
        behind.nodes.size === 0 ? (
          <Empty title="No further details are known" />
        ) : (
          <PathDrawing graph={behind} from={edge.source} label={`Composition of ${edge.kind}`} />
        )
      }
    </Answer>
  );
}

/** Operations on relationships require node numbers, which some answers lack. */
async function numberOf(graph: Graph, id: string, signal: AbortSignal): Promise<number> {
  const key = graph.nodes.get(id)?.key ?? (await readObject(id, signal))?.key;
  if (key === undefined) throw new Error('the object is not in the newest results');
  return Number(key);
}
