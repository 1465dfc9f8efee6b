/** Reports data that is missing for a whole environment, once per environment, because nothing that depends on it can be found. */
import type { JsonValue, NodeSet } from '@clew/graph';
import type { FindingFacts } from '../../../findingFacts.ts';
import { collectionGaps } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

const gap = {
  kind: 'list',
  ...classed({ platform: 'ad', category: 'IH', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: collectionGaps,
  needs: [],
} as const;

/** @returns how to make the collector read the registry of a few servers that are always on */
const registrySteps = (servers: string, method: string) =>
  [
    `Check the collector's errors for the ${servers}.`,
    `On the ${servers}, start the Remote Registry service, and let the collector reach it (TCP port 445).`,
    `Run the collector with an account that is an administrator of the ${servers}, and protect this account like Tier Zero.`,
    `Collect again with the method ${method}.`,
  ] as const;

/** @returns collected domains that have such objects, but none with the property */
function domainsWithout(
  facts: FindingFacts,
  objects: NodeSet,
  keys: readonly string[],
  isRead: (value: JsonValue | undefined) => boolean,
): NodeSet {
  const { properties } = facts.context;
  const present = new Set<number>();
  const seen = new Set<number>();
  objects.forEach((node) => {
    const domain = facts.domainOf(node);
    if (seen.has(domain)) return;
    present.add(domain);
    if (keys.some((key) => isRead(properties.value(key, node)))) seen.add(domain);
  });
  return facts
    .of('Domain')
    .and(facts.is('collected', true))
    .filter((domain) => present.has(domain) && !seen.has(domain));
}

const isNumber = (value: JsonValue | undefined): boolean => typeof value === 'number';
/** Accepts both values of a flag. */
const isFlag = (value: JsonValue | undefined): boolean => typeof value === 'boolean';
/** Accepts only a flag that says that the data was read. */
const isTrue = (value: JsonValue | undefined): boolean => value === true;

export const CONTROLLER_REGISTRY = [
  'strongcertificatebindingenforcementraw',
  'certificatemappingmethodsraw',
] as const;

export const controllerRegistryNotCollected = {
  ...gap,
  id: 'ControllerRegistryNotCollected',
  title: 'Registry of Domain Controllers Not Collected',
  remedy: {
    fix: 'Allow the collector to read the registry of domain controllers: it needs the Remote Registry service and administrator rights there (collection method DCRegistry).',
    steps: registrySteps('domain controllers', 'DCRegistry'),
    verify: ['After the next run, domain controllers have values of their certificate binding and mapping.'],
  },
  what: 'How domain controllers bind certificates to accounts was not collected from any of them. Therefore it is unknown whether certificates can be used as other accounts.',
  reads: { nodeProperties: ['collected', ...CONTROLLER_REGISTRY] },
  find: (facts) => domainsWithout(facts, facts.controllers, CONTROLLER_REGISTRY, isNumber),
} as const satisfies ListFindingType;

export const AUTHORITY_REGISTRY = [
  'isuserspecifiessanenabledcollected',
  'enrollmentagentrestrictionscollected',
  'casecuritycollected',
] as const;

export const authorityRegistryNotCollected = {
  ...gap,
  id: 'AuthorityRegistryNotCollected',
  title: 'Registry of Certification Authorities Not Collected',
  remedy: {
    fix: 'Allow the collector to read the registry of CAs: it needs the Remote Registry service and administrator rights there (collection method CARegistry).',
    steps: registrySteps('CAs', 'CARegistry'),
    verify: ['After the next run, CAs have values of their registry.'],
  },
  what: 'The registry was not collected from any CA. Therefore it is unknown whether requesters can supply other names and who manages the CAs.',
  reads: { nodeProperties: ['collected', ...AUTHORITY_REGISTRY] },
  find: (facts) => domainsWithout(facts, facts.of('EnterpriseCA'), AUTHORITY_REGISTRY, isTrue),
} as const satisfies ListFindingType;

export const LDAP_SETTINGS = ['ldapavailable', 'ldapsigning', 'ldapsavailable', 'ldapsepa'] as const;

export const ldapSigningNotCollected = {
  ...gap,
  id: 'LDAPSigningNotCollected',
  title: 'LDAP Signing of Domain Controllers Not Collected',
  remedy: {
    fix: 'Allow the collector to test the LDAP services of domain controllers (collection method LdapServices).',
    steps: [
      "Check the collector's errors for the domain controllers.",
      'Let the collector reach the LDAP services of the domain controllers (TCP ports 389 and 636).',
      'Collect again with the method LdapServices: any account of the domain is enough.',
    ],
    verify: ['After the next run, domain controllers have values of LDAP signing and channel binding.'],
  },
  what: 'Whether domain controllers require LDAP signing and channel binding was not tested on any of them. Therefore it is unknown whether relay to them is possible.',
  reads: { nodeProperties: ['collected', ...LDAP_SETTINGS] },
  find: (facts) => domainsWithout(facts, facts.controllers, LDAP_SETTINGS, isFlag),
} as const satisfies ListFindingType;

export const userRightsNotCollected = {
  ...gap,
  id: 'UserRightsNotCollected',
  title: 'User Rights of Computers Not Collected',
  remedy: {
    fix: 'Allow the collector to read the user rights of computers: it needs administrator rights there (collection method UserRights).',
  },
  what: 'The user rights for Remote Desktop logon were not collected from any computer in the domain. Therefore it is unknown who can log on.',
  reads: { nodeProperties: ['collected', 'hasura'] },
  find: (facts) => domainsWithout(facts, facts.computers, ['hasura'], isTrue),
} as const satisfies ListFindingType;
