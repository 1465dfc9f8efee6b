import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import { certificateSubjects } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { authoritiesWhere, isForAgents } from './common.ts';

export const caNoAgentRestrictions = {
  kind: 'list',
  id: 'CANoAgentRestrictions',
  title: 'CA Without Enrollment Agent Restrictions',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: certificateSubjects,
  remedy: {
    risk: 'Every enrollment agent can request certificates on behalf of anyone, from any template that accepts enrollment agents.',
    fix: 'On the CA, specify which agents can enroll, from which templates and for which users.',
    steps: [
      'List who holds an enrollment agent certificate.',
      'On the CA, restrict enrollment agents to specific agents, templates and groups of users.',
      'Do not include privileged users in these groups.',
    ],
    verify: ["An agent's request for a certificate of a privileged user is refused."],
    care: 'Add the enrollment agents who issue smart cards before you enable the restriction.',
  },
  what: 'A CA publishes an enrollment agent template without restricting enrollment agents.',
  needs: ['hasenrollmentagentrestrictions'],
  reads: { shared: [certificateAuthorities] },
  find: (facts) => {
    const publishing = new Set(
      facts.context
        .use(certificateAuthorities)
        .all.filter(({ templates }) => templates.some(isForAgents))
        .map(({ node }) => node),
    );
    return authoritiesWhere(facts, 'hasenrollmentagentrestrictions', false).filter((node) =>
      publishing.has(node),
    );
  },
} as const satisfies ListFindingType;
