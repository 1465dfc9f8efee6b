import { applicationOwnership } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureAppExpiredSecrets = {
  kind: 'list',
  id: 'AzureAppExpiredSecrets',
  title: 'Applications With Expired Credentials',
  ...classed({ platform: 'azure', category: 'EN', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: applicationOwnership,
  remedy: {
    risk: 'The application is probably not used any more, but it keeps its permissions, and one new secret brings them back.',
    fix: 'Delete the application if no one uses it, or else remove the expired credentials.',
    verify: ['The sign-in log of its service principal is empty, or shows the credential that remained.'],
    care: 'Applications that run for users only need no credential of their own. Look at their sign-ins before deleting.',
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
