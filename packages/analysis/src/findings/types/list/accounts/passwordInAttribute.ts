import type { FindingFacts } from '../../../findingFacts.ts';
import { exposedSecrets } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

/** Attributes in which some tools store passwords. */
const PASSWORD_ATTRIBUTES = ['userpassword', 'unixpassword', 'unicodepassword', 'sfupassword'] as const;

export const passwordInAttribute = {
  kind: 'list',
  id: 'PasswordInAttribute',
  title: 'Password Held in a Directory Attribute',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'opening', floor: 'high' }),
  family: exposedSecrets,
  remedy: {
    risk: 'Every user of the domain can read most attributes, so anyone can find the password.',
    fix: 'Delete the value from the attribute, and change the password that it contains.',
  },
  what: 'A directory attribute that can contain a readable password has a value.',
  needs: ['userpassword', 'unixpassword', 'unicodepassword', 'sfupassword'],
  find: (facts) => facts.users.or(facts.computers).filter((node) => holdsPassword(facts, node)),
  // Empty attributes are not collected.
  seenBy: 'pwdlastset',
} as const satisfies ListFindingType;

function holdsPassword(facts: FindingFacts, node: number): boolean {
  return PASSWORD_ATTRIBUTES.some((key) => facts.texts(key, node).some((value) => value !== ''));
}
