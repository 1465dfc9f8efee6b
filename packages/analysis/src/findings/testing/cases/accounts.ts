/** type Cases of list findings about accounts. */
import { OTHER_SID, SID } from '../worlds.ts';
import { type Cases, computer, daysAgo, inTierZero, ofComputers, ofUsers, suffixed, user } from './case.ts';

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
};
