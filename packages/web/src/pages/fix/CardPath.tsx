/** The attack path that a card cuts, with the cut marked on it, and the easiest one that remains. */
import type { CardPathRecord, DrawnPathRecord } from '@clew/api';
import { edgeText } from '../../edges/edgeKinds.ts';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { cleanText } from '../../text/cleanText.ts';

export function CardPath({ path, zone }: { readonly path: CardPathRecord; readonly zone: string }) {
  return (
    <section className="card-path">
      <h3>
        Path in <Name text={path.environment_name} id={path.environment_id} />
        {path.through.length > 0 && (
          <span className="quiet"> through {path.through.map(cleanText).join(', ')}</span>
        )}
      </h3>
      <p className="quiet">Before: attack effort {path.before.effort}</p>
      <Strip path={path.before} cut={path.cut} zone={zone} />
      {path.after === null ? (
        <p className="ok">After: no path remains.</p>
      ) : (
        <details>
          <summary>
            After: attack effort {path.after.effort}, {path.after.steps.length} steps remain
          </summary>
          <Strip path={path.after} zone={zone} />
        </details>
      )}
    </section>
  );
}

function Strip({
  path: { nodes, steps },
  cut = -1,
  zone,
}: {
  readonly path: DrawnPathRecord;
  readonly cut?: number;
  readonly zone: string;
}) {
  return (
    <ol className="strip">
      {nodes.map((node, at) => {
        const step = steps[at - 1];
        const isCut = at - 1 === cut;
        const isEnd = at === nodes.length - 1;
        return (
          <li key={`${at} ${node.object_id}`} className={at - 1 > cut && cut >= 0 ? 'behind' : ''}>
            {step !== undefined && (
              <span
                className={isCut ? 'step cut' : 'step'}
                title={`${cleanText(step.reason)} (attack effort ${step.effort})`}
              >
                {isCut && (
                  <>
                    <span aria-hidden="true">✂ </span>
                    <span className="unseen">Cut here: </span>
                  </>
                )}
                <span className="unseen">{edgeText(step.kind).phrase} </span>
                <span aria-hidden="true">{step.kind}</span>
              </span>
            )}
            <span className={isEnd ? 'box end' : 'box'}>
              <ObjectLink object={node} />
              {isEnd && <span className="zone-mark">{zone}</span>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
