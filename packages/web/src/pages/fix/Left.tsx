/**
 * The end of a plan: the principals that can still reach the zone after all cards, their number of steps, and the cheapest cut.
 */
import type { PlanRecord } from '@clew/api';
import { principalsText, remainingText, simulatedCards, stepsOfPaths } from '@clew/model';
import { Cost } from '../../parts/Cost.tsx';
import { ObjectLink } from '../../parts/ObjectLink.tsx';
import { RulesButton, type Watched } from '../../parts/RulesButton.tsx';
import { call } from '../../service/client.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { MAX_CARDS } from './usePlan.ts';

const MAX_PATHS = 10;
const WAIT_SECONDS = 120;

/** Reads steps of the easiest paths that remain after all cards. @param environment of the plan; `undefined` for all */
async function stepsAfterCards(
  { asset_group_tag_id, goal }: PlanRecord,
  environment: string | undefined,
): Promise<Watched> {
  const query = {
    asset_group_tag_id,
    goal,
    limit: MAX_CARDS,
    ...(environment !== undefined && { environment }),
  };
  const { data: whole } = await call('GetPlan', { query }, { wait: WAIT_SECONDS });
  if (!('cards' in whole)) throw new Error('the plan is being computed again; try again in a moment');
  const { repairs, after } = simulatedCards(whole.cards, whole.card_count);
  const body = { asset_group_tag_id, repairs, limit: MAX_PATHS };
  const { data } = await call('GetRemainingPaths', { body }, { wait: WAIT_SECONDS });
  const all = data.paths;
  const paths = all.filter(
    ({ environment_id }) => environment === undefined || environment_id === environment,
  );
  return { steps: stepsOfPaths(paths), of: remainingText(paths.length, after, all.length) };
}

interface LeftProps {
  readonly plan: PlanRecord;
  /** Object id of the environment to which the plan is limited. */
  readonly environment: string | undefined;
}

export function Left({ plan, environment }: LeftProps) {
  const { left } = plan;
  if (left === null || left.holders.length === 0) return null;
  const rest = left.holder_count - left.holders.length;
  return (
    <section className="card left-exposed" aria-labelledby="left-exposed">
      <h2 id="left-exposed">
        Left after {plan.card_count === 1 ? 'the card' : `all ${plan.card_count} cards`}
      </h2>
      <ul className="plain-list">
        {left.holders.map(({ holder, environment_id, principal_count, actions, effort, cut }) => (
          <li key={`${environment_id} ${holder.object_id}`}>
            <ObjectLink object={holder} />: {principalsText(principal_count)},{' '}
            {actions === 0 ? 'no action needed' : `${counted(actions, 'action')}, attack effort ${effort}`}
            <p className="quiet">
              {cut === null ? (
                'No known change cuts it.'
              ) : (
                <>
                  Cheapest cut: {cleanText(cut.changes.join('; '))}{' '}
                  <Cost cost={cut.cost} isSum={cut.changes.length > 1} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="quiet">and {rest} more</p>}
      <div className="actions">
        <p className="quiet">Watch the steps of the paths that no card cuts.</p>
        <RulesButton watched={() => stepsAfterCards(plan, environment)} name="paths-after-all-cards" />
      </div>
    </section>
  );
}
