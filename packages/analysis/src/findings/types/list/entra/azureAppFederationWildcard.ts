import { federatedCredentials } from '../../families/cloud.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const azureAppFederationWildcard = {
  kind: 'list',
  id: 'AzureAppFederationWildcard',
  title: 'Federated Credential With Broad Subject',
  ...classed({ platform: 'azure', category: 'EN', scope: 'hygiene', nature: 'opening' }),
  effort: 4,
  floor: 'high',
  family: federatedCredentials,
  what: 'The subject of a federated credential contains a wildcard or matches every pull request.',
  needs: ['subject'],
  find: (facts) =>
    facts
      .of('AZFederatedIdentityCredential')
      .filter((node) => /\*|:pull_request\b/.test(facts.text('subject', node))),
} as const satisfies ListFindingType;
