/** One card on a separate page: its exact changes, the paths that they cut, and the remaining paths. */

import type { CardRecord, PlanRecord } from '@clew/api';
import { Link, Redirect, useSearch } from 'wouter';
import { pathTo, useAddress } from '../../address.ts';
import { Answer, Empty, Waiting } from '../../parts/Answer.tsx';
import { Breakable } from '../../parts/Breakable.tsx';
import { EXACT } from '../../scope.ts';
import { useAnswer } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge } from '../../text/formats.ts';
import { Assignment } from './Assignment.tsx';
import { LeftOut } from './LeftOut.tsx';
import { PlanCard } from './PlanCard.tsx';
import { Computing } from './PlanView.tsx';
import { numberOf, repairPath, TIER_ZERO } from './planFigures.ts';
import { RepairRail } from './RepairRail.tsx';
import { isRepairOf, startedOf } from './startedRepair.ts';
import { hasStoredNumbers, MAX_CARDS, questionOf, storedQuestion, usePlan, zoneOf } from './usePlan.ts';

export default function RepairPage({ id }: { readonly id: string }) {
  const address = useAddress();
  const search = useSearch();
  const number = numberOf(id);
  const question = number === undefined ? questionOf(address) : storedQuestion(TIER_ZERO);
  const query = usePlan(question, MAX_CARDS);
  const asked = startedOf(id);
  const adopted = useAnswer('ListAdoptedPlans', {}, { enabled: asked !== undefined });
  const ofPlan = adopted.data?.data.find(({ plan_id }) => plan_id === asked?.plan);
  const started = ofPlan?.repairs.find(({ number }) => number === asked?.repair);
  // The plan may belong to a zone other than the selected one.
  if (ofPlan !== undefined && ofPlan.asset_group_tag_id !== zoneOf(address))
    return <Redirect to={pathTo(`fix/${id}`, { zone: ofPlan.asset_group_tag_id })} replace />;
  return (
    <div className="page">
      <p className="crumbs">
        <Link href="/fix">Fix first</Link>
      </p>
      <Answer query={query} what="the repair" lines={8}>
        {(data) => {
          if (!('cards' in data)) return <Computing progress={data} question={question} />;
          if (adopted.isLoading) return <Waiting what="the repair" lines={8} />;
          const numbered = data.cards[(number ?? 0) - 1];
          if (numbered !== undefined)
            return <Redirect to={storedPath(numbered, search)} replace {...EXACT} />;
          const at = data.cards.findIndex(({ key, packages }) =>
            started === undefined ? key === id : packages.some((one) => isRepairOf(started, one)),
          );
          const card = data.cards[at];
          if (card === undefined) return <NotInPlan id={id} plan={data} />;
          return (
            <div className="fix repair-page">
              <div>
                <PlanCard
                  card={card}
                  number={at + 1}
                  zone={data.asset_group_tag_id}
                  before={data.cards[at - 1]?.exposure ?? data.before}
                  isStored={hasStoredNumbers(question)}
                  isPage
                />
              </div>
              <RepairRail card={card} zone={data.asset_group_tag_id} asked={asked} />
            </div>
          );
        }}
      </Answer>
    </div>
  );
}

/** @returns the page of a card of Tier Zero's stored plan, regardless of the zone, environment and goal in the address */
function storedPath(card: CardRecord, search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.set('zone', String(TIER_ZERO));
  parameters.delete('env');
  parameters.delete('goal');
  return `${repairPath(card)}?${parameters}`;
}

/** The card was done or excluded, or is no longer needed. */
function NotInPlan({ id, plan }: { readonly id: string; readonly plan: PlanRecord }) {
  const adopted = useAnswer('ListAdoptedPlans');
  const plans = adopted.data?.data ?? [];
  const asked = startedOf(id);
  const found = plans
    .flatMap((plan) => plan.repairs.map((repair) => ({ plan, repair })))
    .find(({ plan: { plan_id }, repair: { number, key } }) =>
      asked === undefined ? key === id : plan_id === asked.plan && number === asked.repair,
    );
  const isDone = found !== undefined && found.repair.done_count === found.repair.changes.length;
  const rest = (
    <>
      <Link href="/fix">Fix first</Link> shows the current repairs.
    </>
  );
  if (found === undefined)
    return (
      <>
        <h1>This repair is not in the plan</h1>
        <Empty title="No longer needed, or left out">
          <p>It is not in the plan of the latest analysis. {rest}</p>
        </Empty>
        <LeftOut plan={plan} />
      </>
    );
  return (
    <div className="fix repair-page">
      <div>
        <h1>
          <Breakable text={cleanText(found.repair.title)} />
        </h1>
        <Empty title={isDone ? '✓ Verified' : 'No longer in the plan'}>
          <p>
            {isDone
              ? `The analysis of ${formatAge(found.plan.published_at)} shows that it is done.`
              : 'The plan of the latest analysis reaches its goal without it, or it is left out.'}{' '}
            {rest}
          </p>
        </Empty>
      </div>
      <aside className="rail" aria-label="Owner of the repair">
        <section className="card" aria-labelledby="owner">
          <h2 id="owner">Owner and due date</h2>
          <Assignment started={found} />
        </section>
        <LeftOut plan={plan} />
      </aside>
    </div>
  );
}
