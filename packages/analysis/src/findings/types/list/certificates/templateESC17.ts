import { certificateAuthorities } from '../../../../adcs/certificateAuthorities.ts';
import {
  authenticates,
  certTemplates,
  letsSubjectBeSupplied,
  needsNoApproval,
  needsNoSignature,
  Oid,
} from '../../../../adcs/certTemplates.ts';
import { enrollment } from '../../../../adcs/enrollment.ts';
import { certificateSubjects } from '../../families/certificates.ts';
import { classed, type ListFindingType } from '../../findingType.ts';
import { enrolleesOf, templatesForOutsiders } from './common.ts';

export const templateESC17 = {
  kind: 'list',
  id: 'TemplateESC17',
  title: 'Server Certificate for Any Name (ESC17)',
  ...classed({ platform: 'ad', category: 'CS', scope: 'hygiene', nature: 'opening' }),
  // A user must connect to the wrong computer.
  effort: 8,
  floor: 'low',
  family: certificateSubjects,
  remedy: {
    risk: 'Anyone who can enroll gets a certificate that all computers of the forest trust, in the name of any server, such as an update server, a management server or a domain controller. Clients that are redirected to another computer do not notice it.',
    fix: 'Require a certificate manager to approve each request, or allow only server administrators to enroll.',
    steps: [
      'List the principals that enrolled in the template during the last year, from the certificates that each CA issued.',
      'First require approval by a certificate manager: certificates are still issued, but someone checks the name.',
      'Grant Enroll to a group of server administrators, and remove it from all other principals.',
      'For servers in the domain, create a template that takes the DNS name from the directory, with autoenrollment. Use supplied names only for other servers.',
      'Look for issued certificates with names of servers that do not belong to the requester. Revoke them, publish the certificate revocation list, and replace the certificates that are still in use: issued certificates stay valid until then.',
    ],
    verify: [
      'A request from an ordinary account is refused or waits for approval.',
      'No valid certificate of the template contains the name of a server that does not belong to the requester.',
    ],
    care: 'Load balancers, appliances, Linux servers and tools with automatic renewal have to wait for approval: inform their owners, and let them renew before the old certificate expires.',
  },
  what: 'A published server template lets enrollees choose the name in the certificate, without approval.',
  needs: ['enrolleesuppliessubject', 'effectiveekus'],
  reads: { shared: [certificateAuthorities, certTemplates, enrollment] },
  find: (facts) =>
    templatesForOutsiders(
      facts,
      (template) =>
        template.effectiveEkus?.includes(Oid.serverAuthentication) === true &&
        letsSubjectBeSupplied(template) &&
        // A template for logon is a more severe fault with its own finding.
        !authenticates(template) &&
        needsNoApproval(template) &&
        needsNoSignature(template),
    ),
  usedBy: enrolleesOf,
} as const satisfies ListFindingType;
