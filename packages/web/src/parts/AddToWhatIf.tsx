/** Adds a change to What if, and then shows that it is selected: the stored selection is authoritative, even after a reload. */
import type { SimulationRequest } from '@clew/api';
import { FlaskConical } from 'lucide';
import { Link } from 'wouter';
import { pathTo } from '../address.ts';
import { addToBasket, type BasketFacts, isSameRequest, useBasket } from './basket.ts';
import { Icon } from './Icon.tsx';

/** Facts that the list of What if shows. */
interface AddToWhatIfProps extends BasketFacts {
  readonly request: SimulationRequest;
  /** Label of the button. */
  readonly words?: string;
  readonly isMain?: boolean;
}

export function AddToWhatIf({
  request,
  words = 'Add to What if',
  isMain = false,
  ...facts
}: AddToWhatIfProps) {
  const basket = useBasket();
  if (basket.some((item) => isSameRequest(item.request, request)))
    return (
      <Link className="button" href={pathTo('what-if')}>
        <Icon of={FlaskConical} />
        In What if
      </Link>
    );
  return (
    <button type="button" className={isMain ? 'main try' : 'try'} onClick={() => addToBasket(request, facts)}>
      <Icon of={FlaskConical} />
      {words}
    </button>
  );
}
