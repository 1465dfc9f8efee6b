import { applicationOwnership } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureAppExpiredSecrets = {
  kind: 'list',
  id: 'AzureAppExpiredSecrets',
  title: 'Applications With Expired Credentials',
  ...classed({ platform: 'azure', category: 'EN', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: applicationOwnership,
  remedy: {
    risk: 'The application is probably unused, but it keeps its permissions: one new secret makes them usable again.',
    fix: 'Delete the application if no one uses it. Otherwise remove the expired credentials.',
    verify: ['The sign-in log of its service principal is empty, or shows only the remaining credential.'],
    care: 'Public client applications that act only for signed-in users need no credential. Check their sign-ins before you delete them.',
  },
  what: 'An application has only expired credentials.',
  needs: ['expiredcredentialcount'],
  reads: { nodeProperties: ['validcredentialcount'] },
  find: (facts) =>
    facts
      .of('AZApp')
      .filter(
        (node) =>
          (facts.number('expiredcredentialcount', node) ?? 0) > 0 &&
          facts.number('validcredentialcount', node) === 0,
      ),
} as const satisfies ListFindingType;
