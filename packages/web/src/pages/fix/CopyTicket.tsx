/** Copies a card as text for a ticket. */
import type { CardRecord } from '@clew/api';
import { ClipboardCopy } from 'lucide';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { copyExactly } from '../../parts/copy.ts';
import { Icon } from '../../parts/Icon.tsx';
import { repairPath } from './planFigures.ts';
import { ticketText } from './ticketText.ts';

interface CopyTicketProps {
  readonly card: CardRecord;
  readonly zone: number;
  readonly isMain: boolean;
}

export function CopyTicket({ card, zone, isMain }: CopyTicketProps) {
  const textOf = useKindTexts(card.paths[0]?.before.steps.map(({ kind }) => kind) ?? []);
  const copy = (): void => {
    const base = location.href.slice(0, location.href.indexOf('/ui/') + '/ui'.length);
    const address = `${base}${repairPath(card)}`;
    const text = ticketText({ card, zone, address, phraseOf: (kind) => textOf(kind).phrase });
    void copyExactly(text, 'Copied as Markdown for a ticket');
  };
  return (
    <button type="button" className={isMain ? 'main' : ''} onClick={copy}>
      <Icon of={ClipboardCopy} />
      Copy for a ticket
    </button>
  );
}
