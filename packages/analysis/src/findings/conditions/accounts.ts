/** Passwords, use and state of accounts of Active Directory. Shared reference `findings.md` 2.13. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../findingFacts.ts';
import type { ConditionGroup } from './condition.ts';

const KRBTGT = '-502';
const GUEST = '-501';
const ADMINISTRATOR = '-500';
const YEAR = 365;

/** Attributes that some tools fill with passwords. */
const PASSWORD_ATTRIBUTES = ['userpassword', 'unixpassword', 'unicodepassword', 'sfupassword'] as const;

export const ACCOUNT_CONDITIONS: ConditionGroup = {
  reads: {
    nodeProperties: [
      'encryptedtextpwdallowed',
      'passwordnotreqd',
      'pwdneverexpires',
      'pwdlastset',
      'hasspn',
      'logonscript',
      'samaccountname',
      'netbios',
      'keycredentiallink',
      ...PASSWORD_ATTRIBUTES,
    ],
  },
  conditions: {
    ReversibleEncryption: {
      find: (facts) =>
        facts.enabled(facts.users.or(facts.computers)).and(facts.is('encryptedtextpwdallowed', true)),
    },
    PasswordNotRequired: {
      find: (facts) => facts.enabled(facts.users.or(facts.computers)).and(facts.is('passwordnotreqd', true)),
    },
    PasswordNeverExpires: { find: neverExpiring },
    T0PasswordNeverExpires: { find: (facts) => neverExpiring(facts).and(facts.tierZero) },
    T0OldPassword: {
      find: (facts) =>
        facts
          .enabled(facts.users.and(facts.tierZero))
          .filter((node) => facts.olderThan('pwdlastset', node, YEAR)),
    },
    OldServiceAccountPassword: {
      find: (facts) =>
        facts
          .enabled(facts.users)
          .and(facts.is('hasspn', true))
          .andNot(facts.managed())
          .andNot(facts.withSuffix(facts.users, KRBTGT))
          .filter((node) => facts.olderThan('pwdlastset', node, YEAR)),
    },
    PasswordInAttribute: {
      find: (facts) => facts.users.or(facts.computers).filter((node) => holdsPassword(facts, node)),
      // Empty attributes leave no trace.
      seenBy: 'pwdlastset',
    },
    LogonScriptOutsideTrust: { find: scriptsOutside, seenBy: 'pwdlastset' },
    StaleUsers: {
      find: (facts) => facts.enabled(facts.users).filter((node) => facts.unusedFor(node, 90)),
    },
    StaleComputers: {
      find: (facts) => facts.enabled(facts.computers).filter((node) => facts.unusedFor(node, 60)),
    },
    T0StaleUsers: {
      find: (facts) =>
        facts
          .enabled(facts.users.and(facts.tierZero))
          .filter((node) => facts.lastLogon(node) !== 0 && facts.unusedFor(node, 45)),
    },
    NeverLoggedOnT0: {
      find: (facts) =>
        facts
          .enabled(facts.users.and(facts.tierZero))
          .filter((node) => facts.lastLogon(node) === 0 && facts.unusedFor(node, 30)),
    },
    T0DisabledUsers: {
      find: (facts) =>
        facts.users
          .and(facts.tierZero)
          .and(facts.is('enabled', false))
          .andNot(facts.withSuffix(facts.users, KRBTGT, GUEST)),
    },
    BuiltinAdministratorUsed: {
      find: (facts) =>
        facts.withSuffix(facts.users, ADMINISTRATOR).filter((node) => facts.usedWithin(node, 7)),
    },
    GuestEnabled: { find: (facts) => facts.enabled(facts.withSuffix(facts.users, GUEST)) },
    ShadowCredentialsPresent: {
      find: (facts) =>
        facts.users
          .and(facts.tierZero)
          .filter((node) => facts.texts('keycredentiallink', node).some((entry) => entry !== '')),
    },
  },
};

function neverExpiring(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.users).and(facts.is('pwdneverexpires', true)).andNot(facts.managed());
}

function holdsPassword(facts: FindingFacts, node: number): boolean {
  return PASSWORD_ATTRIBUTES.some((key) => facts.texts(key, node).some((value) => value !== ''));
}

/** A path without a host is looked up in the NETLOGON share of a domain controller. */
function scriptsOutside(facts: FindingFacts): NodeSet {
  const users = facts.users
    .and(facts.tierZero)
    .filter((node) => hostOf(facts.text('logonscript', node)) !== '');
  if (users.isEmpty) return users;
  const trusted = trustedHosts(facts);
  return users.filter((node) => !trusted.has(hostOf(facts.text('logonscript', node))));
}

/** `\\HOST\share\...`. @returns the host in upper case, without its port; empty for other paths */
function hostOf(path: string): string {
  return (/^[\\/]{2}([^\\/@]+)/.exec(path.trim())?.[1] ?? '').toUpperCase();
}

/** Domains by their names (a share of any of their controllers), and computers of Tier Zero, long and short. */
function trustedHosts(facts: FindingFacts): ReadonlySet<string> {
  const hosts = new Set<string>();
  facts.of('Domain').forEach((domain) => {
    const name = facts.name(domain).toUpperCase();
    hosts.add(name).add(name.split('.')[0]).add(facts.text('netbios', domain).toUpperCase());
  });
  facts.computers.and(facts.tierZero).forEach((computer) => {
    const name = facts.name(computer).toUpperCase();
    hosts.add(name).add(name.split('.')[0]);
    hosts.add(facts.text('samaccountname', computer).toUpperCase().replace(/\$$/, ''));
  });
  hosts.delete('');
  return hosts;
}
