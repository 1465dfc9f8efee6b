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
    risk: 'The account is not personal, so its actions cannot be attributed, and its name is well known.',
    fix: 'Use personal accounts for administration, and keep the built-in Administrator for emergencies.',
    steps: [
      'Find where it is used: interactive logons, services, scheduled tasks (event 4624 on domain controllers).',
      'Move services and tasks to managed service accounts, and give people personal accounts.',
      'Set a long, random password, store it in a sealed place, and mark the account as sensitive.',
      'Alert on every logon of the account.',
    ],
    verify: ['Events 4624 and 4768 show no use of the account except tests.'],
    care: 'Do not delete or disable the account without a test: it is the last means of recovery.',
    prevent: 'Review the logons of the account every month.',
  },
  what: 'The built-in Administrator logged on within the last seven days.',
  needs: ['lastlogon'],
  find: (facts) => facts.withSuffix(facts.users, ADMINISTRATOR).filter((node) => facts.usedWithin(node, 7)),
} as const satisfies ListFindingType;
