/**
 * Detection rules for the use of weaknesses of an account, keyed by id of the finding type.
 *
 * Events and fields: Microsoft, appendix L of securing Active Directory. Encryption types: RFC 3961, RFC 4757. Rule:
 * `docs/kits.md#detection-rules`.
 */
import { DISABLED, SETTINGS } from './findingTables.ts';
import type { WatchRule } from './sigma.ts';

/** @param sid of the account */
type RuleOfUse = (sid: string) => WatchRule;

const windows = { product: 'windows', service: 'security' } as const;
const TICKETS = 'Kerberos Authentication Service on domain controllers';
const OWNER = 'The owner of the account';

const withoutPreauthentication: RuleOfUse = (sid) => ({
  ...{ ...windows, title: 'A ticket is issued to the account without pre-authentication' },
  fields: { EventID: [4768], TargetSid: [sid], PreAuthType: [0] },
  ...{ needs: TICKETS, falsePositives: OWNER },
});

/** RC4. Without an own setting of the account, controllers may issue tickets with RC4 to every client. */
const weakTicket: RuleOfUse = (sid) => ({
  ...{ ...windows, title: 'A service ticket with weak encryption is requested for the account' },
  fields: { EventID: [4769], ServiceSid: [sid], TicketEncryptionType: ['0x17'] },
  needs: 'Kerberos Service Ticket Operations on domain controllers',
  falsePositives: 'All clients if AES is not enabled for the account, otherwise clients without AES',
});

const ticket: RuleOfUse = (sid) => ({
  ...{ ...windows, title: 'The account, which should not be in use, gets a ticket' },
  fields: { EventID: [4768], TargetSid: [sid] },
  ...{ needs: TICKETS, falsePositives: OWNER },
});

/** Guest nearly always logs on over the network without Kerberos, so no ticket shows it. */
const guestLogon: RuleOfUse = (sid) => ({
  ...{ ...windows, title: 'Guest logs on' },
  fields: { EventID: [4624], TargetUserSid: [sid] },
  needs: 'Logon on domain controllers and on hosts with shares, and forwarding of their events',
  falsePositives: 'Scanners and old devices that use shares without a password',
});

const unused = [...SETTINGS].flatMap(([type, setting]) => (setting === DISABLED ? [type] : []));

export const RULES_OF_USE: ReadonlyMap<string, RuleOfUse> = new Map([
  ...unused.map((type) => [type, ticket] as const),
  ['ASREPRoasting', withoutPreauthentication],
  ['T0ASREPRoastable', withoutPreauthentication],
  ['Kerberoasting', weakTicket],
  ['T0Kerberoastable', weakTicket],
  ['GuestEnabled', guestLogon],
]);

/** Why no rule tells an attack from normal use. */
export const UNWATCHED: ReadonlyMap<string, string> = new Map([
  [
    'KerberoastingWeakEncryption',
    'Every service ticket for the account has weak encryption (event 4769, type 0x17, or 0x1 and 0x3 with DES), so the event does not tell an attack from normal use.',
  ],
]);
