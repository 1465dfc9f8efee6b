/**
 * The column next to a repair: the path before and after it, the findings that it closes, the users who lose access,
 * its owner and due date.
 */
import type { CardRecord } from '@clew/api';
import { costText, effortWords, principalsText } from '@clew/model';
import { useState } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Cost } from '../../parts/Cost.tsx';
import { Name } from '../../parts/Name.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { PathStrip } from '../../parts/PathStrip.tsx';
import { Stepper } from '../../parts/Stepper.tsx';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { Assignment, assignedText } from './Assignment.tsx';
import { Closed } from './Closed.tsx';
import { zoneMark } from './planFigures.ts';
import { type StartedId, startedRepair } from './startedRepair.ts';

interface RepairRailProps {
  readonly card: CardRecord;
  readonly zone: number;
  /** The repair of a started plan named in the address. */
  readonly asked?: StartedId | undefined;
}

export function RepairRail({ card, zone, asked }: RepairRailProps) {
  return (
    <aside className="rail" aria-label="Effect and owner of the repair">
      <BeforeAfter card={card} zone={zone} />
      <Consequences card={card} />
      <Owners card={card} zone={zone} asked={asked} />
    </aside>
  );
}

function BeforeAfter({ card: { paths }, zone }: { readonly card: CardRecord; readonly zone: number }) {
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, paths.length - 1);
  const path = paths[at];
  if (path === undefined) return null;
  const { before, after, cut } = path;
  const ends = [before.nodes[0], before.nodes.at(-1)];
  const nameOf = (end: (typeof ends)[number]) => cleanText(end?.name ?? '');
  const label = `from ${nameOf(ends[0])} to ${nameOf(ends[1])}`;
  return (
    <section className="card before-after" aria-labelledby="before-after">
      <div className="pair">
        <h2 id="before-after">Attack path, before and after</h2>
        <Stepper
          at={at}
          count={paths.length}
          onStep={setChosen}
          previous="Path of the environment before"
          next="Path of the next environment"
        />
      </div>
      <p className="quiet">
        The easiest path that it cuts in <Name text={path.environment_name} id={path.environment_id} />
        {path.through.length > 0 && `, through ${path.through.map(cleanText).join(', ')}`}
      </p>
      <h3>
        Before <span className="quiet">{effortWords(before.effort)}</span>
      </h3>
      <PathStrip
        label={`Attack path before ${label}, cut at step ${cut + 1}`}
        nodes={before.nodes}
        steps={before.steps.map((step, number) => ({ ...step, isCut: number === cut }))}
        endMark={zoneMark(zone)}
      />
      <h3>After {after !== null && <span className="quiet">{effortWords(after.effort)}</span>}</h3>
      {after === null ? (
        <p className="ok">No path remains.</p>
      ) : (
        <PathStrip
          label={`Attack path after ${label}`}
          nodes={after.nodes}
          steps={after.steps}
          endMark={zoneMark(zone)}
        />
      )}
      <p>
        <Link href={pathTo('explore', { mode: 'path', from: ends[0]?.object_id, to: ends[1]?.object_id })}>
          Open in Explore
        </Link>
      </p>
    </section>
  );
}

function Consequences({ card }: { readonly card: CardRecord }) {
  const holders = new Map(
    card.packages
      .flatMap(({ changes }) => changes.flatMap(({ affected_holders }) => affected_holders))
      .map((holder) => [holder.object_id, holder]),
  );
  const hasFindings = card.closed_count === null || card.closed_count > 0 || (card.opened_count ?? 0) > 0;
  if (card.affected_count === 0 && !hasFindings) return null;
  return (
    <section className="card" aria-labelledby="consequences">
      <h2 id="consequences">What changes</h2>
      <Closed card={card} isOpen={false} />
      {card.affected_count > 0 && (
        <details className="closed" open={holders.size <= MAX_OPEN}>
          <summary>{principalsText(card.affected_count)} lose access</summary>
          {holders.size > 0 && (
            <ul>
              {[...holders.values()].slice(0, MAX_HOLDERS).map((holder) => (
                <li key={holder.object_id}>
                  through <ObjectLink object={holder} />
                </li>
              ))}
              {holders.size > MAX_HOLDERS && (
                <li>and {counted(holders.size - MAX_HOLDERS, 'more object')}</li>
              )}
            </ul>
          )}
        </details>
      )}
    </section>
  );
}

const MAX_OPEN = 3;
const MAX_HOLDERS = 20;

function Owners({ card, zone, asked }: RepairRailProps) {
  const { data } = useAnswer('ListAdoptedPlans');
  const isAsked = ({ plan_id }: { readonly plan_id: number }): boolean => plan_id === asked?.plan;
  const plans = (data?.data ?? [])
    .filter(({ asset_group_tag_id }) => asset_group_tag_id === zone)
    .sort((a, b) => Number(isAsked(b)) - Number(isAsked(a)));
  const started = card.packages.map((one) => ({ one, found: startedRepair(plans, one) }));
  const isStarted = started.some(({ found }) => found !== undefined);
  return (
    <section className="card" aria-labelledby="owner">
      <h2 id="owner">Cost, owner, and due date</h2>
      {started.map(({ one, found }) => (
        <div key={one.key} className="assignment">
          {card.packages.length > 1 && <h3>{cleanText(one.title)}</h3>}
          <p className="pair">
            <span className="quiet">Cost</span>
            <Cost cost={one.cost} />
          </p>
          {found !== undefined && card.packages.length === 1 && <Assignment started={found} />}
          {found !== undefined && card.packages.length > 1 && (
            <details open={isAsked(found.plan) && found.repair.number === asked?.repair}>
              <summary>{assignedText(found.repair)}</summary>
              <Assignment started={found} />
            </details>
          )}
        </div>
      ))}
      {card.packages.length > 1 && (
        <p className="pair">
          <span className="quiet">Total cost</span>
          <strong>{costText(card.cost)}</strong>
        </p>
      )}
      {data !== undefined && !isStarted && (
        <p className="quiet">
          Repairs of a started plan have an owner, a due date, and notes.{' '}
          <Link href="/fix">Start the plan on Fix first</Link>.
        </p>
      )}
    </section>
  );
}
