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
    risk: 'Anyone who enrolls gets a certificate that all computers of the forest trust, in the name of any server: that of updates, of management or of a domain controller. Clients that are led to another computer do not notice it.',
    fix: 'Let a certificate manager approve each request, or let only the administrators of servers enroll.',
    steps: [
      'List who enrolled in the template in the last year, from the certificates issued by each authority.',
      'Require approval by a certificate manager first: certificates are still issued, but somebody looks at the name.',
      'Grant the right to enroll to a group of server administrators, and remove it from all others.',
      'For servers of the domain, make a template that takes the DNS name from the directory, with automatic enrollment, and leave supplied names to the few others.',
      'Look for issued certificates with names of servers that do not belong to the requester; revoke them, publish the list, and replace what still uses them: issued certificates stay valid until then.',
    ],
    verify: [
      'A request of an ordinary account is refused or waits for approval.',
      'No valid certificate of the template has the name of a server of somebody else.',
    ],
    care: 'Load balancers, appliances, Linux servers and tools that renew certificates by themselves wait for the approval: tell their owners, and let them renew before the old certificate ends.',
  },
  what: 'A published template for servers lets those who enroll choose the name in the certificate, without approval.',
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
