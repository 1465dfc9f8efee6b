/**
 * Properties of certificate templates for the rules: the rights that a certificate gives its holder, and when a CA issues without approval.
 * A missing property proves nothing, so predicates test for the required value.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import type { NodeProperties } from '@clew/graph';
import type { Shared } from '../analysisContext.ts';

export interface CertTemplate {
  readonly node: number;
  readonly schemaVersion: number | undefined;
  readonly authorizedSignatures: number | undefined;
  readonly requiresManagerApproval: boolean | undefined;
  readonly authenticationEnabled: boolean | undefined;
  readonly schannelAuthenticationEnabled: boolean | undefined;
  readonly effectiveEkus: readonly unknown[] | undefined;
  readonly applicationPolicies: readonly string[];
  readonly enrolleeSuppliesSubject: boolean | undefined;
  readonly noSecurityExtension: boolean | undefined;
  readonly sanRequiresUpn: boolean | undefined;
  readonly sanRequiresSpn: boolean | undefined;
  readonly sanRequiresDns: boolean | undefined;
  readonly sanRequiresDomainDns: boolean | undefined;
}

/** Object identifiers of key usages: RFC 5280 4.2.1.12 and [MS-WCCE] 2.2.2.7. */
export const Oid = {
  anyPurpose: '2.5.29.37.0',
  certificateRequestAgent: '1.3.6.1.4.1.311.20.2.1',
  clientAuthentication: '1.3.6.1.5.5.7.3.2',
  serverAuthentication: '1.3.6.1.5.5.7.3.1',
  /** The requester's SID in the certificate. */
  securityExtension: '1.3.6.1.4.1.311.25.2',
} as const;

/** All templates by node number. */
export const certTemplates: Shared<ReadonlyMap<number, CertTemplate>> = {
  name: 'certificate templates',
  reads: {
    nodeProperties: [
      'schemaversion',
      'authorizedsignatures',
      'requiresmanagerapproval',
      'authenticationenabled',
      'schannelauthenticationenabled',
      'effectiveekus',
      'applicationpolicies',
      'enrolleesuppliessubject',
      'nosecurityextension',
      'subjectaltrequireupn',
      'subjectaltrequirespn',
      'subjectaltrequiredns',
      'subjectaltrequiredomaindns',
    ],
  },
  build: (context) =>
    new Map(
      [...context.nodesOf('CertTemplate')].map((node) => [node, readTemplate(context.properties, node)]),
    ),
};

function readTemplate(properties: NodeProperties, node: number): CertTemplate {
  return {
    node,
    schemaVersion: properties.number('schemaversion', node),
    authorizedSignatures: properties.number('authorizedsignatures', node),
    requiresManagerApproval: properties.flag('requiresmanagerapproval', node),
    authenticationEnabled: properties.flag('authenticationenabled', node),
    schannelAuthenticationEnabled: properties.flag('schannelauthenticationenabled', node),
    effectiveEkus: properties.list('effectiveekus', node),
    applicationPolicies: properties.texts('applicationpolicies', node),
    enrolleeSuppliesSubject: properties.flag('enrolleesuppliessubject', node),
    noSecurityExtension: properties.flag('nosecurityextension', node),
    sanRequiresUpn: properties.flag('subjectaltrequireupn', node),
    sanRequiresSpn: properties.flag('subjectaltrequirespn', node),
    sanRequiresDns: properties.flag('subjectaltrequiredns', node),
    sanRequiresDomainDns: properties.flag('subjectaltrequiredomaindns', node),
  };
}

/** NA: issued without a manager's approval. */
export function needsNoApproval(template: CertTemplate): boolean {
  return template.requiresManagerApproval === false;
}

/** AUTH: the certificate logs on over Kerberos. */
export function authenticates(template: CertTemplate): boolean {
  return template.authenticationEnabled === true;
}

/** ESS: requesters name the subject. */
export function letsSubjectBeSupplied(template: CertTemplate): boolean {
  return template.enrolleeSuppliesSubject === true;
}

/** noESS: the CA takes the subject from the directory. */
export function takesSubjectFromDirectory(template: CertTemplate): boolean {
  return template.enrolleeSuppliesSubject === false;
}

/** NSE: the certificate does not contain the requester's SID. */
export function omitsSecurityExtension(template: CertTemplate): boolean {
  return template.noSecurityExtension === true;
}

/** SCH: the certificate logs on over Schannel. Collectors before 2024 report only key usages. */
export function authenticatesOverSchannel(template: CertTemplate): boolean {
  if (template.schannelAuthenticationEnabled !== undefined) return template.schannelAuthenticationEnabled;
  const ekus = template.effectiveEkus;
  if (ekus === undefined) return false;
  return ekus.length === 0 || ekus.includes(Oid.clientAuthentication) || ekus.includes(Oid.anyPurpose);
}

/** SANUPN: the subject alternative name contains the UPN (the SPN flag implies it). */
export function namesByUpn(template: CertTemplate): boolean {
  const { sanRequiresUpn, sanRequiresSpn } = template;
  return sanRequiresUpn !== undefined && sanRequiresSpn !== undefined && (sanRequiresUpn || sanRequiresSpn);
}

/** SANDNS: the subject alternative name contains the DNS name. */
export function namesByDns(template: CertTemplate): boolean {
  return template.sanRequiresDns === true;
}

/** UserOK: no DNS name is required, which an ordinary user account does not have. */
export function suitsUsersWithoutDnsName(template: CertTemplate): boolean {
  return template.sanRequiresDns === false && template.sanRequiresDomainDns === false;
}

/** GateL: issued without an authorized signature, with both properties known; schema 1 ignores signatures. */
export function needsNoSignature(template: CertTemplate): boolean {
  const { schemaVersion, authorizedSignatures } = template;
  if (schemaVersion === undefined || authorizedSignatures === undefined) return false;
  return !(schemaVersion > 1 && authorizedSignatures > 0);
}

/** GateS: like `needsNoSignature`, but schema 1 alone is sufficient, and otherwise signatures must be exactly 0. */
export function needsNoSignatureStrictly(template: CertTemplate): boolean {
  const { schemaVersion, authorizedSignatures } = template;
  if (schemaVersion === undefined) return false;
  return schemaVersion === 1 || (schemaVersion > 1 && authorizedSignatures === 0);
}

/** GateR: like `needsNoSignature`, for relayed requests: schema 1 or lower, or exactly 0 signatures. */
export function needsNoSignatureWhenRelayed(template: CertTemplate): boolean {
  const { schemaVersion, authorizedSignatures } = template;
  return (schemaVersion !== undefined && schemaVersion <= 1) || authorizedSignatures === 0;
}
