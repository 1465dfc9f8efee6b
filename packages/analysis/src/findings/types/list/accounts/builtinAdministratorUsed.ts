import { staleAccounts } from '../../families/accounts.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

const ADMINISTRATOR = '-500';

export const builtinAdministratorUsed = {
  kind: 'list',
  id: 'BuiltinAdministratorUsed',
  title: 'Built-In Administrator in Daily Use',
  ...classed({ platform: 'ad', category: 'AH', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: staleAccounts,
  remedy: {
    risk: 'The account belongs to no one in particular, so actions with it cannot be attributed to a person, and everybody knows its name.',
    fix: 'Administer with personal accounts, and keep the built-in Administrator for emergencies.',
    steps: [
      'Find its uses: interactive logons, services, scheduled tasks (event 4624 on domain controllers).',
      'Move services and tasks to managed service accounts, and people to personal accounts.',
      'Set a long random password, store it sealed, and mark the account as sensitive.',
      'Alert on every logon of it.',
    ],
    verify: ['Events 4624 and 4768 show no use of the account but tests.'],
    care: 'Do not delete or lock it away untested: it is the way back when everything else fails.',
    prevent: 'Review the logons of the account every month.',
  },
  what: 'The built-in Administrator logged on within the last seven days.',
  needs: ['lastlogon'],
  find: (facts) => facts.withSuffix(facts.users, ADMINISTRATOR).filter((node) => facts.usedWithin(node, 7)),
} as const satisfies ListFindingType;
