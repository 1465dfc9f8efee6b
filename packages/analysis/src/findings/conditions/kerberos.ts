/** Settings of Kerberos: service names, encryption, delegation, signing keys. Shared reference `findings.md` 2.11, 2.13. */
import type { NodeSet } from '@clew/graph';
import { EdgeKind, type EdgeKindName } from '@clew/model';
import type { FindingFacts } from '../findingFacts.ts';
import type { ConditionGroup } from './condition.ts';

const KRBTGT = '-502';
const PROTECTED_USERS = '-525';

/** Bits of msDS-SupportedEncryptionTypes: AES128 and AES256. Source: [MS-KILE] 2.2.7. */
const AES_BITS = 0x18;

/** Bit of trustAttributes: the trust uses RC4. Source: [MS-ADTS] 6.1.6.7.9. */
const USES_RC4 = 0x80;

export const KERBEROS_CONDITIONS: ConditionGroup = {
  reads: {
    edges: ['AllowedToAct', 'AllowedToDelegate', 'AbuseTGTDelegation', 'SameForestTrust', 'CrossForestTrust'],
    nodeProperties: [
      'hasspn',
      'dontreqpreauth',
      'sensitive',
      'supportedencryptiontypes',
      'usedeskeyonly',
      'pwdlastset',
      'samaccountname',
      'unconstraineddelegation',
      'trustedtoauth',
      'allowedtodelegate',
    ],
    edgeProperties: ['trustattributesinbound', 'trustattributesoutbound'],
  },
  conditions: {
    Kerberoasting: { find: kerberoastable },
    ASREPRoasting: { find: withoutPreAuthentication },
    T0Kerberoastable: { find: (facts) => kerberoastable(facts).and(facts.tierZero) },
    T0ASREPRoastable: { find: (facts) => withoutPreAuthentication(facts).and(facts.tierZero) },
    T0MarkSensitive: {
      find: (facts) =>
        enabledTierZeroUsers(facts).andNot(facts.is('sensitive', true)).andNot(protectedUsers(facts)),
    },
    T0UserNotProtected: {
      find: (facts) =>
        enabledTierZeroUsers(facts)
          .andNot(facts.is('hasspn', true))
          .andNot(facts.managed())
          .andNot(protectedUsers(facts)),
    },
    KerberoastingWeakEncryption: {
      find: (facts) =>
        kerberoastable(facts).filter((node) => {
          const bits = facts.number('supportedencryptiontypes', node);
          return bits === undefined
            ? lacksAes(facts.texts('supportedencryptiontypes', node))
            : bits !== 0 && (bits & AES_BITS) === 0;
        }),
      seenBy: 'hasspn',
    },
    DESOnlyAccounts: {
      find: (facts) => facts.enabled(facts.users.or(facts.computers)).and(facts.is('usedeskeyonly', true)),
    },
    KrbtgtPasswordAge: {
      find: (facts) =>
        facts.withSuffix(facts.users, KRBTGT).filter((node) => facts.olderThan('pwdlastset', node, 180)),
    },
    AzureADSSOKeyAge: {
      find: (facts) =>
        facts.computers.filter(
          (node) =>
            facts.text('samaccountname', node).toUpperCase() === 'AZUREADSSOACC$' &&
            facts.olderThan('pwdlastset', node, 30),
        ),
    },
    UnconstrainedDelegationComputers: {
      find: (facts) =>
        facts
          .enabled(facts.computers)
          .and(facts.is('unconstraineddelegation', true))
          .andNot(facts.controllers),
    },
    UnconstrainedDelegationUsers: {
      find: (facts) => facts.enabled(facts.users).and(facts.is('unconstraineddelegation', true)),
    },
    ProtocolTransition: {
      find: (facts) =>
        facts
          .enabled(facts.users.or(facts.computers))
          .and(facts.is('trustedtoauth', true))
          .andNot(facts.readOnlyControllers()),
    },
    T0ConstrainedDelegationFromT0: {
      find: (facts) =>
        facts.users
          .or(facts.computers)
          .and(facts.tierZero)
          .andNot(facts.controllers)
          .filter(
            (node) =>
              facts.texts('allowedtodelegate', node).length > 0 ||
              !facts.edges('AllowedToDelegate').endsOf(node).isEmpty,
          ),
      // Written for accounts that delegate only, by some collectors.
      seenBy: 'trustedtoauth',
    },
    RBCDConfigured: {
      find: (facts) =>
        facts.controllers.filter((node) => !facts.edges('AllowedToAct').startsOf(node).isEmpty),
    },
    // The domain that falls is the one whose trust is to be changed.
    TrustWithTGTDelegation: {
      find: (facts) =>
        facts.of('Domain').filter((node) => !facts.edges('AbuseTGTDelegation').startsOf(node).isEmpty),
    },
    RC4Trusts: { find: domainsWithRc4Trust },
  },
};

function kerberoastable(facts: FindingFacts): NodeSet {
  return facts
    .enabled(facts.users)
    .and(facts.is('hasspn', true))
    .andNot(facts.managed())
    .andNot(facts.withSuffix(facts.users, KRBTGT));
}

function withoutPreAuthentication(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.users).and(facts.is('dontreqpreauth', true));
}

function enabledTierZeroUsers(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.users.and(facts.tierZero));
}

function protectedUsers(facts: FindingFacts): NodeSet {
  return facts.membersOf(facts.withSuffix(facts.groups, PROTECTED_USERS));
}

/** Collectors name the types, or say that none is set. */
function lacksAes(types: readonly string[]): boolean {
  return types.some((type) => /RC4|DES/i.test(type)) && !types.some((type) => /AES/i.test(type));
}

/** The attributes a trust has on one side belong to the domain of that side. */
function domainsWithRc4Trust(facts: FindingFacts): NodeSet {
  const { context } = facts;
  const kinds: readonly EdgeKindName[] = ['SameForestTrust', 'CrossForestTrust'];
  const usesRc4 = (value: unknown): boolean => typeof value === 'number' && (value & USES_RC4) !== 0;
  const trusts = facts.edges(...kinds);
  const hasRc4 = (start: number, kind: number, end: number, side: string): boolean =>
    usesRc4(context.edgeProperties.get(start, kind, end)?.[side]);
  return facts.of('Domain').filter((domain) => {
    let found = false;
    trusts.outOf(domain, (end, kind) => {
      found ||= hasRc4(domain, kind, end, 'trustattributesoutbound');
    });
    trusts.into(domain, (start, kind) => {
      found ||= hasRc4(start, kind, domain, 'trustattributesinbound');
    });
    return found;
  });
}

/** Kinds of edges whose properties are read, for the loader. */
export const TRUST_KINDS: readonly number[] = [EdgeKind.SameForestTrust, EdgeKind.CrossForestTrust];
