/** Adds a card to What if. A card that does not name all its changes cannot be simulated, because its effect would differ. */
import type { CardRecord } from '@clew/api';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { isWhole, repairsOf } from './planFigures.ts';

export function AddCardToWhatIf({ card }: { readonly card: CardRecord }) {
  if (!isWhole(card)) return null;
  return (
    <AddToWhatIf
      request={{ repairs: repairsOf(card) }}
      title={card.packages.map(({ title }) => title).join('; ')}
      cost={card.cost}
      isSum={card.packages.length > 1}
      affected={card.affected_count}
    />
  );
}
