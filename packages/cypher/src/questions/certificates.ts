import type { QuestionOfCategory } from './question.ts';

export const CERTIFICATE_QUESTIONS: readonly QuestionOfCategory[] = [
  {
    key: 'certificate-escalations',
    question: 'Who can use certificates to take over a domain?',
    description: 'All known escalations through templates and CAs, and the principals that can use them.',
    advice: 'Each leads to its template or CA: repair it to remove the escalation for everyone.',
    query:
      'MATCH p = (s)-[:ADCSESC1|ADCSESC3|ADCSESC4|ADCSESC6a|ADCSESC6b|ADCSESC9a|ADCSESC9b|ADCSESC10a|ADCSESC10b|ADCSESC13|GoldenCert]->(d) RETURN p LIMIT 1000',
  },
  {
    key: 'templates-with-own-names',
    question: 'Which published templates let the requester supply the subject?',
    description:
      "The requester can supply any name, including an administrator's (ESC1), if the certificate can be used to sign in.",
    advice:
      'Build the subject from Active Directory information, or require approval by a certificate manager.',
    query:
      'MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE t.enrolleesuppliessubject = true RETURN t.name, collect(DISTINCT ca.name) AS authorities, t.requiresmanagerapproval ORDER BY t.name LIMIT 1000',
  },
  {
    key: 'templates-of-any-purpose',
    question: 'Which published templates have no purpose, or any (ESC2)?',
    description:
      'Such a certificate can be used to sign in, and to request certificates on behalf of others.',
    advice: 'Specify only the required purposes.',
    query:
      "MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE size(t.effectiveekus) = 0 OR '2.5.29.37.0' IN t.effectiveekus RETURN t.name, collect(DISTINCT ca.name) AS authorities ORDER BY t.name LIMIT 1000",
  },
  {
    key: 'enrollment-agents',
    question: 'Which templates issue enrollment agent certificates (ESC3)?',
    description: 'An enrollment agent requests certificates on behalf of others.',
    advice: 'Restrict enrollment agents on the CA, and require approval.',
    query:
      "MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE '1.3.6.1.4.1.311.20.2.1' IN t.effectiveekus RETURN t.name, collect(DISTINCT ca.name) AS authorities ORDER BY t.name LIMIT 1000",
  },
  {
    key: 'template-control',
    question: 'Who outside of Tier Zero can change a template (ESC4)?',
    description: 'Anyone who can change a template can make it dangerous.',
    advice: 'Allow only PKI administrators, who belong to Tier Zero, to change templates.',
    query:
      'MATCH p = (s)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns|WritePKIEnrollmentFlag|WritePKINameFlag]->(t:CertTemplate) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'pki-object-control',
    question: 'Who outside of Tier Zero controls objects of the PKI (ESC5)?',
    description: 'CAs, the store of trusted CAs, and the computers that run CAs.',
    advice: 'Treat all of them as Tier Zero, and remove the right.',
    query:
      'MATCH p = (s)-[r]->(t) WHERE r.traversable = true AND NOT s:Tag_Tier_Zero AND (t:EnterpriseCA OR t:RootCA OR t:NTAuthStore OR t:AIACA OR EXISTS { (t)-[:HostsCAService]->() }) RETURN p LIMIT 1000',
  },
  {
    key: 'authorities-with-own-names',
    question: 'Which CAs let requesters add names to a request (ESC6)?',
    description: 'With EDITF_ATTRIBUTESUBJECTALTNAME2, every template lets the requester supply the subject.',
    advice: 'Clear the flag with certutil, and restart the service.',
    query: 'MATCH (ca:EnterpriseCA) WHERE ca.isuserspecifiessanenabled = true RETURN ca.name LIMIT 1000',
  },
  {
    key: 'authority-managers',
    question: 'Who manages a CA or its requests (ESC7)?',
    description:
      'CA administrators can change its settings; certificate managers can approve pending and denied requests.',
    advice: 'Both roles belong to Tier Zero: remove all other principals.',
    query: 'MATCH p = (s)-[:ManageCA|ManageCertificates]->(ca:EnterpriseCA) RETURN p LIMIT 1000',
  },
  {
    key: 'authority-managers-outside-tier-zero',
    question: 'Who outside of Tier Zero manages a CA?',
    description: 'Paths of two steps to the domain that no access control list in the directory shows.',
    advice: 'Remove the right on the CA.',
    query:
      'MATCH p = (s)-[:ManageCA|ManageCertificates]->(ca:EnterpriseCA) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  },
  {
    key: 'web-enrollment',
    question: 'Which CAs have an enrollment page that is vulnerable to relay (ESC8)?',
    description:
      'If an attacker coerces a computer to authenticate and relays it there, the attacker gets a certificate of the computer.',
    advice: 'Use HTTPS with Extended Protection for Authentication, or remove the role service.',
    query:
      'MATCH (ca:EnterpriseCA) WHERE ca.hasvulnerableendpoint = true RETURN ca.name, ca.dnshostname LIMIT 1000',
  },
  {
    key: 'templates-without-security-extension',
    question: 'Which templates omit the security extension (ESC9)?',
    description: 'The certificate is mapped only by name, and names can be changed.',
    advice: 'Clear CT_FLAG_NO_SECURITY_EXTENSION.',
    query:
      'MATCH (t:CertTemplate) WHERE t.nosecurityextension = true RETURN t.name ORDER BY t.name LIMIT 1000',
  },
  {
    key: 'weak-certificate-mapping',
    question: 'Which domain controllers map certificates only by name (ESC10)?',
    description: 'Strong certificate binding is not enforced there.',
    advice: 'Set StrongCertificateBindingEnforcement to 2.',
    query:
      'MATCH (c:Computer) WHERE c.strongcertificatebindingenforcementraw < 2 RETURN c.name, c.strongcertificatebindingenforcement ORDER BY c.name LIMIT 1000',
  },
  {
    key: 'templates-with-groups',
    question: 'Which templates make their holder a member of a group (ESC13)?',
    description:
      'An issuance policy of the template is linked to a group: a certificate of the template gives the rights of the group.',
    advice: 'Restrict enrollment to principals that may have the rights of the group.',
    query:
      'MATCH p = (t:CertTemplate)-[:ExtendedByPolicy]->(:IssuancePolicy)-[:OIDGroupLink]->(:Group) RETURN p LIMIT 1000',
  },
  {
    key: 'enrollment',
    question: 'Who can enroll in which template?',
    description: 'Published templates with the principals that can enroll.',
    advice: 'Remove large groups from templates that few principals need.',
    query:
      'MATCH (s)-[:Enroll|AllExtendedRights|GenericAll]->(t:CertTemplate)-[:PublishedTo]->(:EnterpriseCA) RETURN t.name, collect(DISTINCT s.name) AS principals ORDER BY t.name LIMIT 1000',
  },
  {
    key: 'old-templates',
    question: 'Which published templates of version 1 let the requester supply the subject (ESC15)?',
    description: 'On CAs without the update of November 2024, the requester can add application policies.',
    advice: 'Install the update, or replace the template with one of version 2.',
    query:
      'MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE t.schemaversion = 1 AND t.enrolleesuppliessubject = true RETURN t.name, collect(DISTINCT ca.name) AS authorities ORDER BY t.name LIMIT 1000',
  },
];
