/** Explains how to apply, verify and roll back a change of a repair: in words, and with its script if it has one. */
import type { CardRecord, PackageRecord } from '@clew/api';
import { useAddress } from '../../address.ts';
import { Answer } from '../../parts/Answer.tsx';
import { noKitReason } from '../../parts/changeKits.ts';
import { useSaid } from '../../parts/oneDomain.ts';
import { PastedCommand } from '../../parts/PastedCommand.tsx';
import { Segments } from '../../parts/Segments.tsx';
import { type KitChange, useKitChanges } from '../../parts/useKitChanges.ts';
import { uncapitalized } from '../../text/cleanText.ts';
import { noKitOf, repairsOf } from './planFigures.ts';
import { type ScriptMode, scriptCommands } from './scriptCommands.ts';

const TABS = ['apply', 'verify', 'rollback'] as const;
type Tab = (typeof TABS)[number];

const TITLES: Readonly<Record<Tab, string>> = { apply: 'Apply', verify: 'Verify', rollback: 'Roll back' };
const MODES: Readonly<Record<Tab, ScriptMode>> = { apply: 'Apply', verify: 'Verify', rollback: 'Undo' };

/** The selected tab, stored in the address. */
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

/** @returns the changes of a package; `undefined` if the kit does not belong to the shown card */
function changesOf({ packages }: CardRecord, one: PackageRecord, kit: readonly KitChange[]) {
  if (kit.length !== repairsOf({ packages }).length) return undefined;
  const from = repairsOf({ packages: packages.slice(0, packages.indexOf(one)) }).length;
  return kit.slice(from, from + one.references.length);
}

interface RepairWorkProps {
  readonly card: CardRecord;
  readonly one: PackageRecord;
}

export function RepairWork({ card, one }: RepairWorkProps) {
  const tab = useWorkTab();
  const said = useSaid();
  const kit = useKitChanges(repairsOf(card));
  const noKit = noKitOf(card);
  const noChanges = noKitReason(repairsOf(card));
  return (
    <div className="repair-work">
      {tab === 'apply' && <p>{said(one.fix)}</p>}
      {tab === 'verify' && <p>{said(one.check)}</p>}
      {noChanges === undefined && (
        <Answer query={kit} what="the script" lines={1}>
          {(all) => {
            const changes = changesOf(card, one, all);
            if (changes === undefined) return <p className="quiet">{CHANGED}</p>;
            return <KitWork tab={tab} changes={changes} hasKit={noKit === undefined} />;
          }}
        </Answer>
      )}
      {noKit !== undefined && (
        <p className="quiet">
          There is no script here: {uncapitalized(noKit)} {tab === 'rollback' && NOTE_VALUES}
        </p>
      )}
    </div>
  );
}

const CHANGED = 'These are no longer the changes of the latest analysis. Reload the page to see the scripts.';
const NOTE_VALUES = 'Record the current values before you change them, so that you can restore them.';

interface KitWorkProps {
  readonly tab: Tab;
  readonly changes: readonly KitChange[];
  /** Whether the card has a kit with the scripts. */
  readonly hasKit: boolean;
}

function KitWork({ tab, changes, hasKit }: KitWorkProps) {
  const byHand = changes.filter(({ script }) => script === null);
  const scripted = hasKit ? changes.filter(({ script }) => script !== null) : [];
  const isNone = byHand.length === changes.length;
  const commands = scriptCommands(
    scripted.map(({ id }) => id),
    MODES[tab],
  );
  return (
    <>
      {tab === 'rollback' && hasKit && (byHand.length > 0 || isNone) && (
        <p>
          {isNone ? 'No script makes this change' : 'Some of the changes have no script'}:{' '}
          {uncapitalized(NOTE_VALUES)}
        </p>
      )}
      {tab === 'apply' && <ByHand changes={byHand} />}
      {commands.map((command) => (
        <PastedCommand key={command} text={command} />
      ))}
      {scripted.length > 0 && (
        <p className="quiet">
          {NOTES[tab]} {scripted.length === 1 ? 'The script is' : `The ${scripted.length} scripts are`} in the
          change kit below
          {commands.length < scripted.length &&
            ': run the command in PowerShell, in the folder of the extracted kit'}
          .
        </p>
      )}
    </>
  );
}

const NOTES: Readonly<Record<Tab, string>> = {
  apply: 'Add -WhatIf to preview the change. The script saves the current values before it changes them.',
  verify: 'Shows whether the directory is as wanted, and changes nothing.',
  rollback: 'Restores only what Apply removed.',
};

/** Numbered manual steps of changes without a script, with the reason. */
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
