/** Computers, domain controllers and domains: what protects them and what they require. Shared reference `findings.md` 2.13. */
import type { NodeSet } from '@clew/graph';
import type { FindingFacts } from '../findingFacts.ts';
import type { ConditionGroup } from './condition.ts';
import { isObsolete } from './obsoleteSystems.ts';

/** Mapping by UPN among the methods of Schannel. Source: KB5014754. */
const UPN_MAPPING = 0x4;
/** Strong binding is fully enforced. Source: KB5014754. */
const FULL_ENFORCEMENT = 2;
/** A registry value that does not exist, as the collector writes it. */
const NO_VALUE = -1;
/** Bit of pwdProperties: passwords must be complex. Source: [MS-SAMR] 2.2.3.5. */
const COMPLEX_PASSWORDS = 0x1;
const BASELINE = 12;
const LEAST_FUNCTIONAL_LEVEL = 2016;
const LEAST_COMPLETENESS = 0.8;
/** Days within which a computer logged on that counts as active. */
export const ACTIVE_DAYS = 14;

export const INFRASTRUCTURE_CONDITIONS: ConditionGroup = {
  reads: {
    nodeProperties: [
      'haslaps',
      'operatingsystem',
      'smbsigning',
      'webclientrunning',
      'ldapsigning',
      'ldapsepa',
      'strongcertificatebindingenforcementraw',
      'certificatemappingmethodsraw',
      'vulnerablenetlogonsecuritydescriptor',
      'vulnerablenetlogonsecuritydescriptorcollected',
      'spooler',
      'machineaccountquota',
      'minpwdlength',
      'pwdhistorylength',
      'pwdproperties',
      'lockoutthreshold',
      'functionallevel',
    ],
  },
  conditions: {
    ComputersWithoutLAPS: {
      find: (facts) =>
        facts
          .enabled(facts.computers)
          .and(facts.is('haslaps', false))
          .andNot(facts.controllers)
          .andNot(facts.readOnlyControllers())
          .filter((node) => facts.text('operatingsystem', node).includes('WINDOWS')),
    },
    ObsoleteOperatingSystem: { find: obsoleteComputers },
    T0ObsoleteOperatingSystem: { find: (facts) => obsoleteComputers(facts).and(facts.tierZero) },
    SMBSigningNotRequired: { find: withoutSigning },
    T0SMBSigningNotRequired: { find: (facts) => withoutSigning(facts).and(facts.tierZero) },
    WebClientRunning: { find: (facts) => facts.computers.and(facts.is('webclientrunning', true)) },
    DCLDAPSigningOff: { find: (facts) => facts.controllers.and(facts.is('ldapsigning', false)) },
    DCLDAPSChannelBindingOff: { find: (facts) => facts.controllers.and(facts.is('ldapsepa', false)) },
    DCWeakCertificateBinding: {
      // Without the value the release decides, and current ones enforce fully.
      find: (facts) =>
        facts.controllers.filter((node) => {
          const level = facts.number('strongcertificatebindingenforcementraw', node);
          return level !== undefined && level !== NO_VALUE && level < FULL_ENFORCEMENT;
        }),
    },
    DCUPNCertificateMapping: {
      find: (facts) =>
        facts.controllers.filter((node) => {
          const methods = facts.number('certificatemappingmethodsraw', node);
          return methods !== undefined && methods !== NO_VALUE && (methods & UPN_MAPPING) !== 0;
        }),
    },
    DCVulnerableNetlogonAllowList: {
      find: (facts) =>
        facts.controllers.filter((node) => facts.text('vulnerablenetlogonsecuritydescriptor', node) !== ''),
      seenBy: 'vulnerablenetlogonsecuritydescriptorcollected',
    },
    PrintSpoolerOnDC: { find: (facts) => facts.controllers.and(facts.is('spooler', true)) },
    MachineAccountQuota: {
      find: (facts) =>
        facts.of('Domain').filter((node) => (facts.number('machineaccountquota', node) ?? 0) > 0),
    },
    WeakPasswordPolicy: {
      find: (facts) =>
        facts
          .of('Domain')
          .filter(
            (node) =>
              isBelow(facts.number('minpwdlength', node)) ||
              isBelow(facts.number('pwdhistorylength', node)) ||
              ((facts.number('pwdproperties', node) ?? COMPLEX_PASSWORDS) & COMPLEX_PASSWORDS) === 0,
          ),
    },
    NoLockoutPolicy: {
      find: (facts) => facts.of('Domain').filter((node) => facts.number('lockoutthreshold', node) === 0),
    },
    LowFunctionalLevel: {
      find: (facts) =>
        facts.of('Domain').filter((node) => {
          const year = Number.parseInt(facts.text('functionallevel', node), 10);
          return year < LEAST_FUNCTIONAL_LEVEL;
        }),
    },
    SessionCollectionGap: { find: unscannedDomains },
  },
};

function isBelow(value: number | undefined): boolean {
  return value !== undefined && value < BASELINE;
}

function obsoleteComputers(facts: FindingFacts): NodeSet {
  return facts
    .enabled(facts.computers)
    .filter(
      (node) => isObsolete(facts.text('operatingsystem', node).toUpperCase()) && facts.usedWithin(node, 60),
    );
}

function withoutSigning(facts: FindingFacts): NodeSet {
  return facts.computers.and(facts.is('smbsigning', false)).andNot(facts.is('enabled', false));
}

/** @returns enabled computers that logged on lately. */
export function activeComputers(facts: FindingFacts): NodeSet {
  return facts.enabled(facts.computers).filter((node) => facts.usedWithin(node, ACTIVE_DAYS));
}

/** Nothing is said where nobody knows which computers were scanned. */
function unscannedDomains(facts: FindingFacts): NodeSet {
  const { scanned } = facts;
  if (scanned === undefined) return facts.context.emptySet();
  const active = Map.groupBy(activeComputers(facts), (computer) => facts.domainOf(computer));
  return facts.of('Domain').filter((domain) => {
    const computers = active.get(domain) ?? [];
    const seen = computers.filter((computer) => scanned.sessions.has(computer)).length;
    return seen < computers.length * LEAST_COMPLETENESS;
  });
}
