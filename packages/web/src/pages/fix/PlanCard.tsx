/** One card: its effect on the exposure, the path that it cuts, its changes, and their benefit. */

import type { CardRecord, PlanRecord } from '@clew/api';
import { costText, principalsText } from '@clew/model';
import { ArrowRight, Link2, Lock } from 'lucide';
import { useState } from 'react';
import { Link } from 'wouter';
import { Breakable } from '../../parts/Breakable.tsx';
import { FallBar } from '../../parts/FallBar.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { KitButtons } from '../../parts/KitButtons.tsx';
import { OneDomain } from '../../parts/oneDomain.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatCount } from '../../text/formats.ts';
import { withoutDomain } from '../../text/oneDomain.ts';
import { AcceptDialog } from '../findings/AcceptDialog.tsx';
import { findingsPath } from '../findings/findingsPath.ts';
import { AddCardToWhatIf } from './AddCardToWhatIf.tsx';
import { acceptancesText } from './acceptancesText.ts';
import { CardPaths } from './CardPath.tsx';
import { Closed } from './Closed.tsx';
import { ConstraintDialog, choicesOfCard } from './ConstraintDialog.tsx';
import { CopyTicket } from './CopyTicket.tsx';
import { PackageRow } from './PackageRow.tsx';
import {
  cardDomain,
  cardTitle,
  fallIn,
  isExposureCard,
  noKitOf,
  repairPath,
  repairsOf,
  zoneMark,
} from './planFigures.ts';
import { WorkTabs } from './RepairWork.tsx';

export interface PlanCardProps {
  readonly card: CardRecord;
  readonly number: number;
  readonly zone: number;
  /** Exposure before the card. */
  readonly before: PlanRecord['before'];
  /** Whether its number is that of the stored plan, which findings refer to. */
  readonly isStored: boolean;
  /** On a separate page, all parts are expanded, and paths and findings are next to the card. */
  readonly isPage?: boolean;
}

export function PlanCard({ card, number, zone, before, isStored, isPage = false }: PlanCardProps) {
  const fall = fallIn(card, before);
  const domain = cardDomain(card);
  const title = withoutDomain(cleanText(cardTitle(card)), domain);
  const Title = isPage ? 'h1' : 'h2';
  return (
    <OneDomain value={domain}>
      <article
        className={isPage ? 'card repair whole' : 'card repair'}
        aria-labelledby={`card-${number}`}
        tabIndex={-1}
      >
        <header>
          <span className="rank">
            <span className="unseen">Card </span>
            {number}
          </span>
          <div>
            <Title id={`card-${number}`}>
              {isPage ? (
                <Breakable text={title} />
              ) : (
                <Link href={repairPath(card)}>
                  <Breakable text={title} />
                </Link>
              )}
            </Title>
            <Meta
              card={card}
              number={number}
              isStored={isStored}
              domain={domain !== undefined && !title.includes(domain) ? domain : undefined}
            />
          </div>
          {fall !== undefined && fall.cutOff > 0 && (
            <div className="fall">
              <p className="to">
                <span className="from">{fall.from}</span> <Icon of={ArrowRight} />
                <span className="unseen"> becomes </span> <strong>{fall.to}</strong>
              </p>
              <p className="cut-off">{principalsText(fall.cutOff)} cut off</p>
            </div>
          )}
        </header>
        {fall !== undefined && fall.cutOff > 0 && <FallBar before={fall.before} after={fall.after} />}
        {!isPage && <CardPaths paths={card.paths} mark={zoneMark(zone)} />}
        {isPage && <WorkTabs />}
        <ol className="packages">
          {card.packages.map((one, at) => (
            <PackageRow key={one.key} one={one} at={at} card={card} isOpen={isPage} />
          ))}
        </ol>
        <Proof card={card} />
        {!isPage && <Closed card={card} isOpen={false} />}
        <Actions card={card} zone={zone} isPage={isPage} />
      </article>
    </OneDomain>
  );
}

