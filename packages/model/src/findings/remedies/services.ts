/** Remedies of single findings about certificate services, signing and relay. */
import type { Remedies } from './remedy.ts';

export const SERVICE_REMEDIES: Remedies = {
  LargeDefaultGroupsADCSEnrollAny: {
    risk: 'Every account of the domain, that of a computer joined yesterday included, is then a certificate away from control of it.',
    fix: 'Find the templates and rights that make up the relation, and leave them to those who need them.',
    steps: [
      'Look at the composition of the relation: it names the templates, the authorities and the victims it goes over.',
      'Unpublish templates that nobody uses.',
      'Give the right to enrol in the others to a group of those who need it.',
      'Correct the flag of the template, the authority or the domain controllers that the kind of the relation names.',
    ],
  },
  CAWebEnrollmentRelay: {
    risk: 'Authentication of a computer that was made to connect can be passed on to the page, which issues a certificate in its name.',
    fix: 'Remove web enrolment, or enforce HTTPS with Extended Protection for Authentication on it.',
  },
  CAUnencryptedRPC: {
    risk: 'Requests that are not encrypted can be passed on in the name of the computer that sent them.',
    fix: 'Set the flag IF_ENFORCEENCRYPTICERTREQUEST on the authority, and restart its service.',
    steps: [
      'Check that no client older than Windows Vista enrols at the authority.',
      'Set the flag among the interface flags of the authority (certutil -setreg CA\\InterfaceFlags).',
      'Restart the certificate service.',
    ],
    verify: ['certutil -getreg CA\\InterfaceFlags shows the flag, and enrolment still works.'],
    care: 'Clients that cannot encrypt their requests no longer enrol.',
  },
  CASecurityExtensionDisabled: {
    risk: 'Certificates without the extension name no SID, so a controller that is not strict takes the account that carries the name.',
    fix: 'Take the extension 1.3.6.1.4.1.311.25.2 off the list of disabled extensions, and restart the service.',
    verify: [
      'certutil -getreg policy\\DisableExtensionList no longer shows it, and new certificates carry it.',
    ],
  },
  CANoRoleSeparation: {
    risk: 'A single account that is taken over can both change how the authority works and approve what it issues.',
    fix: 'Give administration and certificate management to different groups, then enforce role separation.',
    steps: [
      'List who holds "Manage CA" and who "Issue and Manage Certificates".',
      'Make a group for each role, with different people, and remove all others.',
      'Enforce the separation (certutil -setreg CA\\RoleSeparationEnabled 1) and restart the service.',
    ],
    verify: ['No principal holds both roles, directly or through groups.'],
    care: 'Once it is enforced, whoever still holds both roles can use neither.',
  },
  CANoAgentRestrictions: {
    risk: 'Every enrolment agent can ask for certificates in the name of anybody, from any template that accepts agents.',
    fix: 'Say on the authority which agents may enrol, from which templates and for whom.',
    steps: [
      'List who holds an enrolment agent certificate.',
      'On the authority, restrict enrolment agents to named agents, templates and groups of users.',
      'Leave privileged users out of all of them.',
    ],
    verify: ['An agent who asks for a certificate of a privileged user is refused.'],
    care: 'Desks that issue smart cards must be entered before the restriction is set.',
  },
  TemplateESC2: {
    risk: 'A certificate for any purpose serves for logon, for signing, or as that of an enrolment agent.',
    fix: 'Name the usages that are needed instead of any purpose, or narrow who may enrol.',
  },
  TemplateAgentOpen: {
    risk: 'Whoever holds an agent certificate can ask for certificates in the name of others.',
    fix: 'Let only the few real agents enrol in the template, with approval.',
  },
  T0ADCSESC3: {
    risk: 'With the certificate of an enrolment agent one can ask for a logon certificate in the name of others, administrators included.',
    fix: 'Narrow who may enrol as an agent, and restrict agents on the authority.',
  },
  TemplateNoSecurityExtension: {
    risk: 'Its certificates name no SID, so a controller that is not strict takes the account that carries the name.',
    fix: 'Clear the flag that leaves the security extension out of the template, and renew its certificates.',
    verify: ['The template no longer shows the flag, and a new certificate carries the extension.'],
  },
  TemplatePublishedUnresolved: {
    risk: 'The name waits to be taken: it decides about certificates as soon as a template of that name exists.',
    fix: 'Take the unknown template off the list of published templates of the authority.',
    steps: [
      'Compare the list of the authority (certutil -catemplates) with the templates in the directory.',
      'Check that the template was deleted, and is not merely hidden from the collector.',
      'Remove the name from the list.',
    ],
    verify: ['Every name on the list belongs to a template that exists.'],
    care: 'A template that the collector may not read looks unknown, too.',
  },
  DCWeakCertificateBinding: {
    fix: 'Set StrongCertificateBindingEnforcement to 2 on the domain controller, or bring it up to date.',
    verify: ['The value is 2 or absent on an updated controller, and events 39 and 41 have stopped.'],
  },
  DCUPNCertificateMapping: {
    risk: 'Whoever can write the user principal name of an account can make a certificate count as that of somebody else.',
    fix: 'Take the bit 0x4 out of CertificateMappingMethods on the domain controller; the default is 0x18.',
    verify: [
      'The value holds neither 0x4 nor other weak methods, and certificate logons over LDAPS still work.',
    ],
    care: 'Web applications and VPNs that map certificates by name need explicit mappings first.',
  },
  DCLDAPSigningOff: {
    risk: 'Authentication that is passed on to the controller over LDAP can change the directory in the name of its owner.',
    fix: 'Require LDAP signing on every domain controller.',
    steps: [
      'Turn on event 2889 on the controllers and collect which clients bind without signing.',
      'Change these clients to signing or to LDAPS.',
      'Set "Domain controller: LDAP server signing requirements" to require signing.',
    ],
    verify: ['Event 2889 has stopped, and a simple bind without protection is refused.'],
    care: 'Printers, storage and Linux clients often bind without signing. Audit for two weeks first.',
  },
  DCLDAPSChannelBindingOff: {
    risk: 'Without the binding, authentication can be passed on to the controller inside a protected connection of somebody else.',
    fix: 'Set LDAP channel binding to always on every domain controller.',
    steps: [
      'Set "Domain controller: LDAP server channel binding token requirements" to when supported.',
      'Collect the clients that event 3039 names, and update them.',
      'Set the policy to always.',
    ],
    verify: ['LdapEnforceChannelBinding is 2 on each controller, and event 3039 has stopped.'],
    care: 'Clients without channel binding fail over LDAPS. Update them first.',
  },
  SMBSigningNotRequired: {
    fix: 'Require SMB signing on the computer.',
    steps: [
      'Set "Microsoft network server: Digitally sign communications (always)" for a first group of computers.',
      'Watch file transfers and old devices for two weeks.',
      'Extend the policy to all computers.',
    ],
    verify: ['The next collection shows that the computer requires signing.'],
  },
  T0SMBSigningNotRequired: {
    risk: 'Authentication of an administrator that is passed on to the computer is accepted there, which gives control of a privileged host.',
    fix: 'Require SMB signing on the privileged computer.',
    verify: ['Get-SmbServerConfiguration on the computer shows that signing is required.'],
  },
  WebClientRunning: {
    fix: 'Stop the WebClient service on the computer, and disable it.',
    care: 'Drives over WebDAV, and old libraries of documents that open as folders, stop working.',
  },
  PrintSpoolerOnDC: {
    fix: 'Stop the print spooler on the domain controller, and disable it.',
    care: 'The controller no longer removes printers that are gone from the directory; a controller that serves printers must hand them over first.',
  },
};
