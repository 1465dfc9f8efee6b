/** The changes to try as steps in an order: moved by buttons or by dragging, with the exposure after each on request. */

import { shareOf } from '@clew/model';
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
import { exposureOf, ofZone, TIER_ZERO } from '../fix/planFigures.ts';
import { useSimulation } from './Simulated.tsx';

/** Each step is a separate simulation. */
const MAX_SHOWN = 12;

interface StepsProps {
  readonly basket: readonly BasketItem[];
  readonly zone: number;
}

export function Steps({ basket, zone }: StepsProps) {
  const [isShown, setShown] = useState(false);
  /** Place of the step that is dragged. */
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
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
            {isShown && <After request={unitedRequest(basket.slice(0, at + 1), zone)} />}
          </li>
        ))}
      </ol>
      {basket.length > 1 && basket.length <= MAX_SHOWN && (
        <label className="choice">
          <input type="checkbox" checked={isShown} onChange={({ target }) => setShown(target.checked)} /> Show
          the exposure after each step
        </label>
      )}
    </>
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
  if (query.isLoading || query.isPlaceholderData) return <p className="quiet">Simulating…</p>;
  if (query.error !== null) return <p className="quiet">{describeError(query.error).text}</p>;
  if (query.data === undefined) return null;
  const zone = request.asset_group_tag_id ?? TIER_ZERO;
  const before = exposureOf(ofZone(query.data.before, zone));
  const after = exposureOf(ofZone(query.data.after, zone));
  if (before.all === 0) return <p className="quiet">Not shown: covers environments outside your access</p>;
  return (
    <p className="quiet">
      Exposure {shareOf(before.exposed, before.all)} → <strong>{shareOf(after.exposed, after.all)}</strong>
    </p>
  );
}
