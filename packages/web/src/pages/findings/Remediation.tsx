/**
 * The remediation of a finding: the repairs that close it, with their effects; if there are repairs, the texts of its type are
 * collapsed.
 */
import type { EvidenceRecord, UnifiedFindingRow } from '@clew/api';
import { useState } from 'react';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { BeforeAfter } from '../../parts/BeforeAfter.tsx';
import { Breakable } from '../../parts/Breakable.tsx';
import { Cost } from '../../parts/Cost.tsx';
import { FindingKitButtons, KitButtons } from '../../parts/KitButtons.tsx';
import { useSaid } from '../../parts/oneDomain.ts';
import { Segments } from '../../parts/Segments.tsx';
import { Stepper } from '../../parts/Stepper.tsx';
import { useSelf } from '../../service/self.ts';
import { capitalized } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { TIER_ZERO } from '../fix/planFigures.ts';
import { effectOfCard } from '../fix/planOutline.ts';
import { planIn, storedQuestion, usePlan } from '../fix/usePlan.ts';
import { FindingText, References } from './FindingText.tsx';
import { PlanText } from './PlanText.tsx';

type Repair = EvidenceRecord['repairs'][number];

interface RemediationProps {
  readonly row: UnifiedFindingRow;
  readonly repairs: readonly Repair[];
  /** Whether no other repairs exist. */
  readonly isComplete: boolean;
  /** Whether the finding is open and its evidence is known. */
  readonly canHaveKit: boolean;
  readonly children: React.ReactNode;
}

export function Remediation({ row, repairs, isComplete, canHaveKit, children }: RemediationProps) {
  const [at, setAt] = useState(0);
  const repair = repairs[Math.min(at, repairs.length - 1)];
  return (
    <section className="card remediation" aria-labelledby="remediation">
      <header className="section-head">
        <h2 id="remediation">Remediation</h2>
        <span className="end quiet">
          <Stepper
            at={Math.min(at, repairs.length - 1)}
            count={repairs.length}
            onStep={setAt}
            previous="Previous way to close it"
            next="Next way to close it"
            words=" ways"
          />
        </span>
      </header>
      {repair === undefined ? (
        <>
          <Standing row={row} />
          <FindingText row={row} name="short_remediation" />
          {canHaveKit && <FindingKitButtons findingId={row.id} />}
        </>
      ) : (
        <RepairSteps key={JSON.stringify(repair.repair)} repair={repair}>
          <Standing row={row} />
        </RepairSteps>
      )}
      {repairs.length > 1 && <Ways repairs={repairs} isComplete={isComplete} at={at} onChoose={setAt} />}
      {repairs.length === 1 && !isComplete && <p className="quiet">{OTHER_WAYS}</p>}
      <details>
        <summary>
          {repair === undefined ? 'Step by step' : 'All ways to repair findings of this type'}
        </summary>
        {repair !== undefined && <FindingText row={row} name="short_remediation" />}
        <FindingText row={row} name="long_remediation" />
      </details>
      <References row={row} />
      {children}
    </section>
  );
}

const OTHER_WAYS = 'Other ways may exist that are not listed.';

interface WaysProps extends Pick<RemediationProps, 'repairs' | 'isComplete'> {
  readonly at: number;
  readonly onChoose: (at: number) => void;
}

/** The ways to close the finding, to compare their costs. */
function Ways({ repairs, isComplete, at, onChoose }: WaysProps) {
  const said = useSaid();
  const closing = repairs.filter(({ closes }) => closes).length;
  return (
    <details className="ways">
      <summary>
        {isComplete ? 'All' : 'First'} {repairs.length} ways:{' '}
        {closing === 0 ? 'none closes' : `${closing} ${closing === 1 ? 'closes' : 'close'}`} the finding alone
      </summary>
      {!isComplete && <p className="quiet">{OTHER_WAYS}</p>}
      <ol className="plain-list">
        {repairs.map(({ repair, title, cost, closes }, place) => (
          <li key={JSON.stringify(repair)}>
            <button
              type="button"
              className="plain"
              aria-current={place === at ? 'true' : undefined}
              onClick={() => onChoose(place)}
            >
              <Breakable text={said(title)} />
            </button>
            <span className="quiet">
              {closes ? 'Closes it' : 'One of several'} <Cost cost={cost} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

const VIEWS = ['Apply', 'Verify', 'Risk'] as const;

interface RepairStepsProps {
  readonly repair: Repair;
  /** The effect of the plan, shown below the title. */
  readonly children: React.ReactNode;
}

function RepairSteps({ repair, children }: RepairStepsProps) {
  const [view, setView] = useState<(typeof VIEWS)[number]>('Apply');
  const said = useSaid();
  // Others may see a repair without its whole change, which has no kit for them.
  const seesAll = useSelf()?.user.all_environments === true;
  const request = { repairs: [repair.repair] };
  const texts = { Apply: repair.change, Verify: repair.check, Risk: repair.risk };
  return (
    <>
      <h3>
        <Breakable text={said(repair.title)} />
      </h3>
      <p className="quiet">
        {repair.closes
          ? 'This change closes the finding.'
          : 'This change removes one of several ways. The finding closes when the others are removed too.'}{' '}
        Cost <Cost cost={repair.cost} />
      </p>
      {children}
      {repair.affected_count !== null && repair.affected_count > 0 && (
        <p className="quiet">
          {counted(repair.affected_count, 'principal')} {repair.affected_count === 1 ? 'loses' : 'lose'}{' '}
          access
        </p>
      )}
      <Segments
        label="View of the repair"
        choices={VIEWS.map((name) => [name, name] as const)}
        chosen={view}
        onChoose={setView}
      />
      <p className="repair-text">
        <Breakable text={said(texts[view])} />
      </p>
      <div className="actions">
        <AddToWhatIf
          request={request}
          title={repair.title}
          affected={repair.affected_count ?? undefined}
          isMain
        />
        <KitButtons repairs={request.repairs} name="change-kit" offersScript={seesAll} />
      </div>
    </>
  );
}

interface CardEffectProps {
  readonly number: number;
  /** Share of exposed principals after the card, as recorded for the finding. */
  readonly exposureAfter: number | undefined;
}

/** The exposure of Tier Zero before and after a card of the stored plan, relative to the same users and computers. */
function CardEffect({ number, exposureAfter }: CardEffectProps) {
  const plan = planIn(usePlan(storedQuestion(TIER_ZERO), 1).data);
  const effect = plan && effectOfCard(plan, number, exposureAfter);
  if (effect === undefined) return null;
  const { before, after } = effect;
  return (
    <>
      <p className="quiet">Exposure of Tier Zero, all environments, before and after card {number}:</p>
      <BeforeAfter before={before} after={after} />
    </>
  );
}

/** A sentence about the role of the finding in the plan. */
function Standing({ row }: { readonly row: UnifiedFindingRow }) {
  const { closed_by, lowered_by, not_closed, repair } = row;
  const text = closed_by ?? lowered_by ?? not_closed;
  if (text === undefined) return null;
  return (
    <div className="standing">
      {repair !== undefined && <CardEffect number={repair} exposureAfter={row.exposure_after} />}
      <p>
        <PlanText text={`${capitalized(text)}.`} />
      </p>
    </div>
  );
}
