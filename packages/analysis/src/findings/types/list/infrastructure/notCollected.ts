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
    fix: 'Let the collector read the registry of the controllers: it needs the Remote Registry service and the rights of an administrator there (collection method DCRegistry).',
  },
  what: 'How the controllers bind certificates to accounts was read on none of them, so whether certificates can be taken for those of others is not known.',
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
    fix: 'Let the collector read the registry of the authorities: it needs the Remote Registry service and the rights of an administrator there (collection method CARegistry).',
  },
  what: 'The registry of the authorities was read on none of them, so whether requesters may name other subjects, and who manages the authorities, is not known.',
  reads: { nodeProperties: ['collected', ...AUTHORITY_REGISTRY] },
  find: (facts) => domainsWithout(facts, facts.of('EnterpriseCA'), AUTHORITY_REGISTRY, isTrue),
} as const satisfies ListFindingType;

export const LDAP_SETTINGS = ['ldapavailable', 'ldapsigning', 'ldapsavailable', 'ldapsepa'] as const;

export const ldapSigningNotCollected = {
  ...gap,
  id: 'LDAPSigningNotCollected',
  title: 'LDAP Signing of Domain Controllers Not Collected',
  remedy: {
    fix: 'Let the collector try the LDAP services of the controllers (collection method LdapServices).',
  },
  what: 'Whether the controllers require signed LDAP and channel binding was tried on none of them, so relay to them is not known.',
  reads: { nodeProperties: ['collected', ...LDAP_SETTINGS] },
  find: (facts) => domainsWithout(facts, facts.controllers, LDAP_SETTINGS, isFlag),
} as const satisfies ListFindingType;

export const userRightsNotCollected = {
  ...gap,
  id: 'UserRightsNotCollected',
  title: 'User Rights of Computers Not Collected',
  remedy: {
    fix: 'Let the collector read the user rights of computers: it needs the rights of an administrator there (collection method UserRights).',
  },
  what: 'Who may log on through remote desktop was read on no computer of the domain, so who can do so is not known.',
  reads: { nodeProperties: ['collected', 'hasura'] },
  find: (facts) => domainsWithout(facts, facts.computers, ['hasura'], isTrue),
} as const satisfies ListFindingType;
