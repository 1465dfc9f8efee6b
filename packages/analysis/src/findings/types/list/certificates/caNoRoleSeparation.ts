import { certificationAuthorities } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { authoritiesWhere } from './common.ts';

export const caNoRoleSeparation = {
  kind: 'list',
  id: 'CANoRoleSeparation',
  title: 'CA Roles Not Separated',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'safeguard', floor: 'low' }),
  family: certificationAuthorities,
  remedy: {
    risk: 'A single account that is taken over can both change how the CA works and approve its certificates.',
    fix: 'Give administration and certificate management to different groups, then enforce role separation.',
    steps: [
      'List who holds "Manage CA" and who "Issue and Manage Certificates".',
      'Make a group for each role, with different people, and remove all others.',
      'Enforce the separation (certutil -setreg CA\\RoleSeparationEnabled 1) and restart the service.',
    ],
    verify: ['No principal holds both roles, directly or through groups.'],
    care: 'Once it is enforced, anyone who still holds both roles can use neither.',
  },
  what: 'One principal is both administrator and certificate manager of a certification authority.',
  needs: ['roleseparationenabled'],
  reads: { edges: ['ManageCA', 'ManageCertificates'] },
  find: (facts) =>
    authoritiesWhere(facts, 'roleseparationenabled', false).filter((node) =>
      facts.edges('ManageCA').startsOf(node).intersects(facts.edges('ManageCertificates').startsOf(node)),
    ),
} as const satisfies ListFindingType;
