/** The column next to the cards: the goal, the environments, and downloads of the plan. */

import type { PlanRecord } from '@clew/api';
import { COST_SUM_UNIT, COST_UNIT, costText, shareOf } from '@clew/model';
import { Download } from 'lucide';
import { useEffect, useId, useState } from 'react';
import type { Address } from '../../address.ts';
import { Icon } from '../../parts/Icon.tsx';
import { Name } from '../../parts/Name.tsx';
import { saveJson, saveText } from '../../parts/save.ts';
import { ViewMenu } from '../../parts/ViewMenu.tsx';
import { cleanText } from '../../text/cleanText.ts';
import { csvText } from '../../text/csv.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { fallOf } from './planFigures.ts';
import { goalText, highestIn, totalsOf } from './planOutline.ts';
import { DEFAULT_PERCENT, goalOf, MAX_GOAL } from './usePlan.ts';

/** No request is sent while the slider moves. */
const PAUSE_MS = 400;

export function Goal({ plan, address }: { readonly plan: PlanRecord; readonly address: Address }) {
  const goal = goalOf(address);
  const id = useId();
  const [chosen, setChosen] = useState(goal);
  useEffect(() => setChosen(goal), [goal]);
  const { set } = address;
  useEffect(() => {
    if (chosen === goal) return undefined;
    const timer = setTimeout(
      () => set({ goal: chosen === DEFAULT_PERCENT ? undefined : chosen }, { replace: true }),
      PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [chosen, goal, set]);
  const { cards, repairs, cost } = totalsOf(plan);
  const stops = plan.outline.map(({ exposure }) => highestIn(exposure));
  return (
    <section className="card" aria-labelledby={`${id}-title`}>
      <div className="pair">
        <h2 id={`${id}-title`}>Goal</h2>
        <ViewMenu page="fix" />
      </div>
      <label className="pair" htmlFor={id}>
        <span className="quiet">Exposure</span>
        <strong>{goalText(chosen, plan.before.length)}</strong>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={MAX_GOAL}
        step={1}
        list={`${id}-stops`}
        value={chosen}
        aria-valuetext={goalText(chosen, plan.before.length)}
        onChange={({ target }) => setChosen(Number(target.value))}
      />
      <datalist id={`${id}-stops`}>
        {[...new Set(stops.map((stop) => Math.round(stop * 100)))].map((stop) => (
          <option key={stop} value={stop} />
        ))}
      </datalist>
      <p className="pair">
        <span className="quiet">Whole plan</span>
        <strong>
          {counted(repairs, 'repair')} in {counted(cards, 'card')}
        </strong>
      </p>
      <p className="pair">
        <span className="quiet">Total cost</span>
        <strong>{costText(cost)}</strong>
      </p>
      <p className="quiet">Cost: {repairs > 1 ? COST_SUM_UNIT : COST_UNIT}.</p>
      <p className="quiet">{cleanText(plan.end.text)}</p>
    </section>
  );
}

/** @param isOne whether the plan counts only one environment */
export function EnvironmentList({ plan, isOne }: { readonly plan: PlanRecord; readonly isOne: boolean }) {
  if (plan.before.length === 0 && plan.not_shown.length === 0) return null;
  return (
    <section className="card" aria-labelledby="by-environment">
      <h2 id="by-environment">Exposure by environment</h2>
      {isOne && (
        <p className="quiet">
          The figures count users and computers of this environment. Paths to any domain of its forest count.
        </p>
      )}
      <ul className="environments">
        {plan.before.map(({ environment_id, environment_name, exposed_count, principal_count }) => (
          <li
            key={environment_id}
            title={`${formatCount(exposed_count)} of ${formatCount(principal_count)} users and computers`}
          >
            <Name text={environment_name} id={environment_id} />
            <span className="fall-bar" aria-hidden="true">
              <span className="now" style={{ width: `${(exposed_count / principal_count) * 100}%` }} />
            </span>
            <strong>{shareOf(exposed_count, principal_count)}</strong>
          </li>
        ))}
        {plan.not_shown.map(({ environment_id, environment_name, reason }) => (
          <li key={environment_id} className="not-shown">
            <Name text={environment_name} id={environment_id} />
            <span className="quiet">{cleanText(reason)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Exports({ plan }: { readonly plan: PlanRecord }) {
  return (
    <section className="card" aria-labelledby="export-plan">
      <h2 id="export-plan">Export plan</h2>
      <div className="actions">
        <button type="button" onClick={() => saveText('clew-plan.csv', planCsv(plan), 'text/csv')}>
          <Icon of={Download} />
          CSV
        </button>
        <button type="button" onClick={() => saveJson('clew-plan.json', plan)}>
          <Icon of={Download} />
          JSON
        </button>
        <button type="button" onClick={() => print()}>
          Print
        </button>
      </div>
    </section>
  );
}

const planCsv = (plan: PlanRecord): string =>
  csvText(
    ['card', 'title', 'fix', 'check', 'risk', 'cost', 'exposure', 'effect', 'findings_closed'],
    plan.cards.flatMap((card, index) =>
      card.packages.map(({ title, fix, check, risk, cost }) => [
        ...[index + 1, title, fix, check, risk, cost],
        ...[fallOf(card), card.effect.text, card.closed_count ?? ''],
      ]),
    ),
  );
