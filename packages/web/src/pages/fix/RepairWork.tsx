/** How a change of a repair is applied, verified and rolled back: in words, and by its script where there is one. */
import type { CardRecord, ChangeKitRecord, PackageRecord } from '@clew/api';
import { useQuery } from '@tanstack/react-query';
import { useAddress } from '../../address.ts';
import { MAX_CHANGES } from '../../parts/KitButtons.tsx';
import { useSaid } from '../../parts/oneDomain.ts';
import { PastedCommand } from '../../parts/PastedCommand.tsx';
import { Segments } from '../../parts/Segments.tsx';
import { call } from '../../service/client.ts';
import { isMasked } from '../../text/masking.ts';

type KitChange = ChangeKitRecord['changes'][number];

const TABS = ['apply', 'verify', 'rollback'] as const;
type Tab = (typeof TABS)[number];

const TITLES: Readonly<Record<Tab, string>> = { apply: 'Apply', verify: 'Verify', rollback: 'Roll back' };
const MODES: Readonly<Record<Tab, string>> = { apply: 'Apply', verify: 'Verify', rollback: 'Undo' };

/** The tab of the page, which its address holds. */
export function useWorkTab(): Tab {
  const asked = useAddress().get('tab');
  return TABS.find((tab) => tab === asked) ?? 'apply';
}

export function WorkTabs() {
  const address = useAddress();
  return (
    <Segments
      label="Part of the work"
      choices={TABS.map((tab) => [tab, TITLES[tab]] as const)}
      chosen={useWorkTab()}
      onChoose={(tab) => address.set({ tab: tab === 'apply' ? undefined : tab }, { replace: true })}
    />
  );
}

/** @returns the changes of the kit that belong to a package; nothing while names are masked: a kit has names and ids */
function useKitChanges({ packages }: CardRecord, one: PackageRecord): readonly KitChange[] {
  const repairs = packages.flatMap(({ references }) => references);
  const { data } = useQuery({
    queryKey: ['GetChangeKit', repairs],
    enabled: repairs.length > 0 && repairs.length <= MAX_CHANGES && !isMasked(),
    queryFn: async ({ signal }) =>
      (await call('GetChangeKit', { body: { repairs } }, { signal })).data.changes,
  });
  if (data === undefined || data.length !== repairs.length) return [];
  const from = packages
    .slice(0, packages.indexOf(one))
    .reduce((sum, { references }) => sum + references.length, 0);
  return data.slice(from, from + one.references.length);
}

interface RepairWorkProps {
  readonly card: CardRecord;
  readonly one: PackageRecord;
}

export function RepairWork({ card, one }: RepairWorkProps) {
  const tab = useWorkTab();
  const said = useSaid();
  const changes = useKitChanges(card, one);
  const scripted = changes.filter(({ script }) => script !== null);
  const byHand = changes.filter(({ script }) => script === null);
  return (
    <div className="repair-work">
      {tab === 'apply' && <p>{said(one.fix)}</p>}
      {tab === 'verify' && <p>{said(one.check)}</p>}
      {tab === 'rollback' && byHand.length > 0 && (
        <p>
          {byHand.length === changes.length
            ? 'No script makes this change'
            : 'Some of the changes have no script'}
          : write down the present values before you change them, and set them again to roll back.
        </p>
      )}
      {tab === 'apply' && <ByHand changes={byHand} />}
      {scripted.map(({ id }) => (
        <PastedCommand key={id} text={`powershell -File ${id}.ps1 -Mode ${MODES[tab]}`} />
      ))}
      {scripted.length > 0 && <p className="quiet">{NOTES[tab]} The script is in the change kit below.</p>}
    </div>
  );
}

const NOTES: Readonly<Record<Tab, string>> = {
  apply: 'Add -WhatIf to see first what it would change. It writes down the values before it changes them.',
  verify: 'It says whether the directory is as wanted, and changes nothing.',
  rollback: 'It gives back what Apply removed, and nothing else.',
};

/** Numbered steps of changes without a script, with the reason. */
function ByHand({ changes }: { readonly changes: readonly KitChange[] }) {
  const said = useSaid();
  return changes.map(({ id, title, steps, why }) => (
    <div key={id}>
      {changes.length > 1 && <h3>{said(title)}</h3>}
      {steps.length > 0 && (
        <ol className="work-steps">
          {steps.map((step) => (
            <li key={step}>{said(step)}</li>
          ))}
        </ol>
      )}
      {why !== null && <p className="quiet">There is no script: {said(why)}</p>}
    </div>
  ));
}
