/** What to repair first: cards of changes that help together, with the exposure that they leave. */
import type { ComputingRecord, PlanRecord } from '@clew/api';
import { useQuery } from '@tanstack/react-query';
import type { Address } from '../../address.ts';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { ZoneChoice } from '../../parts/Choices.tsx';
import { Name } from '../../parts/Name.tsx';
import { saveText } from '../../parts/save.ts';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { csvText } from '../../text/csv.ts';
import { counted, formatAge, formatCount } from '../../text/formats.ts';
import { AdoptedPlans, StartPlan } from './AdoptedPlans.tsx';
import { BandsBar } from './BandsBar.tsx';
import { LeftOut } from './LeftOut.tsx';
import { PlanCard } from './PlanCard.tsx';
import { exposureOf, fallOf, principals, share, zoneText } from './planFigures.ts';

const FIRST_CARDS = 5;
const MOST_CARDS = 50;
/** Seconds that the service may take before it answers with what there is. */
const WAIT_SECONDS = 1;
/** While a plan is being made. */
const LOOK_MS = 3000;

export function PlanView({ address }: { readonly address: Address }) {
  const zone = address.number('zone', 1) || 1;
  const limit = Math.min(address.number('limit', FIRST_CARDS), MOST_CARDS);
  const query = useQuery({
    queryKey: ['GetPlan', zone, limit],
    queryFn: async ({ signal }) => {
      const asked = { query: { asset_group_tag_id: zone, limit } };
      return (await call('GetPlan', asked, { signal, wait: WAIT_SECONDS })).data;
    },
    placeholderData: (before) => before,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (!('cards' in data) || data.computing !== null) ? LOOK_MS : false,
  });
  const plan = query.data !== undefined && 'cards' in query.data ? query.data : undefined;
  return (
    <>
      <div className="bar">
        <ZoneChoice address={address} />
        {plan !== undefined && plan.cards.length > 0 && (
          <>
            {plan.computing?.generation !== plan.generation && <StartPlan plan={plan} />}
            <Exports plan={plan} />
          </>
        )}
      </div>
      <Answer query={query} what="the plan" lines={6}>
        {(data) =>
          'cards' in data ? (
            <Plan plan={data} limit={limit} address={address} />
          ) : (
            <Computing progress={data} />
          )
        }
      </Answer>
    </>
  );
}

/** There is no plan of this zone yet. */
function Computing({ progress }: { readonly progress: ComputingRecord }) {
  return (
    <Empty title="The first plan is being made">
      <p role="status">{progressText(progress)}</p>
      <p className="quiet">It appears here by itself. The findings are there already.</p>
    </Empty>
  );
}

/** Of the cards that are known while the rest of the same plan is being made. */
function firstCardsText({ fault }: ComputingRecord): string {
  const goesOn = fault === null ? 'The search for more changes and for proof goes on' : cleanText(fault);
  return `These are the first cards. ${goesOn}.`;
}

function progressText({ started_at, card_count, exposed_count, fault }: ComputingRecord): string {
  if (fault !== null) return `${cleanText(fault)}.`;
  if (started_at === null) return 'It starts when the analysis is done.';
  const left = exposed_count === null ? '' : `, ${principals(exposed_count)} still exposed`;
  return `Started ${formatAge(started_at)}: ${counted(card_count, 'card')} so far${left}.`;
}

function Plan({ plan, limit, address }: { plan: PlanRecord; limit: number; address: Address }) {
  const { exposed, all } = exposureOf(plan.before);
  const one = plan.effort.reduce((sum, { one_action_count }) => sum + one_action_count, 0);
  const zone = zoneText(plan.asset_group_tag_id);
  return (
    <>
      {plan.computing !== null && (
        <p className="notice" role="status">
          {plan.computing.generation === plan.generation
            ? firstCardsText(plan.computing)
            : `This is the plan of the analysis of ${formatAge(plan.published_at)}. A newer one is being made. ${progressText(plan.computing)}`}
        </p>
      )}
      {plan.before.length > 0 && (
        <section className="exposure" aria-label="Exposure">
          <p className="quiet">Exposure of {zone}</p>
          <p className="one-number">{share(exposed, all)}</p>
          <p className="lead">
            {exposed === 0
              ? `No user or computer can reach ${zone}.`
              : `${formatCount(exposed)} of ${principals(all)} can reach ${zone}.`}
            {one > 0 && ` For ${formatCount(one)} of them, one action is enough.`}
          </p>
          <BandsBar effort={plan.effort} />
        </section>
      )}
      {plan.not_shown.map(({ environment_id, environment_name, reason }) => (
        <p key={environment_id} className="notice">
          Exposure of <Name text={environment_name} id={environment_id} />: {reason.charAt(0).toLowerCase()}
          {reason.slice(1)}.
        </p>
      ))}
      <AdoptedPlans zone={plan.asset_group_tag_id} />
      {plan.no_short_list && plan.cards.length > 0 && (
        <p className="lead">No short list closes every path. These cut the most-used ones.</p>
      )}
      <ol className="repairs">
        {plan.cards.map((card, index) => (
          <li key={card.key}>
            <PlanCard
              card={card}
              number={index + 1}
              zone={plan.asset_group_tag_id}
              before={plan.cards[index - 1]?.exposure ?? plan.before}
            />
          </li>
        ))}
      </ol>
      {plan.card_count > plan.cards.length && limit < MOST_CARDS && (
        <button
          type="button"
          onClick={() => address.set({ limit: Math.min(limit * 2, MOST_CARDS) }, { replace: true })}
        >
          More cards ({plan.card_count - plan.cards.length})
        </button>
      )}
      <section className="plan-end">
        {plan.card_count === plan.cards.length && <p>{cleanText(plan.end.text)}</p>}
        {plan.not_read.length > 0 && (
          <>
            <h2>What was not read</h2>
            <ul>
              {plan.not_read.map((sentence) => (
                <li key={sentence}>{cleanText(sentence)}</li>
              ))}
            </ul>
          </>
        )}
      </section>
      <LeftOut plan={plan} />
    </>
  );
}

function Exports({ plan }: { readonly plan: PlanRecord }) {
  return (
    <span className="exports">
      <button
        type="button"
        onClick={() => saveText('clew-plan.json', `${JSON.stringify(plan, null, 2)}\n`, 'application/json')}
      >
        Export JSON
      </button>
      <button type="button" onClick={() => saveText('clew-plan.csv', planCsv(plan), 'text/csv')}>
        Export CSV
      </button>
      <button type="button" onClick={() => print()}>
        Print
      </button>
    </span>
  );
}

const planCsv = (plan: PlanRecord): string =>
  csvText(
    ['card', 'title', 'fix', 'check', 'risk', 'cost', 'exposure', 'effect', 'findings_closed'],
    plan.cards.flatMap((card, index) =>
      card.packages.map(({ title, fix, check, risk, cost }) => [
        ...[index + 1, title, fix, check, risk, cost],
        ...[fallOf(card), card.effect.text, card.closed_count],
      ]),
    ),
  );
