/** type Cases of list findings about accounts. */
import { OTHER_SID, SID } from '../worlds.ts';
import { type Cases, computer, daysAgo, inTierZero, ofComputers, ofUsers, suffixed, user } from './case.ts';

/** An account that never logged on has these values. */
const never = { lastlogon: 0, lastlogontimestamp: -1 } as const;
const unjoined = { ...never, whencreated: daysAgo(31), pwdlastset: daysAgo(31) } as const;

export const ACCOUNTS_CASES: Cases = {
  ReversibleEncryption: ofUsers({ encryptedtextpwdallowed: true }, { encryptedtextpwdallowed: false }),
  PasswordNotRequired: ofUsers(
    { passwordnotreqd: true },
    { passwordnotreqd: false },
    { passwordnotreqd: true, enabled: false },
  ),
  PasswordNeverExpires: ofUsers(
    { pwdneverexpires: true },
    { pwdneverexpires: false },
    { pwdneverexpires: true, msa: true },
  ),
  T0PasswordNeverExpires: inTierZero(ofUsers({ pwdneverexpires: true }, { pwdneverexpires: false })),
  T0OldPassword: inTierZero(
    ofUsers({ pwdlastset: daysAgo(366) }, { pwdlastset: daysAgo(364) }, { pwdlastset: 0 }),
  ),
  OldServiceAccountPassword: ofUsers(
    { hasspn: true, pwdlastset: daysAgo(366) },
    { hasspn: false, pwdlastset: daysAgo(366) },
    { hasspn: true, pwdlastset: daysAgo(30) },
    { hasspn: true, pwdlastset: daysAgo(366), gmsa: true },
  ),
  PasswordInAttribute: ofUsers({ unixpassword: 'abc', pwdlastset: 1 }, { pwdlastset: 1, userpassword: '' }),
  LogonScriptOutsideTrust: inTierZero({
    ...ofUsers(
      { logonscript: '\\\\files.corp.local\\netlogon\\a.cmd' },
      { logonscript: 'a.cmd' },
      { logonscript: '\\\\corp.local\\netlogon\\a.cmd' },
      { logonscript: '\\\\DC1\\netlogon\\a.cmd' },
    ),
    things: [
      ...ofUsers(
        { logonscript: '\\\\files.corp.local\\netlogon\\a.cmd' },
        { logonscript: 'a.cmd' },
        { logonscript: '\\\\corp.local\\netlogon\\a.cmd' },
        { logonscript: '\\\\DC1\\netlogon\\a.cmd' },
      ).things,
      computer('DC', { name: 'DC1.CORP.LOCAL', samaccountname: 'DC1$' }),
    ],
  }),
  SmartCardPasswordOld: ofUsers(
    { smartcardrequired: true, pwdlastset: daysAgo(366) },
    { smartcardrequired: true, pwdlastset: daysAgo(364) },
    { smartcardrequired: false, pwdlastset: daysAgo(366) },
    { smartcardrequired: true, pwdlastset: daysAgo(366), enabled: false },
  ),
  StaleUsers: [
    ofUsers(
      { lastlogontimestamp: daysAgo(91), lastlogon: daysAgo(95), whencreated: daysAgo(400) },
      { lastlogontimestamp: daysAgo(91), lastlogon: daysAgo(10) },
      { lastlogontimestamp: -1, whencreated: daysAgo(10) },
      { lastlogontimestamp: daysAgo(91), enabled: false },
    ),
    {
      // The built-in administrator, and an account with a session.
      things: [
        user('BAD', { lastlogontimestamp: -1, whencreated: daysAgo(400) }),
        user('ON', { lastlogontimestamp: -1, whencreated: daysAgo(400) }),
        user(suffixed('500'), { lastlogontimestamp: daysAgo(400) }),
        computer('C'),
      ],
      facts: [['C', 'HasSession', 'ON']],
      finds: ['BAD'],
      not: ['ON', suffixed('500')],
    },
    {
      // A collection of two years ago: ages count from then.
      things: [
        [SID, 'Domain', { collected: true, whencreated: daysAgo(4000) }],
        user('BAD', { lastlogontimestamp: daysAgo(830) }),
        user('THEN', { lastlogontimestamp: daysAgo(731) }),
        user('USED', { lastlogontimestamp: daysAgo(730) }),
      ],
      finds: ['BAD'],
      not: ['THEN', 'USED'],
    },
  ],
  StaleComputers: ofComputers(
    { lastlogontimestamp: -1, lastlogon: 0, whencreated: daysAgo(61) },
    { lastlogontimestamp: daysAgo(59) },
    { whencreated: daysAgo(90) },
    { lastlogontimestamp: daysAgo(400), name: 'AZUREADSSOACC.CORP.LOCAL' },
    { lastlogontimestamp: daysAgo(400), name: 'AZUREADKERBEROS.CORP.LOCAL' },
  ),
  T0StaleUsers: inTierZero(
    ofUsers(
      { lastlogontimestamp: daysAgo(46) },
      { lastlogontimestamp: daysAgo(44) },
      { lastlogontimestamp: -1, whencreated: daysAgo(90) },
    ),
  ),
  NeverLoggedOnT0: [
    inTierZero(
      ofUsers(
        { lastlogontimestamp: -1, whencreated: daysAgo(31) },
        { lastlogontimestamp: daysAgo(400), whencreated: daysAgo(500) },
        { lastlogontimestamp: -1, whencreated: daysAgo(29) },
      ),
    ),
    {
      things: [user('ON', { lastlogontimestamp: -1, whencreated: daysAgo(31) }), computer('C')],
      facts: [['C', 'HasSession', 'ON']],
      tierZero: ['ON'],
      finds: [],
      not: ['ON'],
    },
  ],
  T0DisabledUsers: {
    ...inTierZero(ofUsers({ enabled: false }, { enabled: true })),
    things: [
      ...inTierZero(ofUsers({ enabled: false }, { enabled: true })).things,
      user(suffixed('502'), { enabled: false }),
    ],
    tierZero: ['BAD', 'GOOD0', suffixed('502')],
    not: ['GOOD0', suffixed('502'), 'ELSEWHERE'],
  },
  BuiltinAdministratorUsed: {
    things: [
      user(suffixed('500'), { lastlogon: daysAgo(6) }),
      user(`${OTHER_SID}-500`, { domainsid: OTHER_SID, lastlogon: daysAgo(8) }),
      user('U', { lastlogon: daysAgo(1) }),
    ],
    finds: [suffixed('500')],
    not: [`${OTHER_SID}-500`, 'U'],
  },
  GuestEnabled: {
    things: [
      user(suffixed('501')),
      user(`${OTHER_SID}-501`, { domainsid: OTHER_SID, enabled: false }),
      user('U'),
    ],
    finds: [suffixed('501')],
    not: [`${OTHER_SID}-501`, 'U'],
  },
  ShadowCredentialsPresent: inTierZero(ofUsers({ keycredentiallink: ['B:1'] }, { keycredentiallink: [] })),
  ConnectorAccountOldPassword: {
    things: [
      user('BAD', { name: 'MSOL_12AB@CORP.LOCAL', pwdlastset: daysAgo(91) }),
      user('NEW', { name: 'MSOL_34CD@CORP.LOCAL', pwdlastset: daysAgo(89) }),
      user('OFF', { name: 'MSOL_56EF@CORP.LOCAL', pwdlastset: daysAgo(400), enabled: false }),
      user('MANAGED', { name: 'ADSYNCMSA1$@CORP.LOCAL', pwdlastset: daysAgo(400), gmsa: true }),
      user('OTHER', { name: 'BOB@CORP.LOCAL', pwdlastset: daysAgo(400) }),
    ],
    finds: ['BAD'],
    not: ['NEW', 'OFF', 'MANAGED', 'OTHER'],
  },
  ComputerOldPassword: {
    things: [
      computer('BAD', { pwdlastset: daysAgo(91), lastlogontimestamp: daysAgo(44) }),
      computer('NEW', { pwdlastset: daysAgo(89), lastlogontimestamp: daysAgo(1) }),
      computer('IDLE', { pwdlastset: daysAgo(91), lastlogontimestamp: daysAgo(46) }),
      computer('OFF', { enabled: false, pwdlastset: daysAgo(91), lastlogontimestamp: daysAgo(1) }),
      computer('DC', { pwdlastset: daysAgo(91), lastlogontimestamp: daysAgo(1) }),
      computer('CLOUD', { name: 'AZUREADSSOACC.CORP.LOCAL', pwdlastset: daysAgo(91), lastlogon: daysAgo(1) }),
      computer('UNKNOWN', { lastlogontimestamp: daysAgo(1) }),
    ],
    facts: [['DC', 'DCFor', SID]],
    finds: ['BAD'],
    not: ['NEW', 'IDLE', 'OFF', 'DC', 'CLOUD', 'UNKNOWN'],
  },
  PreCreatedComputers: {
    things: [
      computer('BAD', { ...never, whencreated: daysAgo(31), pwdlastset: daysAgo(31) }),
      computer('NO-PASSWORD', { ...never, whencreated: daysAgo(31), pwdlastset: 0 }),
      computer('JOINED', { ...never, whencreated: daysAgo(100), pwdlastset: daysAgo(98) }),
      computer('USED', {
        lastlogontimestamp: daysAgo(200),
        whencreated: daysAgo(300),
        pwdlastset: daysAgo(300),
      }),
      computer('NEW', { ...never, whencreated: daysAgo(29), pwdlastset: daysAgo(29) }),
      computer('OFF', { ...never, enabled: false, whencreated: daysAgo(31), pwdlastset: daysAgo(31) }),
      computer('UNKNOWN', { whencreated: daysAgo(31), pwdlastset: daysAgo(31) }),
      computer('NO-DATE', { ...never, whencreated: daysAgo(31) }),
      // A computer answered the collector, or wrote its operating system.
      computer('WITH-SESSION', unjoined),
      computer('SCANNED', unjoined),
      computer('WITH-GROUP', unjoined),
      computer('WITH-SYSTEM', { ...unjoined, operatingsystem: 'WINDOWS 11 ENTERPRISE' }),
      // The policy applies as soon as a computer uses the account.
      computer('WITH-POLICY', unjoined),
      ['WITH-GROUP-544', 'ADLocalGroup', { name: 'ADMINISTRATORS@WITH-GROUP' }],
      ['WITH-POLICY-544', 'ADLocalGroup', {}],
      user('U'),
    ],
    facts: [
      ['WITH-SESSION', 'HasSession', 'U'],
      ['WITH-GROUP-544', 'LocalToComputer', 'WITH-GROUP'],
      ['WITH-POLICY-544', 'LocalToComputer', 'WITH-POLICY'],
    ],
    scanned: ['SCANNED'],
    finds: ['BAD', 'NO-PASSWORD', 'WITH-POLICY'],
    not: [
      ...['JOINED', 'USED', 'NEW', 'OFF', 'UNKNOWN', 'NO-DATE'],
      ...['WITH-SESSION', 'SCANNED', 'WITH-GROUP', 'WITH-SYSTEM'],
    ],
  },
  ManagedAccountNotRotated: ofUsers(
    { gmsa: true, pwdlastset: daysAgo(91), lastlogontimestamp: daysAgo(1) },
    { gmsa: true, pwdlastset: daysAgo(89), lastlogontimestamp: daysAgo(1) },
    { gmsa: false, pwdlastset: daysAgo(91), lastlogontimestamp: daysAgo(1) },
    // No one asked for its password, so none was made.
    { gmsa: true, pwdlastset: daysAgo(400), lastlogontimestamp: daysAgo(399) },
    { gmsa: true, lastlogontimestamp: daysAgo(1) },
  ),
  ManagedAccountUnused: {
    things: [
      user('BAD', { gmsa: true, lastlogontimestamp: daysAgo(91) }),
      user('STANDALONE', { msa: true, ...never, whencreated: daysAgo(91) }),
      user('USED', { gmsa: true, lastlogontimestamp: daysAgo(89) }),
      user('SESSION', { gmsa: true, lastlogontimestamp: daysAgo(91) }),
      user('PERSON', { gmsa: false, lastlogontimestamp: daysAgo(91) }),
      user('UNKNOWN', { gmsa: true }),
      computer('PC'),
    ],
    facts: [['PC', 'HasSession', 'SESSION']],
    finds: ['BAD', 'STANDALONE'],
    not: ['USED', 'SESSION', 'PERSON', 'UNKNOWN'],
  },
  ServiceAccountUnused: {
    things: [
      user('BAD', { hasspn: true, lastlogontimestamp: daysAgo(91) }),
      user('USED', { hasspn: true, lastlogontimestamp: daysAgo(89) }),
      user('SESSION', { hasspn: true, lastlogontimestamp: daysAgo(91) }),
      user('GMSA', { hasspn: true, gmsa: true, lastlogontimestamp: daysAgo(91) }),
      user('PERSON', { hasspn: false, lastlogontimestamp: daysAgo(91) }),
      user('OFF', { enabled: false, hasspn: true, lastlogontimestamp: daysAgo(91) }),
      user('UNKNOWN', { hasspn: true }),
      user(suffixed('502'), { hasspn: true, lastlogontimestamp: daysAgo(91) }),
      computer('PC'),
    ],
    facts: [['PC', 'HasSession', 'SESSION']],
    finds: ['BAD'],
    not: ['USED', 'SESSION', 'GMSA', 'PERSON', 'OFF', 'UNKNOWN', suffixed('502')],
  },
};
