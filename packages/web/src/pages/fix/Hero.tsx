/** The main figure of the page, its sentence, and its decrease from card to card. */

import type { PlanRecord } from '@clew/api';
import { principalsText, shareOf } from '@clew/model';
import { cleanText } from '../../text/cleanText.ts';
import { formatCount } from '../../text/formats.ts';
import { BandsBar } from './BandsBar.tsx';
import { exposureOf, zoneText } from './planFigures.ts';
import { planSentence } from './planOutline.ts';
import { Staircase } from './Staircase.tsx';

interface HeroProps {
  readonly plan: PlanRecord;
  /** Goal in percent. */
  readonly goal: number;
}

export function Hero({ plan, goal }: HeroProps) {
  const { exposed, all } = exposureOf(plan.before);
  const zone = zoneText(plan.asset_group_tag_id);
  const { effort } = plan;
  const [only] = plan.before.length === 1 ? plan.before : [];
  const one = effort.reduce((sum, { one_action_count }) => sum + one_action_count, 0);
  return (
    <section className="hero" aria-label="Exposure">
      <div>
        <p className="kicker">
          Exposure of {zone}
          {only !== undefined && `, ${cleanText(only.environment_name)}`}
        </p>
        {all === 0 ? (
          <p className="one-number">Not known yet</p>
        ) : (
          <p
            className="one-number"
            title={`${formatCount(exposed)} of ${principalsText(all)} outside ${zone} can reach it`}
          >
            {shareOf(exposed, all)} <small>of users and computers</small>
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
            {one > 0 && ` For ${formatCount(one)} of them, one action is enough.`} {planSentence(plan, goal)}
          </p>
        )}
        <BandsBar effort={effort} />
      </div>
      <Staircase plan={plan} goal={goal} />
    </section>
  );
}
