/** The attack path of the selected inbox row, with its actions; without a path, the reason. */
import type { AdoptedRepair, InboxItem, UnifiedFindingRow } from '@clew/api';
import { effortWords } from '@clew/model';
import { useState } from 'react';
import { Link } from 'wouter';
import { pathTo } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { useKey } from '../../parts/keys.ts';
import { PathSkeleton } from '../../parts/PathSkeleton.tsx';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { formatDate } from '../../text/formats.ts';
import { AcceptDialog } from '../findings/AcceptDialog.tsx';
import { AssignDialog } from '../findings/AssignDialog.tsx';
import { closedReason, closedWay, isClosed } from '../findings/finding.ts';
import { None, OpenPath, Strip } from '../findings/RowPath.tsx';
import { zoneMark } from '../fix/planFigures.ts';
import { isRepairOf } from '../fix/startedRepair.ts';
import { MAX_CARDS, storedQuestion, usePlan } from '../fix/usePlan.ts';

export const mayHavePath = ({ finding, kind, repair }: InboxItem): boolean =>
  finding !== undefined || kind === 'repair' || (kind === 'mention' && repair !== undefined);

interface InboxPathProps {
  readonly item: InboxItem;
}

export function InboxPath({ item }: InboxPathProps) {
  const { finding } = item;
  return (
    <div className="inset inbox-path">
      {finding !== undefined ? (
        <OfFinding row={finding} at={item.at} />
      ) : mayHavePath(item) ? (
        <OfRepair item={item} />
      ) : (
        <None>{REASONS[item.kind] ?? 'This row has no attack path.'}</None>
      )}
    </div>
  );
}

const REASONS: Partial<Readonly<Record<InboxItem['kind'], string>>> = {
  verified: 'This change is done: no attack path uses it anymore. The plan shows the evidence.',
  undone: 'The plan shows the evidence of this change. Fix first shows the paths that are open again.',
  certify: 'A certification concerns members of a zone, so it has no attack path.',
  approval: 'The attack paths of its findings are on the page Findings.',
  decision: 'The pages of its findings show their attack paths.',
  mention: 'A note about this has no attack path.',
  upload: 'An upload has no attack path. The rows under Opened show its effect.',
};

function OfFinding({ row, at }: { readonly row: UnifiedFindingRow; readonly at: string | undefined }) {
  if (isClosed(row)) return <ClosedPath row={row} at={at} />;
  return (
    <>
      <OpenPath row={row} />
      <FindingActions row={row} />
    </>
  );
}

/** Shows the relationship that no longer exists. */
function ClosedPath({ row, at }: { readonly row: UnifiedFindingRow; readonly at: string | undefined }) {
  const about = `Closed${at === undefined ? '' : ` on ${formatDate(at)}`}. ${closedReason(row)}`;
  const way = closedWay(row);
  if (way === undefined) return <None>{about}</None>;
  return <Strip nodes={way.nodes} steps={way.steps} mark={undefined} about={about} isGone />;
}

/** The easiest path that the card of the repair cuts in the newest plan. */
function OfRepair({ item: { plan, repair: number } }: InboxPathProps) {
  const adopted = useAnswer('ListAdoptedPlans');
  return (
    <Answer query={adopted} what="the repair" shape={<PathSkeleton />}>
      {({ data }) => {
        const started = data.find(({ plan_id }) => plan_id === plan?.id);
        const repair = started?.repairs.find((one) => one.number === number);
        if (started === undefined || repair === undefined) return <None>This plan was deleted.</None>;
        return <CardPath repair={repair} zone={started.asset_group_tag_id} />;
      }}
    </Answer>
  );
}

interface CardPathProps {
  readonly repair: AdoptedRepair;
  /** Zone of the plan. */
  readonly zone: number;
}

function CardPath({ repair, zone }: CardPathProps) {
  const query = usePlan(storedQuestion(zone), MAX_CARDS);
  return (
    <Answer query={query} what="the plan" shape={<PathSkeleton />}>
      {(data) => {
        if (!('cards' in data)) return <None>The plan is being created. Its paths will appear with it.</None>;
        const card = data.cards.find(({ packages }) => packages.some((one) => isRepairOf(repair, one)));
        if (card === undefined)
          return (
            <None>
              The plan of the latest analysis does not contain this repair, so there is no path to show.
            </None>
          );
        const [path] = card.paths;
        if (path === undefined)
          return (
            <None>No attack path needs the relationships that this repair changes; it closes findings.</None>
          );
        return (
          <Strip
            nodes={path.before.nodes}
            steps={path.before.steps.map((step, at) => ({ ...step, isCut: at === path.cut }))}
            mark={zoneMark(zone)}
            about={effortWords(path.before.effort)}
          >
            <Link href={pathTo(`fix/${card.key}`, { zone })}>Open the repair</Link>
          </Strip>
        );
      }}
    </Answer>
  );
}

/** `a` accepts the finding, `o` assigns it. */
function FindingActions({ row }: { readonly row: UnifiedFindingRow }) {
  const mayManage = useSelf()?.may('risks/ManageRisks') ?? false;
  const [open, setOpen] = useState<'accept' | 'assign'>();
  const mayAccept = mayManage && row.status === 'active';
  useKey('a', mayAccept ? () => setOpen('accept') : undefined);
  useKey('o', mayManage ? () => setOpen('assign') : undefined);
  if (!mayManage) return null;
  const close = () => setOpen(undefined);
  return (
    <div className="chips">
      <button type="button" onClick={() => setOpen('assign')}>
        {row.owner_name === null ? 'Assign…' : 'Change owner…'}
      </button>
      {mayAccept && (
        <button type="button" onClick={() => setOpen('accept')}>
          Accept risk…
        </button>
      )}
      {open === 'assign' && (
        <AssignDialog count={1} owner={row.owner_id} of={{ findings: [row.id] }} onClose={close} />
      )}
      {open === 'accept' && <AcceptDialog about={row.title} of={{ findings: [row] }} onClose={close} />}
    </div>
  );
}
