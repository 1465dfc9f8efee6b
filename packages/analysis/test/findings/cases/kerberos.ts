/** type Cases of list findings about Kerberos. */
import { OTHER_SID, SID } from '../worlds.ts';
import {
  type Cases,
  computer,
  daysAgo,
  group,
  inTierZero,
  ofComputers,
  ofControllers,
  ofDomains,
  ofUsers,
  suffixed,
  user,
} from './case.ts';

export const KERBEROS_CASES: Cases = {
  Kerberoasting: {
    things: [
      user('BAD', { hasspn: true }),
      user('NONE', { hasspn: false }),
      user('OFF', { hasspn: true, enabled: false }),
      user('GMSA', { hasspn: true, gmsa: true }),
      user(suffixed('502'), { hasspn: true }),
    ],
    finds: ['BAD'],
    not: ['NONE', 'OFF', 'GMSA', suffixed('502')],
  },
  ASREPRoasting: ofUsers(
    { dontreqpreauth: true },
    { dontreqpreauth: false },
    { dontreqpreauth: true, enabled: false },
  ),
  T0Kerberoastable: inTierZero(ofUsers({ hasspn: true }, { hasspn: false })),
  T0ASREPRoastable: inTierZero(ofUsers({ dontreqpreauth: true }, { dontreqpreauth: false })),
  T0MarkSensitive: {
    things: [
      user('BAD', { sensitive: false }),
      user('MARKED', { sensitive: true }),
      user('PROTECTED', { sensitive: false }),
      user('OFF', { sensitive: false, enabled: false }),
      user('ELSEWHERE', { sensitive: false }),
      group(suffixed('525')),
    ],
    facts: [['PROTECTED', 'MemberOf', suffixed('525')]],
    tierZero: ['BAD', 'MARKED', 'PROTECTED', 'OFF'],
    finds: ['BAD'],
    not: ['MARKED', 'PROTECTED', 'OFF', 'ELSEWHERE'],
  },
  T0UserNotProtected: {
    things: [
      user('BAD'),
      user('PROTECTED'),
      user('SERVICE', { hasspn: true }),
      user('ELSEWHERE'),
      group(suffixed('525')),
    ],
    facts: [['PROTECTED', 'MemberOf', suffixed('525')]],
    tierZero: ['BAD', 'PROTECTED', 'SERVICE'],
    finds: ['BAD'],
    not: ['PROTECTED', 'SERVICE', 'ELSEWHERE'],
  },
  KerberoastingWeakEncryption: [
    ofUsers(
      { hasspn: true, supportedencryptiontypes: 4 },
      { hasspn: true, supportedencryptiontypes: 0x1c },
      { hasspn: true, supportedencryptiontypes: 0 },
      { hasspn: false, supportedencryptiontypes: 4 },
    ),
    ofUsers(
      { hasspn: true, supportedencryptiontypes: ['RC4-HMAC-MD5'] },
      { hasspn: true, supportedencryptiontypes: ['RC4-HMAC-MD5', 'AES256-CTS-HMAC-SHA1-96'] },
      { hasspn: true, supportedencryptiontypes: ['Not defined'] },
    ),
  ],
  DESOnlyAccounts: ofUsers(
    { usedeskeyonly: true },
    { usedeskeyonly: false },
    { usedeskeyonly: true, enabled: false },
  ),
  KrbtgtPasswordAge: {
    things: [
      user(suffixed('502'), { pwdlastset: daysAgo(181) }),
      user(`${OTHER_SID}-502`, { domainsid: OTHER_SID, pwdlastset: daysAgo(179) }),
      user('OTHER', { pwdlastset: daysAgo(181) }),
    ],
    finds: [suffixed('502')],
    not: [`${OTHER_SID}-502`, 'OTHER'],
  },
  AzureADSSOKeyAge: ofComputers(
    { samaccountname: 'AzureADSSOAcc$', pwdlastset: daysAgo(31) },
    { samaccountname: 'PC$', pwdlastset: daysAgo(31) },
    { samaccountname: 'AzureADSSOAcc$', pwdlastset: daysAgo(29) },
  ),
  UnconstrainedDelegationComputers: {
    things: [
      computer('BAD', { unconstraineddelegation: true }),
      computer('GOOD', { unconstraineddelegation: false }),
      computer('DC', { unconstraineddelegation: true }),
      computer('OFF', { unconstraineddelegation: true, enabled: false }),
      // A controller of a file that does not mark them.
      computer('OLD', { unconstraineddelegation: true }),
      group(suffixed('516')),
    ],
    facts: [
      ['DC', 'DCFor', SID],
      ['OLD', 'MemberOf', suffixed('516')],
    ],
    finds: ['BAD'],
    not: ['GOOD', 'DC', 'OFF', 'OLD'],
  },
  UnconstrainedDelegationUsers: ofUsers(
    { unconstraineddelegation: true },
    { unconstraineddelegation: false },
  ),
  ProtocolTransition: ofComputers(
    { trustedtoauth: true },
    { trustedtoauth: false },
    // Every read-only controller is made so.
    { trustedtoauth: true, isreadonlydc: true },
  ),
  T0ConstrainedDelegationFromT0: {
    things: [
      computer('LISTED', { allowedtodelegate: ['cifs/srv'] }),
      user('EDGE'),
      computer('DC', { allowedtodelegate: ['cifs/srv'] }),
      computer('NONE', { allowedtodelegate: [] }),
      computer('ELSEWHERE', { allowedtodelegate: ['cifs/srv'] }),
    ],
    facts: [
      ['EDGE', 'AllowedToDelegate', 'DC'],
      ['DC', 'DCFor', SID],
    ],
    tierZero: ['LISTED', 'EDGE', 'DC', 'NONE'],
    finds: ['EDGE', 'LISTED'],
    not: ['DC', 'NONE', 'ELSEWHERE'],
  },
  RBCDConfigured: {
    things: [computer('DC'), computer('DC2'), computer('PC'), user('U')],
    facts: [
      ['DC', 'DCFor', SID],
      ['DC2', 'DCFor', SID],
      ['U', 'AllowedToAct', 'DC'],
      ['U', 'AllowedToAct', 'PC'],
    ],
    finds: ['DC'],
    not: ['DC2', 'PC'],
  },
  TrustWithTGTDelegation: ofDomains({}, {}, [[OTHER_SID, 'AbuseTGTDelegation', SID]]),
  RC4Trusts: [
    ofDomains({}, {}, [
      [SID, 'CrossForestTrust', OTHER_SID, { trustattributesoutbound: 0x88, trustattributesinbound: 8 }],
    ]),
    ofDomains({}, {}, [
      [OTHER_SID, 'CrossForestTrust', SID, { trustattributesinbound: 0x80, trustattributesoutbound: 8 }],
    ]),
    ofDomains({}, {}, [[SID, 'SameForestTrust', OTHER_SID, { trustattributesoutbound: 0x80 }]]),
    ofDomains({}, {}, [[OTHER_SID, 'SameForestTrust', SID, { trustattributesinbound: 0x80 }]]),
  ],
  KrbtgtDelegation: {
    things: [
      user(suffixed('502')),
      user(`${OTHER_SID}-502`, { domainsid: OTHER_SID }),
      user('U'),
      user('SVC'),
    ],
    facts: [
      ['SVC', 'AllowedToAct', suffixed('502')],
      ['SVC', 'AllowedToAct', 'U'],
    ],
    finds: [suffixed('502')],
    not: [`${OTHER_SID}-502`, 'U'],
  },
  TrustAccountOldPassword: {
    things: [
      user('BAD', { pwdlastset: daysAgo(61) }),
      user('NEW', { pwdlastset: daysAgo(59) }),
      user('PERSON', { pwdlastset: daysAgo(61) }),
    ],
    facts: [
      [SID, 'HasTrustKeys', 'BAD'],
      [OTHER_SID, 'HasTrustKeys', 'NEW'],
    ],
    finds: ['BAD'],
    not: ['NEW', 'PERSON'],
  },
  ControllerWeakEncryption: [
    ofControllers(
      { supportedencryptiontypes: 0x1c },
      { supportedencryptiontypes: 0x18 },
      { supportedencryptiontypes: 0 },
      {},
    ),
    ofControllers(
      { supportedencryptiontypes: ['DES-CBC-MD5', 'AES256-CTS-HMAC-SHA1-96'] },
      { supportedencryptiontypes: ['AES128-CTS-HMAC-SHA1-96', 'AES256-CTS-HMAC-SHA1-96'] },
      { supportedencryptiontypes: ['Not defined'] },
    ),
  ],
  RodcKrbtgtOrphaned: [
    {
      things: [
        user('GONE', { name: 'KRBTGT_12345@CORP.LOCAL' }),
        user('CLOUD', { name: 'KRBTGT_AZUREAD@CORP.LOCAL' }),
        user('IN-USE', { name: 'KRBTGT_777@OTHER.LOCAL', domainsid: OTHER_SID }),
        user(suffixed('502'), { name: 'KRBTGT@CORP.LOCAL' }),
        computer('DC', { isreadonlydc: false }),
        computer('ENTRA', { name: 'AZUREADKERBEROS.CORP.LOCAL', isreadonlydc: true }),
        computer('RODC', { name: 'RODC.OTHER.LOCAL', isreadonlydc: true, domainsid: OTHER_SID }),
      ],
      finds: ['GONE'],
      not: ['CLOUD', 'IN-USE', suffixed('502')],
    },
    // Which controllers are read-only was not collected.
    { things: [user('ANY', { name: 'KRBTGT_12345@CORP.LOCAL' })], finds: [], not: ['ANY'] },
    // Two accounts and one controller: one of them is in use, and nothing says which.
    {
      things: [
        user('ONE', { name: 'KRBTGT_1@CORP.LOCAL' }),
        user('TWO', { name: 'KRBTGT_2@CORP.LOCAL' }),
        computer('RODC', { isreadonlydc: true }),
      ],
      finds: ['ONE', 'TWO'],
      not: [],
    },
  ],
};
