/** Families of findings about certificate services and the relay of authentication. */
import { type FindingFamily, REFERENCE } from '../family.ts';

export const certificateSubjects: FindingFamily = {
  key: 'certificateSubjects',
  risk: 'The holder of a logon certificate with another name can act as that person, including as a domain administrator.',
  fix: 'Build the subject from Active Directory information, require approval, or restrict enrollment.',
  steps: [
    'Find out whether the template is needed, and unpublish it if it is not.',
    'On the Subject Name tab, select "Build from this Active Directory information", and the name that the certificates need: the user principal name (UPN) for users, or the DNS name for computers.',
    'Require approval by a certificate manager, or an authorized signature.',
    'Grant Enroll only to a group of principals that need it.',
    'Restrict enrollment agents on the CA.',
    'Review the certificates issued from the template, and revoke suspicious ones.',
  ],
  verify: [
    'The flags of the template show the new values.',
    'The certificates issued from the template contain no unexpected names.',
  ],
  care: 'Enrollment for web servers and devices needs supplied names, and fails without them: check the issued requests first. For these templates, remove the extended key usages that allow logon instead.',
  prevent: 'Allow only administrators of the zone to publish templates.',
  references: [REFERENCE.pki, REFERENCE.securingAd],
};
export const templateRights: FindingFamily = {
  key: 'templateRights',
  risk: 'Anyone who can change a published template can make it issue logon certificates in any name.',
  fix: 'Remove the write permissions on the template.',
  steps: [
    'Remove all write permissions except those of the AD CS administrators. Keep Enroll and Autoenroll: without them, certificates of the template are no longer issued or renewed.',
    'Check the owner of the template.',
    'Unpublish unknown templates.',
  ],
  verify: [
    'The access control list of the template shows write permissions only for the zone; events 4899 and 4900 record changes of templates.',
  ],
  care: 'Certificate management software that writes the template fails: first give it its own permission.',
  prevent: 'Review the permissions of a template whenever you publish it.',
  references: [REFERENCE.pki],
};
export const alternativeNames: FindingFamily = {
  key: 'alternativeNames',
  risk: 'The CA accepts any alternative name in a request, whatever the template specifies.',
  fix: 'Clear the flag that accepts requester-supplied alternative names, and restart the service.',
  steps: [
    'Find enrollment processes that depend on the flag, often for old web servers.',
    'Move them to a template with supplied names and approval.',
    'Clear the flag on the CA, and restart its service.',
    'Enable full enforcement of certificate binding on domain controllers after events 39 to 41 no longer name certificates in use.',
  ],
  verify: [
    'The policy flags of the CA no longer include the flag, and certificates with unexpected names are no longer issued.',
  ],
  care: 'Requests with additional names are issued without these names, so web servers can fail: move these requests first. The restart interrupts the service briefly.',
  prevent: 'Monitor the configuration of CAs for changes.',
  references: [REFERENCE.pki, REFERENCE.certificateMapping],
};
export const certificateBinding: FindingFamily = {
  key: 'certificateBinding',
  risk: 'A domain controller that maps a certificate only by name accepts it for the account that has this name at the moment.',
  fix: 'Enforce strong certificate binding on every domain controller, and restore the security extension.',
  steps: [
    'Check events 39, 40 and 41 on domain controllers for certificates without a strong mapping.',
    'Renew these certificates, or add explicit mappings.',
    'Set certificate binding to full enforcement, and remove the mapping by user principal name.',
    'Clear the flag on templates and CAs that omit the security extension, and reissue certificates.',
  ],
  verify: [
    'The registry values are correct on each domain controller, and no logon is denied during the audit period.',
  ],
  care: 'Smart card and device certificates that were issued before the change may fail until they are renewed.',
  prevent: 'Check the setting on each new domain controller.',
  references: [REFERENCE.certificateMapping, REFERENCE.pki],
};
export const issuancePolicies: FindingFamily = {
  key: 'issuancePolicies',
  risk: 'At logon, a certificate with the issuance policy makes its holder a member of the group.',
  fix: 'Restrict enrollment, or remove the link between the policy and the group.',
  steps: [
    'Find out whether authentication mechanism assurance is in use at all.',
    'Require approval for the template.',
    'Link policies only to empty universal groups that exist only for this purpose.',
  ],
  verify: ['The link attribute of the issuance policy is empty or names the intended group.'],
  care: 'Access that requires the assurance stops when you remove the link: find out first which resources require it.',
  prevent: 'Treat linked policies and their templates as part of the zone.',
  references: [REFERENCE.pki],
};
export const certificationAuthorities: FindingFamily = {
  key: 'certificationAuthorities',
  risk: 'The keys of a CA, or the right to approve its requests, give control of every identity in the forest.',
  fix: 'Treat the hosts and roles of CAs as Tier Zero.',
  steps: [
    'Move the host to the Tier Zero organizational unit and policies, and remove other local administrators.',
    'Protect the private key with a hardware security module.',
    'Review the security settings of the CA, and separate its roles.',
    'If the key may be exposed, renew the CA certificate with a new key.',
  ],
  verify: [
    'The certificate managers of the CA and the administrators of its host are all members of the zone.',
  ],
  care: 'Backup and monitoring agents on the host belong to Tier Zero, too, and stop until they use Tier Zero accounts: list the agents and create these accounts first.',
  prevent: 'Install new CAs as Tier Zero from the start.',
  references: [REFERENCE.pki, REFERENCE.accessModel],
};
export const relay: FindingFamily = {
  key: 'relay',
  risk: 'Without signing and channel binding, other servers accept the relayed authentication of a coerced computer.',
  fix: 'Require signing and channel binding, disable WebClient, and protect web enrollment.',
  steps: [
    'Require SMB signing on servers.',
    'Require LDAP signing and channel binding on domain controllers after you check their audit events.',
    'Disable the WebClient service on servers and the print spooler on domain controllers.',
    'For web enrollment, require HTTPS with Extended Protection for Authentication, or remove web enrollment.',
    'Restrict outgoing NTLM wherever no application needs it.',
  ],
  verify: ['The next collection shows the settings, and the audit events for unsigned binds have stopped.'],
  care: 'Old printers, storage and LDAP clients may fail. Audit for two weeks before enforcing.',
  prevent: 'Add the settings to the baseline policy of all servers.',
  references: [REFERENCE.smbSigning, REFERENCE.ldapSigning, REFERENCE.certificateRelay],
};
