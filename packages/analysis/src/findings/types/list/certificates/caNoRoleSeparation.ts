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
    risk: 'An attacker who takes over a single account can change the configuration of the CA and approve certificates.',
    fix: 'Give administration and certificate management to different groups, then enforce role separation.',
    steps: [
      'List the holders of "Manage CA" and of "Issue and Manage Certificates".',
      'Create a group for each role, with different members, and remove all other holders.',
      'Enforce role separation (certutil -setreg CA\\RoleSeparationEnabled 1), and restart the service.',
    ],
    verify: ['No principal holds both roles, directly or through groups.'],
    care: 'After you enforce role separation, anyone who still holds both roles can use neither.',
  },
  what: 'One principal is both administrator and certificate manager of a CA.',
  needs: ['roleseparationenabled'],
  reads: { edges: ['ManageCA', 'ManageCertificates'] },
  find: (facts) =>
    authoritiesWhere(facts, 'roleseparationenabled', false).filter((node) =>
      facts.edges('ManageCA').startsOf(node).intersects(facts.edges('ManageCertificates').startsOf(node)),
    ),
} as const satisfies ListFindingType;
