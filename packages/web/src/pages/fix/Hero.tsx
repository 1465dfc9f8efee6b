/** The one number of the page, its sentence, and how it falls from card to card. */

import type { PlanRecord } from '@clew/api';
import { shareOf } from '@clew/model';
import { counted, formatCount } from '../../text/formats.ts';
import { BandsBar } from './BandsBar.tsx';
import { exposureOf, principals, zoneText } from './planFigures.ts';
import { endOf, Staircase } from './Staircase.tsx';

interface HeroProps {
  readonly plan: PlanRecord;
  readonly env: string | undefined;
  readonly goal: number;
}

export function Hero({ plan, env, goal }: HeroProps) {
  const { exposed, all } = exposureOf(plan.before, env);
  const zone = zoneText(plan.asset_group_tag_id);
  const effort = plan.effort.filter(({ environment_id }) => env === undefined || environment_id === env);
  const one = effort.reduce((sum, { one_action_count }) => sum + one_action_count, 0);
  return (
    <section className="hero" aria-label="Exposure">
      <div>
        <p className="kicker">Exposure of {zone}</p>
        {all === 0 ? (
          <p className="one-number">Not known yet</p>
        ) : (
          <p
            className="one-number"
            title={`${formatCount(exposed)} of ${principals(all)} outside ${zone} can reach it`}
          >
            {shareOf(exposed, all)} <small>of principals</small>
          </p>
        )}
        {all > 0 && (
          <p className="lead">
            {exposed === 0 ? (
              `No user or computer can reach ${zone}.`
            ) : (
              <>
                <strong>
                  {formatCount(exposed)} of {formatCount(all)}
                </strong>{' '}
                users and computers can reach {zone}.
              </>
            )}
            {one > 0 && ` For ${formatCount(one)} of them, one action is enough.`}{' '}
            {planSentence(plan, env, goal)}
          </p>
        )}
        <BandsBar effort={effort} />
      </div>
      <Staircase plan={plan} env={env} goal={goal} />
    </section>
  );
}

/** The joint result of the cards. */
function planSentence(plan: PlanRecord, env: string | undefined, goal: number): string {
  const end = endOf(plan, env);
  if (plan.cards.length === 0 || end === undefined) return '';
  const changes = plan.cards.reduce((sum, { packages }) => sum + packages.length, 0);
  const what = `${counted(plan.cards.length, 'card')} with ${counted(changes, 'repair')}`;
  const verb = plan.cards.length === 1 ? 'brings' : 'bring';
  return plan.end.reason === 'goal'
    ? `${what} ${verb} that to ${end}; your goal is ${goal}%.`
    : `${what} ${verb} that to ${end}. Your goal of ${goal}% is not reached.`;
}
