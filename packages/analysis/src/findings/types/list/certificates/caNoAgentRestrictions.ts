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
    risk: 'Every enrollment agent can ask for certificates in the name of anybody, from any template that accepts agents.',
    fix: 'Say on the CA which agents may enroll, from which templates and for whom.',
    steps: [
      'List who holds an enrollment agent certificate.',
      'On the CA, restrict enrollment agents to named agents, templates and groups of users.',
      'Leave privileged users out of all of them.',
    ],
    verify: ['An agent who asks for a certificate of a privileged user is refused.'],
    care: 'Desks that issue smart cards must be entered before the restriction is set.',
  },
  what: 'A certification authority publishes an enrollment agent template without restricting agents.',
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
