import { issuancePolicies } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';

export const templateLinkedToPrivilegedGroup = {
  kind: 'list',
  id: 'TemplateLinkedToPrivilegedGroup',
  title: 'Issuance Policy Linked to Privileged Group',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'moderate' }),
  family: issuancePolicies,
  what: 'An issuance policy is linked to a Tier Zero group.',
  needs: [],
  reads: { edges: ['OIDGroupLink'] },
  find: (facts) =>
    facts
      .of('IssuancePolicy')
      .filter((policy) => facts.edges('OIDGroupLink').endsOf(policy).intersects(facts.tierZero)),
} as const satisfies ListFindingType;
