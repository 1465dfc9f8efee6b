/** Families of findings about certificate services and the relay of authentication. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const certificateSubjects: FindingFamily = {
  key: 'certificateSubjects',
  risk: 'A certificate for logon in another name lets its holder act as that person, including domain administrators.',
  fix: 'Build the subject from the directory, ask for approval, or narrow who may enroll.',
  steps: [
    'Find out whether the template is needed, and unpublish it if not.',
    'Turn off that the requester supplies the subject.',
    'Require approval by a certificate manager, or an authorized signature.',
    'Grant the right to enroll to a group of principals that need it.',
    'Restrict enrollment agents on the certification authority.',
    'Review the certificates issued from the template, and revoke suspicious ones.',
  ],
  verify: [
    'The flags of the template show the new state.',
    'The certificates issued from the template contain no unexpected names.',
  ],
  care: 'Enrollment for web servers and devices needs supplied names, and fails without them: look at the issued requests first, and take the usage for logon out of these templates instead.',
  prevent: 'Let only administrators of the zone publish templates.',
  references: [REFERENCE.pki, REFERENCE.securingAd],
};
export const templateRights: FindingFamily = {
  key: 'templateRights',
  risk: 'Anyone who can change a published template can make it issue certificates for logon in any name.',
  fix: 'Remove the right to write from the template.',
  steps: [
    'Remove the rights to write from everyone but the administrators of the certificate services, and leave Enroll and Autoenroll as they are: without them, certificates of the template are no longer issued or renewed.',
    'Check the owner of the template.',
    'Unpublish unknown templates.',
  ],
  verify: [
    'The access list of the template shows only the zone; events 4899 and 4900 show changes of templates.',
  ],
  care: 'Management software for certificates that writes the template fails: give it a right of its own first.',
  prevent: 'Review the permissions of templates with each publication.',
  references: [REFERENCE.pki],
};
export const alternativeNames: FindingFamily = {
  key: 'alternativeNames',
  risk: 'The CA accepts any alternative name that a requester writes into the request, whatever the template says.',
  fix: 'Clear the flag that accepts requester-supplied alternative names, and restart the service.',
  steps: [
    'Find enrollment that depends on the flag, often old web servers.',
    'Move it to a template with supplied names and approval.',
    'Clear the flag on the certification authority and restart its service.',
    'Bring domain controllers to full enforcement of certificate binding, once events 39 to 41 name no certificate in use.',
  ],
  verify: [
    'The policy flags of the CA no longer show it, and no certificate with an unexpected name is issued.',
  ],
  care: 'Requests that name further subjects are issued without them, so that web servers fail: move these requests first. The restart interrupts the service for a moment.',
  prevent: 'Watch the configuration of CAs for changes.',
  references: [REFERENCE.pki, REFERENCE.certificateMapping],
};
export const certificateBinding: FindingFamily = {
  key: 'certificateBinding',
  risk: 'A domain controller that maps a certificate by a name alone takes it for the account that carries that name at the moment.',
  fix: 'Enforce strong certificate binding on every domain controller and restore the security extension.',
  steps: [
    'Read events 39, 40 and 41 on domain controllers for certificates without a strong mapping.',
    'Renew these certificates, or map them explicitly.',
    'Set full enforcement of certificate binding, and remove mapping by user principal name.',
    'Reset the flag on templates and CAs that leave the security extension out, and issue certificates again.',
  ],
  verify: [
    'The registry values are right on each domain controller, and no logon is denied during the time of audit.',
  ],
  care: 'Smart cards and device certificates issued before the change may fail until they are renewed.',
  prevent: 'Check the setting on each new domain controller.',
  references: [REFERENCE.certificateMapping, REFERENCE.pki],
};
export const issuancePolicies: FindingFamily = {
  key: 'issuancePolicies',
  risk: 'A certificate with the issuance policy gives its holder the membership of the group at logon.',
  fix: 'Restrict who may enroll, or remove the link between the policy and the group.',
  steps: [
    'Find out whether authentication assurance is in use at all.',
    'Require approval for the template.',
    'Link policies only to empty universal groups that exist for this purpose.',
  ],
  verify: ['The link attribute of the issuance policy is empty or names the intended group.'],
  care: 'Access that asks for the assurance stops when the link is removed: find out first what asks for it.',
  prevent: 'Treat linked policies and their templates as part of the zone.',
  references: [REFERENCE.pki],
};
export const certificationAuthorities: FindingFamily = {
  key: 'certificationAuthorities',
  risk: 'The keys of a CA, or the power to approve its requests, lead to any identity of the forest.',
  fix: 'Treat the hosts and the roles of CAs as Tier Zero.',
  steps: [
    'Move the host to the organizational unit and the policies of Tier Zero, and remove other local administrators.',
    'Protect the private key with a hardware module.',
    'Review the security settings of the CA and separate its roles.',
    'Renew the certificate of the CA with a new key after suspected exposure.',
  ],
  verify: [
    'The list of officers of the CA, and of administrators of its host, holds members of the zone only.',
  ],
  care: 'Backup and monitoring agents on the host become Tier Zero too, and stop until they have accounts of it: list them first, and make these accounts.',
  prevent: 'Install CAs as Tier Zero from the first day.',
  references: [REFERENCE.pki, REFERENCE.accessModel],
};
export const relay: FindingFamily = {
  key: 'relay',
  risk: 'Without signing and channel binding, other servers accept relayed authentication of a computer that was coerced.',
  fix: 'Require signing and channel binding, remove WebClient, and protect web enrollment.',
  steps: [
    'Require SMB signing on servers.',
    'Require LDAP signing and channel binding on domain controllers, after watching their audit events.',
    'Disable the WebClient service on servers and the print spooler on domain controllers.',
    'For web enrollment, enforce HTTPS with extended protection, or remove it.',
    'Restrict outgoing NTLM where no application needs it.',
  ],
  verify: ['The next collection shows the settings, and the audit events for unsigned binds have stopped.'],
  care: 'Old printers, storage and LDAP clients may fail. Audit for two weeks before enforcing.',
  prevent: 'Put the settings into the baseline policy of all servers.',
  references: [REFERENCE.smbSigning, REFERENCE.ldapSigning, REFERENCE.certificateRelay],
};
