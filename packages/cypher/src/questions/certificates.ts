import type { QuestionOfCategory } from './question.ts';

export const CERTIFICATE_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'certificate-escalations',
    question: 'Who can use certificates to take over a domain?',
    description: 'All known escalations over templates and authorities, each with those who have it.',
    advice: 'Each leads to its template or authority: repair that, and all who have it lose it.',
    query:
      'MATCH p = (s)-[:ADCSESC1|ADCSESC3|ADCSESC4|ADCSESC6a|ADCSESC6b|ADCSESC9a|ADCSESC9b|ADCSESC10a|ADCSESC10b|ADCSESC13|GoldenCert]->(d) RETURN p LIMIT 1000',
  },
  {
    key: 'templates-with-own-names',
    question: 'Which published templates let the applicant name the subject?',
    description:
      'The applicant may name anyone, an administrator too (ESC1), when the certificate can be used to sign in.',
    advice: 'Build the name from the directory, or let a manager approve each request.',
    query:
      'MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE t.enrolleesuppliessubject = true RETURN t.name, collect(DISTINCT ca.name) AS authorities, t.requiresmanagerapproval ORDER BY t.name LIMIT 1000',
  },
  {
    key: 'templates-of-any-purpose',
    question: 'Which published templates have no purpose, or any (ESC2)?',
    description: 'Such a certificate serves for signing in, and for asking in the name of others.',
    advice: 'List the purposes that are needed.',
    query:
      "MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE size(t.effectiveekus) = 0 OR '2.5.29.37.0' IN t.effectiveekus RETURN t.name, collect(DISTINCT ca.name) AS authorities ORDER BY t.name LIMIT 1000",
  },
  {
    key: 'enrollment-agents',
    question: 'Which templates make enrollment agents (ESC3)?',
    description: 'An agent asks for certificates in the name of others.',
    advice: 'Bound the agents at the authority, and require approval.',
    query:
      "MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE '1.3.6.1.4.1.311.20.2.1' IN t.effectiveekus RETURN t.name, collect(DISTINCT ca.name) AS authorities ORDER BY t.name LIMIT 1000",
  },
  {
    key: 'template-control',
    question: 'Who outside of Tier Zero can change a template (ESC4)?',
    description: 'Anyone who may change a template may make it one of the dangerous ones.',
    advice: 'Leave changes to the administrators of the PKI, who belong to Tier Zero.',
    query:
      'MATCH p = (s)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns|WritePKIEnrollmentFlag|WritePKINameFlag]->(t:CertTemplate) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'pki-object-control',
    question: 'Who outside of Tier Zero controls objects of the PKI (ESC5)?',
    description: 'Authorities, the store of trusted ones, and the machines that authorities run on.',
    advice: 'Treat all of them as Tier Zero, and remove the right.',
    query:
      'MATCH p = (s)-[r]->(t) WHERE r.traversable = true AND NOT s:Tag_Tier_Zero AND (t:EnterpriseCA OR t:RootCA OR t:NTAuthStore OR t:AIACA OR EXISTS { (t)-[:HostsCAService]->() }) RETURN p LIMIT 1000',
  },
  {
    key: 'authorities-with-own-names',
    question: 'Which authorities let applicants add names to a request (ESC6)?',
    description: 'With EDITF_ATTRIBUTESUBJECTALTNAME2 every template lets the applicant name the subject.',
    advice: 'Clear the flag with certutil, and restart the service.',
    query: 'MATCH (ca:EnterpriseCA) WHERE ca.isuserspecifiessanenabled = true RETURN ca.name LIMIT 1000',
  },
  {
    key: 'authority-managers',
    question: 'Who manages an authority or its requests (ESC7)?',
    description: 'Managers change its settings; officers approve refused requests.',
    advice: 'Both belong to Tier Zero: take out who does not.',
    query: 'MATCH p = (s)-[:ManageCA|ManageCertificates]->(ca:EnterpriseCA) RETURN p LIMIT 1000',
  },
  {
    key: 'authority-managers-outside-tier-zero',
    question: 'Who outside of Tier Zero manages an authority?',
    description: 'Paths of two steps to the domain that no access list of the directory shows.',
    advice: 'Remove the right at the authority.',
    query:
      'MATCH p = (s)-[:ManageCA|ManageCertificates]->(ca:EnterpriseCA) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'web-enrollment',
    question: 'Which authorities have an enrollment page that can be relayed to (ESC8)?',
    description: 'A machine that is made to sign in there gives the attacker a certificate of its own.',
    advice: 'Use HTTPS with extended protection, or remove the role.',
    query:
      'MATCH (ca:EnterpriseCA) WHERE ca.hasvulnerableendpoint = true RETURN ca.name, ca.dnshostname LIMIT 1000',
  },
  {
    key: 'templates-without-security-extension',
    question: 'Which templates leave out the id of the account (ESC9)?',
    description: 'The certificate is matched by name alone, and names can be changed.',
    advice: 'Clear CT_FLAG_NO_SECURITY_EXTENSION.',
    query:
      'MATCH (t:CertTemplate) WHERE t.nosecurityextension = true RETURN t.name ORDER BY t.name LIMIT 1000',
  },
  {
    key: 'weak-certificate-mapping',
    question: 'Which domain controllers accept certificates by name alone (ESC10)?',
    description: 'Strong binding is not enforced there.',
    advice: 'Set StrongCertificateBindingEnforcement to 2.',
    query:
      'MATCH (c:Computer) WHERE c.strongcertificatebindingenforcementraw < 2 RETURN c.name, c.strongcertificatebindingenforcement ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'templates-with-groups',
    question: 'Which templates make their holder a member of a group (ESC13)?',
    description:
      'An issuance policy of the template is linked to a group: the certificate carries its rights.',
    advice: 'Bound enrollment to those who may have the rights of the group.',
    query:
      'MATCH p = (t:CertTemplate)-[:ExtendedByPolicy]->(:IssuancePolicy)-[:OIDGroupLink]->(:Group) RETURN p LIMIT 1000',
  },
  {
    key: 'enrollment',
    question: 'Who may enroll in which template?',
    description: 'Published templates with those who may enroll.',
    advice: 'Take large groups out of templates that few need.',
    query:
      'MATCH (s)-[:Enroll|AllExtendedRights|GenericAll]->(t:CertTemplate)-[:PublishedTo]->(:EnterpriseCA) RETURN t.name, collect(DISTINCT s.name) AS principals ORDER BY t.name LIMIT 1000',
  },
  {
    key: 'old-templates',
    question: 'Which published templates of version 1 let the applicant name the subject (ESC15)?',
    description:
      'On authorities without the update of November 2024 the applicant may add purposes of his own.',
    advice: 'Install the update, or replace the template by one of version 2.',
    query:
      'MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE t.schemaversion = 1 AND t.enrolleesuppliessubject = true RETURN t.name, collect(DISTINCT ca.name) AS authorities ORDER BY t.name LIMIT 1000',
  },
];
