/**
 * Changes for findings that no repair of the plan closes: account settings have a script, all others the steps of their remedy, with the
 * reason.
 *
 * Bits of userAccountControl: MS-ADTS 2.2.16. Events: Microsoft, appendix L of securing Active Directory. Rule:
 * `docs/kits.md#findings-outside-the-plan`.
 */
import type { KitFacts, KitObject } from '@clew/planning';
import type { Plan } from './change.ts';
import { accountBits } from './directoryChanges.ts';
import { NotScripted } from './ids.ts';
import type { WatchRule } from './sigma.ts';
import type { Watch } from './watchRules.ts';

/** A finding about one object, with the remedy of its type. */
export interface FindingRemedy {
  /** Id of the finding type. */
  readonly type: string;
  readonly object: KitObject;
  readonly steps: readonly string[];
  readonly use: AccountUse;
}

/** Uses of an account for which a script would be wrong. */
export interface AccountUse {
  /** Whether it has a service principal name; null if that was not collected. */
  readonly runsServices: boolean | null;
  readonly isController: boolean;
  readonly isOfTrust: boolean;
}

interface AccountSetting {
  readonly operation: 'ClearBits' | 'SetBits';
  readonly bits: number;
  /** The property in collections, and its value after the change. */
  readonly property: string;
  readonly wanted: boolean;
}

const cleared = (bits: number, property: string): AccountSetting => ({
  ...{ operation: 'ClearBits', bits, property, wanted: false },
});

const DISABLED: AccountSetting = { operation: 'SetBits', bits: 0x2, property: 'enabled', wanted: false };
const NO_PREAUTHENTICATION = cleared(0x400000, 'dontreqpreauth');
const NEVER_EXPIRES = cleared(0x10000, 'pwdneverexpires');

const SETTINGS: ReadonlyMap<string, AccountSetting> = new Map([
  ['ASREPRoasting', NO_PREAUTHENTICATION],
  ['T0ASREPRoastable', NO_PREAUTHENTICATION],
  ['DESOnlyAccounts', cleared(0x200000, 'usedeskeyonly')],
  ['ReversibleEncryption', cleared(0x80, 'encryptedtextpwdallowed')],
  ['PasswordNotRequired', cleared(0x20, 'passwordnotreqd')],
  ['PasswordNeverExpires', NEVER_EXPIRES],
  ['T0PasswordNeverExpires', NEVER_EXPIRES],
  ['ProtocolTransition', cleared(0x1000000, 'trustedtoauth')],
  ['T0MarkSensitive', { operation: 'SetBits', bits: 0x100000, property: 'sensitive', wanted: true }],
  ['GuestEnabled', DISABLED],
  ['StaleUsers', DISABLED],
  ['StaleComputers', DISABLED],
  ['T0StaleUsers', DISABLED],
  ['NeverLoggedOnT0', DISABLED],
]);

const EXPIRES_AT_ONCE =
  'When the setting is cleared, a password that is older than the maximum age expires at once, and the services fail. Change the password with all its services first.';
const NEEDS_KEYS =
  'A service with DES keys only fails until it has new keys, so the owner of the service makes the change.';

/** Why there is no script for accounts on which services run, and for those where that is not known. */
const FOR_SERVICES: ReadonlyMap<string, string> = new Map([
  ['PasswordNeverExpires', EXPIRES_AT_ONCE],
  ['T0PasswordNeverExpires', EXPIRES_AT_ONCE],
  ['DESOnlyAccounts', NEEDS_KEYS],
]);

function reasonOfUse(
  type: string,
  { runsServices, isController, isOfTrust }: AccountUse,
): string | undefined {
  if (isOfTrust)
    return 'It is the account of a trust, which the domain controllers maintain: change the trust instead.';
  if (isController && SETTINGS.get(type) === DISABLED)
    return 'It is a domain controller: demote it, or remove its metadata if it no longer exists.';
  const reason = FOR_SERVICES.get(type);
  if (reason === undefined || runsServices === false) return undefined;
  return runsServices
    ? `The account has a service principal name. ${reason}`
    : `The collection does not show whether the account has a service principal name. ${reason}`;
}

