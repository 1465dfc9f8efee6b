/** The page What if: selected changes, their effect on the exposure, and saved plans. It does not change the directory. */
import type { SimulationRequest } from '@clew/api';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Address, pathTo, useAddress } from '../../address.ts';
import { Empty } from '../../parts/Answer.tsx';
import { addToBasket, emptyBasket, unitedRequest, useBasket } from '../../parts/basket.ts';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { SearchBox } from '../../parts/SearchBox.tsx';
import { saveJson } from '../../parts/save.ts';
import { Tabs } from '../../parts/Tabs.tsx';
import { call } from '../../service/client.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { AddCardToWhatIf } from '../fix/AddCardToWhatIf.tsx';
import { cardTitle, repairPath } from '../fix/planFigures.ts';
import { planIn, questionOf, usePlan } from '../fix/usePlan.ts';
import { CutDrawing } from './CutDrawing.tsx';
import { SavedPlans } from './SavedPlans.tsx';
import { Simulation } from './Simulation.tsx';
import { Steps } from './Steps.tsx';

const VIEWS = [
  { id: 'try', title: 'Try changes' },
  { id: 'plans', title: 'Saved plans' },
] as const;

export default function WhatIfPage() {
  const address = useAddress();
  const view = address.get('view') ?? 'try';
  return (
    <div className="page">
      <h1>What if</h1>
      <Tabs views={VIEWS} current={view} label="Views of What if" kept={['zone']} />
      {view === 'plans' ? <SavedPlans address={address} /> : <Try />}
    </div>
  );
}

function Try() {
  const address = useAddress();
  const zone = address.number('zone', 1) || 1;
  const basket = useBasket();
  const [saving, setSaving] = useState(false);
  const self = useSelf();
  const request = unitedRequest(basket, zone);
  return (
    <>
      {basket.length > 0 && <Effect request={request} count={basket.length} />}
      <section className="card" aria-labelledby="basket">
        <h2 id="basket">{basket.length === 0 ? 'Changes' : counted(basket.length, 'change')} to try</h2>
        {basket.length === 0 ? (
          <>
            <Empty
              title="No changes selected"
              example="“Require LDAP signing: 99.9% to 33.0%, closes 12 findings”"
              action={{ words: 'Select repairs in Fix first', href: pathTo('fix') }}
            >
              <p>
                Take repairs from <Link href={pathTo('fix')}>Fix first</Link>, relationships from a drawing
                below or in <Link href={pathTo('explore')}>Explore</Link>, or choke points from{' '}
                <Link href={pathTo('posture', { view: 'choke' })}>Posture</Link>.
              </p>
            </Empty>
            <FirstRepairs address={address} />
          </>
        ) : (
          <>
            <Steps basket={basket} zone={zone} />
            <div className="bar">
              <button type="button" onClick={emptyBasket}>
                Remove all
              </button>
              {self?.may('saved_queries/Write') && (
                <button type="button" className="main" onClick={() => setSaving(true)}>
                  Save as a plan…
                </button>
              )}
            </div>
          </>
        )}
        <Disable />
      </section>
      <CutDrawing zone={zone} />
      {saving && <SaveDialog request={request} onClose={() => setSaving(false)} />}
    </>
  );
}

const OFFERED = 3;

/** The first cards of the plan for all environments, which can be added here: the effect below is that in all environments, too. */
function FirstRepairs({ address }: { readonly address: Address }) {
  const plan = planIn(usePlan({ ...questionOf(address), env: undefined }, OFFERED).data);
  if (plan === undefined || plan.cards.length === 0) return null;
  return (
    <>
      <h3>The first cards of the plan</h3>
      <ul className="pairs">
        {plan.cards.slice(0, OFFERED).map((card) => (
          <li key={card.key}>
            <Link href={repairPath(card)}>{cleanText(cardTitle(card))}</Link>
            <AddCardToWhatIf card={card} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Disable() {
  return (
    <details>
      <summary>Disable a principal</summary>
      <SearchBox
        label="Principal to disable"
        onPick={({ objectid, name }) => addToBasket({ disable: [objectid] }, { title: `Disable ${name}` })}
      />
    </details>
  );
}

/** The effect is the main answer of the page, so it precedes the changes. */
function Effect({ request, count }: { readonly request: SimulationRequest; readonly count: number }) {
  return (
    <section className="card">
      <h2>Exposure with {count === 1 ? 'this change' : `these ${formatCount(count)} changes`}</h2>
      <Simulation request={request} />
    </section>
  );
}

interface SaveDialogProps {
  readonly request: SimulationRequest;
  readonly onClose: () => void;
}

function SaveDialog({ request, onClose }: SaveDialogProps) {
  return (
    <FormDialog
      title="Save as a plan"
      fields={[
        { type: 'text', name: 'name', label: 'Name', required: true, maxLength: 200 },
        { type: 'long', name: 'description', label: 'Description', rows: 3, maxLength: 4000 },
      ]}
      words="Save"
      send={(values) =>
        call('CreatePlan', {
          body: { ...request, name: values.text('name'), description: values.text('description') },
        })
      }
      touched={['ListPlans']}
      onClose={onClose}
    >
      <button type="button" onClick={() => saveJson('clew-what-if.json', request)}>
        Export JSON
      </button>
    </FormDialog>
  );
}