interface MetaProps extends Pick<PlanCardProps, 'card' | 'number' | 'isStored'> {
  /** The common domain of its names, if the title does not contain it. */
  readonly domain: string | undefined;
}

/** A summary of the card: its domain, whether its repairs depend on each other, its findings, and the users who lose access. */
function Meta({ card, number, isStored, domain }: MetaProps) {
  const closedCount = card.closed_count ?? 0;
  const acceptedCount = card.accepted_count ?? 0;
  // Findings of users with limited environments do not refer to cards.
  const hasLinks = useSelf()?.user.all_environments === true && isStored;
  return (
    <p className="meta">
      {domain !== undefined && (
        <span>
          in <Breakable text={domain} />
        </span>
      )}
      {card.packages.length > 1 && (
        <>
          <span className="mark cut">
            <Icon of={Link2} size={13} />
            Do these {card.packages.length} together
          </span>
          <span>No single repair helps on its own</span>
        </>
      )}
      {closedCount > 0 && (
        <span>
          closes{' '}
          {hasLinks ? (
            <Link href={findingsPath({ repair: String(number) })}>{counted(closedCount, 'finding')}</Link>
          ) : (
            counted(closedCount, 'finding')
          )}
        </span>
      )}
      {acceptedCount > 0 && (
        <span>
          {hasLinks ? (
            <Link href={findingsPath({ repair: String(number), status: 'accepted' })}>
              {formatCount(acceptedCount)} of them accepted
            </Link>
          ) : (
            `${formatCount(acceptedCount)} of them accepted`
          )}
          {acceptancesText(card)}
        </span>
      )}
      {card.affected_count > 0 && (
        <span>
          {principalsText(card.affected_count)} {card.affected_count === 1 ? 'loses' : 'lose'} access
        </span>
      )}
      {!isExposureCard(card) && <span>{cleanText(card.effect.text)}</span>}
    </p>
  );
}

/** The cost of a set, its bound, and the sessions on which it depends. */
function Proof({ card: { packages, cost, bound, rests_on_sessions } }: { readonly card: CardRecord }) {
  const sentences = [
    packages.length > 1 && `Total cost ${costText(cost)}.`,
    packages.length > 1 && bound !== null && cleanText(bound.text),
    rests_on_sessions && 'It depends on observed sessions.',
  ].filter((sentence) => typeof sentence === 'string');
  return sentences.length === 0 ? null : <p className="proof">{sentences.join(' ')}</p>;
}

function Actions({ card, zone, isPage }: Required<Pick<PlanCardProps, 'card' | 'zone' | 'isPage'>>) {
  const self = useSelf();
  const [dialog, setDialog] = useState<'accept' | 'constraint'>();
  const title = card.packages.map((one) => one.title).join('; ');
  return (
    <footer className="actions">
      {!isPage && (
        <Link className="button main" href={repairPath(card)}>
          Show the steps
        </Link>
      )}
      <CopyTicket card={card} zone={zone} isMain={isPage} />
      {noKitOf(card) === undefined && (
        <KitButtons repairs={repairsOf(card)} name="change-kit" offersScript={isPage} />
      )}
      <AddCardToWhatIf card={card} />
      {self?.may('risks/ManageRisks') && (card.closed_count ?? 0) > 0 && (
        <button type="button" onClick={() => setDialog('accept')}>
          Accept risk…
        </button>
      )}
      {self?.may('graphdb/Mutate') && (
        <button type="button" className="ghost end" onClick={() => setDialog('constraint')}>
          <Icon of={Lock} />
          We can't change this…
        </button>
      )}
      {dialog === 'accept' && (
        <AcceptDialog
          about={title}
          of={{ closed: card.closed, count: card.closed_count ?? 0 }}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'constraint' && (
        <ConstraintDialog
          choices={choicesOfCard(card)}
          subject={card.key}
          onClose={() => setDialog(undefined)}
        />
      )}
    </footer>
  );
}