const MORE_DATA =
  'The data is incomplete: a better collection ends the finding, and not a change of the directory.';
const NEW_SYSTEM = 'An operating system is replaced, which is a project.';

/** Why the change of a type has no script. */
const REASONS: ReadonlyMap<string, string> = new Map([
  [
    'KrbtgtPasswordAge',
    'The password of krbtgt is changed twice, with a pause of at least one ticket lifetime in between.',
  ],
  ['TrustAccountOldPassword', 'Both domains of the trust have to change the password.'],
  [
    'AzureADSSOKeyAge',
    'A module on the synchronization server changes the key, with administrators of both sides.',
  ],
  ['ComputersWithoutLAPS', 'LAPS is introduced by policy, after a change of the schema.'],
  ['ObsoleteOperatingSystem', NEW_SYSTEM],
  ['T0ObsoleteOperatingSystem', NEW_SYSTEM],
  ['ControllerRegistryNotCollected', MORE_DATA],
  ['AuthorityRegistryNotCollected', MORE_DATA],
  ['LDAPSigningNotCollected', MORE_DATA],
  ['UserRightsNotCollected', MORE_DATA],
  ['SessionCollectionGap', MORE_DATA],
]);

const NO_ENGINE = 'The scripts of change kits cannot make this change.';

/** @returns the change of the account setting, or the steps of the remedy with the reason why there is no script */
export function planOfFinding({ type, object, steps, use }: FindingRemedy): Plan {
  const setting = SETTINGS.get(type);
  if (setting === undefined) return { why: REASONS.get(type) ?? NO_ENGINE, steps };
  const reason = reasonOfUse(type, use);
  if (reason !== undefined) return { why: reason, steps };
  try {
    return { ...accountBits(object, setting.operation, setting.bits), remedy: steps };
  } catch (error) {
    if (!(error instanceof NotScripted)) throw error;
    return { why: error.message, steps };
  }
}

/** The declared values of the change. */
export function valuesOfFinding({ type, object }: FindingRemedy): KitFacts['values'] {
  const setting = SETTINGS.get(type);
  if (setting === undefined) return [];
  const { property, wanted } = setting;
  return [{ object, property, now: !wanted, wanted }];
}

const TICKETS = 'Kerberos Authentication Service on domain controllers';
const windows = { product: 'windows', service: 'security' } as const;

const ticketOf = (sid: string, more: WatchRule['fields'], title: string): WatchRule => ({
  ...{ ...windows, title, fields: { EventID: [4768], TargetSid: [sid], ...more } },
  ...{ needs: TICKETS, falsePositives: 'The owner of the account' },
});

const roasted = (sid: string): WatchRule => ({
  ...{ ...windows, title: 'A service ticket with weak encryption is requested for the account' },
  fields: { EventID: [4769], ServiceSid: [sid], TicketEncryptionType: ['0x17'] },
  needs: 'Kerberos Service Ticket Operations on domain controllers',
  falsePositives: 'Old clients without AES',
});

const WITHOUT_PREAUTHENTICATION = ['ASREPRoasting', 'T0ASREPRoastable'];
const ROASTABLE = ['Kerberoasting', 'KerberoastingWeakEncryption', 'T0Kerberoastable'];

/** @returns rules for the use of the weakness, until the change is made */
export function watchFinding({ type, object: { sid } }: FindingRemedy): Watch {
  const isUnused = SETTINGS.get(type) === DISABLED;
  const rule =
    sid === null
      ? undefined
      : WITHOUT_PREAUTHENTICATION.includes(type)
        ? ticketOf(sid, { PreAuthType: [0] }, 'A ticket is issued to the account without pre-authentication')
        : ROASTABLE.includes(type)
          ? roasted(sid)
          : isUnused
            ? ticketOf(sid, {}, 'The account, which should not be in use, gets a ticket')
            : undefined;
  return rule === undefined
    ? { rules: [], unwatched: ['No security log event is known that shows the use of this weakness.'] }
    : { rules: [rule], unwatched: [] };
}
