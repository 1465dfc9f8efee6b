import type { FindingFacts } from '../../../findingFacts.ts';
import { accountSettings } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { ordinaryComputers } from './common.ts';

/** Maximum number of days between the creation of a computer account and its join. */
const DAYS = 30;
/** If the password was set later than this after the account was created, the computer itself set it. */
const SETUP_SECONDS = 86_400;

export const preCreatedComputers = {
  kind: 'list',
  id: 'PreCreatedComputers',
  title: 'Pre-Created Computer Accounts That Never Joined',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'opening' }),
  effort: 8,
  floor: 'low',
  family: accountSettings,
  remedy: {
    risk: "If a computer account is created before the computer joins, its password can be the computer's name in lowercase. Anyone can guess it and use the account. Whether the password is the name is not collected.",
    fix: 'Delete the account if no computer will use it. Otherwise set a long, random password until the computer joins.',
    steps: [
      'Find out who created the account (the owner of the object, event 4741), and whether a computer will still join with its name.',
      'If no computer will join, disable the account, and delete it after thirty days.',
      'If a computer will join, set a long, random password (Set-ADAccountPassword -Reset): joining sets a new one. Do not use "Reset Account" in Active Directory Users and Computers: it sets the computer\'s name as the password.',
    ],
    verify: ['The account is disabled or deleted, or its computer has logged on.'],
    care: 'Appliances and cluster names sometimes use an account without updating the logon date: ask before you disable it. If a computer does use the account, a reset ends its connection to the domain.',
    prevent:
      'Pre-create accounts without the option "Assign this computer account as a pre-Windows 2000 computer", shortly before the computer joins.',
  },
  what: 'An enabled computer account was created more than 30 days ago, has never logged on, and still has its first password. Nothing shows that a computer uses it: it has no operating system, and no collector read sessions or local groups from it.',
  needs: ['lastlogontimestamp', 'whencreated'],
  reads: { nodeProperties: ['pwdlastset', 'operatingsystem'], edges: ['HasSession', 'LocalToComputer'] },
  find: (facts) =>
    ordinaryComputers(facts).filter(
      (node) =>
        facts.lastLogon(node) === 0 &&
        facts.olderThan('whencreated', node, DAYS) &&
        hasFirstPassword(facts, node) &&
        !isJoined(facts, node) &&
        !facts.isBuiltIn(node),
    ),
} as const satisfies ListFindingType;

/** False if the time of the password is unknown. */
function hasFirstPassword(facts: FindingFacts, node: number): boolean {
  const [set, created] = [facts.number('pwdlastset', node), facts.number('whencreated', node)];
  if (set === undefined || created === undefined) return false;
  return set <= created + SETUP_SECONDS;
}

/**
 * Whether something shows that a computer uses the account. A computer writes its operating system when it joins, and only a computer
 * answers questions about sessions and local groups. A local group without a name is known from a policy only, which applies to accounts
 * without a computer, too. Service principal names and a DNS name prove nothing: scripts write them when they create the account.
 */
function isJoined(facts: FindingFacts, node: number): boolean {
  if (facts.text('operatingsystem', node) !== '') return true;
  if (facts.scanned?.sessions.has(node) === true || !facts.edges('HasSession').endsOf(node).isEmpty)
    return true;
  return [...facts.edges('LocalToComputer').startsOf(node)].some((group) => facts.name(group) !== '');
}
