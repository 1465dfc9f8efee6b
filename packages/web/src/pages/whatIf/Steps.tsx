/** The changes to try, as ordered steps: moved by buttons or dragging, with the exposure after each on request. */

import { COST_SUM_UNIT, costText, costWords, principalsText, shareOf } from '@clew/model';
import { ChevronDown, ChevronUp } from 'lucide';
import { useState } from 'react';
import { announce } from '../../parts/announce.ts';
import { Breakable } from '../../parts/Breakable.tsx';
import {
  type BasketItem,
  moveInBasket,
  removeFromBasket,
  shownTitle,
  unitedRequest,
} from '../../parts/basket.ts';
import { Icon } from '../../parts/Icon.tsx';
import { describeError } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { shortText, visibleText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { type ConstraintChoice, ConstraintDialog } from '../fix/ConstraintDialog.tsx';
import { exposureBase, ofZone, simulatedFall, TIER_ZERO } from '../fix/planFigures.ts';
import { isEnded } from './isEnded.ts';
import { useSimulation } from './simulation.ts';

/** Each step is a separate simulation. */
const MAX_SHOWN = 12;

interface StepsProps {
  readonly basket: readonly BasketItem[];
  readonly zone: number;
}

export function Steps({ basket, zone }: StepsProps) {
  const [isShown, setShown] = useState(false);
  /** Index of the dragged step. */
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [leftOut, setLeftOut] = useState<BasketItem>();
  const move = (from: number, to: number) => {
    const item = basket[from];
    if (item === undefined) return;
    moveInBasket(from, to);
    announce(`${shownTitle(item)} is step ${to + 1} of ${basket.length}`);
  };
  const drop = () => {
    if (dragged !== undefined && over !== undefined) move(dragged, over);
    setDragged(undefined);
    setOver(undefined);
  };
  return (
    <>
      <ol className="steps-to-try">
        {basket.map((item, at) => (
          <li
            key={JSON.stringify(item.request)}
            draggable={basket.length > 1}
            className={over === at && dragged !== at ? 'over' : undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(at);
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(at);
            }}
            onDrop={(event) => {
              event.preventDefault();
              drop();
            }}
            onDragEnd={() => {
              setDragged(undefined);
              setOver(undefined);
            }}
          >
            <Step item={item} at={at} count={basket.length} onMove={move} />
            <Facts item={item} onLeaveOut={() => setLeftOut(item)} />
            {isShown && <After request={unitedRequest(basket.slice(0, at + 1), zone)} />}
          </li>
        ))}
      </ol>
      <TotalCost basket={basket} />
      {leftOut !== undefined && (
        <ConstraintDialog
          choices={choicesOf(leftOut)}
          subject={JSON.stringify(leftOut.request)}
          onClose={() => setLeftOut(undefined)}
        />
      )}
      {basket.length > 1 && basket.length <= MAX_SHOWN && (
        <label className="choice">
          <input type="checkbox" checked={isShown} onChange={({ target }) => setShown(target.checked)} /> Show
          the exposure after each step
        </label>
      )}
    </>
  );
}

/** Constraints for the repairs of a step, one part of a plan at a time. */
const choicesOf = (item: BasketItem): ConstraintChoice[] => [
  {
    label: shortText(shownTitle(item), MAX_LABEL),
    body: {
      subject: 'repairs',
      repairs: item.request.repairs ?? [],
      title: visibleText(item.title).slice(0, MAX_LABEL),
    },
  },
];

const MAX_LABEL = 400;

interface FactsProps {
  readonly item: BasketItem;
  readonly onLeaveOut: () => void;
}

/** The cost of a step, the users who lose access, and a button for users who cannot make the change. */
function Facts({ item: { cost, isSum, affected, request }, onLeaveOut }: FactsProps) {
  const self = useSelf();
  const parts = [
    cost === undefined ? '' : `Cost ${isSum === true ? costText(cost) : costWords(cost)}`,
    affected === undefined || affected === 0
      ? ''
      : `${principalsText(affected)} ${affected === 1 ? 'loses' : 'lose'} access`,
  ].filter((part) => part !== '');
  const mayLeaveOut = (request.repairs ?? []).length > 0 && self?.may('graphdb/Mutate') === true;
  if (parts.length === 0 && !mayLeaveOut) return null;
  return (
    <p className="quiet step-facts">
      {parts.join(' · ')}
      {mayLeaveOut && (
        <button type="button" className="plain" onClick={onLeaveOut}>
          We can't change this…
        </button>
      )}
    </p>
  );
}

/** Changes that were added without a cost, such as cuts of a drawing, are not included. */
function TotalCost({ basket }: { readonly basket: readonly BasketItem[] }) {
  const costs = basket.flatMap(({ cost }) => cost ?? []);
  if (costs.length < 2) return null;
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const rest = basket.length - costs.length;
  return (
    <p className="quiet">
      Total cost {costText(total)} ({COST_SUM_UNIT}).
      {rest > 0 && ` The cost of ${counted(rest, 'change')} is unknown.`}
    </p>
  );
}

interface StepProps {
  readonly item: BasketItem;
  readonly at: number;
  readonly count: number;
  readonly onMove: (from: number, to: number) => void;
}

function Step({ item, at, count, onMove }: StepProps) {
  const title = shownTitle(item);
  return (
    <div className="step-to-try">
      <span className="number">{at + 1}</span>
      <span className="what">
        <Breakable text={title} />
      </span>
      {count > 1 && (
        <span className="joined">
          <button
            type="button"
            aria-label={`Move up: ${title}`}
            title="Move up"
            disabled={at === 0}
            onClick={() => onMove(at, at - 1)}
          >
            <Icon of={ChevronUp} />
          </button>
          <button
            type="button"
            aria-label={`Move down: ${title}`}
            title="Move down"
            disabled={at === count - 1}
            onClick={() => onMove(at, at + 1)}
          >
            <Icon of={ChevronDown} />
          </button>
        </span>
      )}
      <button type="button" className="plain" onClick={() => removeFromBasket(item)}>
        Remove<span className="unseen"> {title}</span>
      </button>
    </div>
  );
}

/** The exposure after this step and all earlier ones. */
function After({ request }: { readonly request: ReturnType<typeof unitedRequest> }) {
  const query = useSimulation(request);
  if (isEnded(query)) return <p className="quiet">Not simulated</p>;
  if (query.error !== null) return <p className="quiet">{describeError(query.error).text}</p>;
  if (query.data === undefined || query.isPlaceholderData) return <p className="quiet">Simulating…</p>;
  const zone = request.asset_group_tag_id ?? TIER_ZERO;
  const { before, after } = simulatedFall(query.data, zone);
  if (before.all === 0) return <p className="quiet">Not shown: covers environments outside your access</p>;
  return (
    <p className="quiet">
      {exposureBase(ofZone(query.data.before, zone))} {shareOf(before.exposed, before.all)} →{' '}
      <strong>{shareOf(after.exposed, after.all)}</strong>
    </p>
  );
}
