/** Settings of accounts, and reasons why a change has no script, keyed by id of the finding type. */

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

export const DISABLED: AccountSetting = {
  operation: 'SetBits',
  bits: 0x2,
  property: 'enabled',
  wanted: false,
};
const NO_PREAUTHENTICATION = cleared(0x400000, 'dontreqpreauth');
const NEVER_EXPIRES = cleared(0x10000, 'pwdneverexpires');

/** Types whose change is a bit of userAccountControl (MS-ADTS 2.2.16). */
export const SETTINGS: ReadonlyMap<string, AccountSetting> = new Map([
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
export const FOR_SERVICES: ReadonlyMap<string, string> = new Map([
  ['PasswordNeverExpires', EXPIRES_AT_ONCE],
  ['T0PasswordNeverExpires', EXPIRES_AT_ONCE],
  ['DESOnlyAccounts', NEEDS_KEYS],
]);

const MORE_DATA =
  'The data is incomplete: a better collection ends the finding, and not a change of the directory.';
const NEW_SYSTEM = 'An operating system is replaced, which is a project.';

/** Why the change of a type has no script. */
export const REASONS: ReadonlyMap<string, string> = new Map([
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
