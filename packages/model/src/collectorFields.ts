/**
 * Fields that findings and rules read, and the collectors that write them, according to their public sources. If a collector does not write
 * a field, the findings and rules that need it are missing; the service detects this in the data itself (`not_said` of the posture).
 *
 * Rule: `docs/reference/collections.md#fields-by-collector`.
 */

/** Collectors with the examined versions of their public sources. */
export const COLLECTORS = [
  ['SharpHound', 'SharpHoundCommon 1325837, and its documentation of August 2026'],
  ['BloodHound.py', '091780c (users, groups), c792f37 (computers), 093be56 (domains), 16e6c69 (trusts)'],
  ['NetExec', '4ef4c06, which runs BloodHound.py from 1.6.1 on'],
  [
    'RustHound-CE',
    '0ce4488 (users), 34e4b5b (computers), 0cc9146 (domains), 07fee09 (authorities), 4c09af1 (templates)',
  ],
  [
    'bofhound',
    '067a1ae (users), 47ce311 (computers), 78c7960 (domains), 01dbad6 (authorities), 4587176 (templates)',
  ],
  ['ADExplorerSnapshot', 'ac647a7'],
  ['SOAPHound', 'a82938c (users, domains, formats), 1d0ec78 (computers)'],
  ['adexplorersnapshot-rs', '3eac608 (users, computers), 034dd0a (domains)'],
] as const satisfies readonly (readonly [name: string, source: string])[];

/** The collector of Entra ID. */
export const TENANT_COLLECTOR = [
  'AzureHound',
  'SpecterOps/AzureHound 3e2829a (users, roles, groups), 7f419e3 (resources), dadab60 (credentials)',
] as const;

/** `y`: writes the field, `n`: omits it, `c`: writes a constant instead of the value in the directory, `?`: not checked. */
export type Said = 'y' | 'n' | 'c' | '?';

/** One letter per collector, in the order of `COLLECTORS`. */
const BY_LETTERS: Readonly<Record<string, readonly string[]>> = {
  yyyyyyyy: [
    'description',
    'distinguishedname',
    'domainsid',
    'functionallevel',
    'haslaps',
    'hasspn',
    'lastlogon',
    'lastlogontimestamp',
    'name',
    'operatingsystem',
    'pwdlastset',
    'samaccountname',
    'whencreated',
  ],
  // Only users have constants.
  yyyyyyyc: [
    'admincount',
    'dontreqpreauth',
    'enabled',
    'passwordnotreqd',
    'pwdneverexpires',
    'sensitive',
    'trustedtoauth',
    'unconstraineddelegation',
  ],
  yyyycyyy: ['sidhistory'],
  yyycyynn: ['allowedtodelegate'],
  yyyyyyyn: ['userpassword'],
  yyyynyyn: ['logonscript', 'unicodepassword', 'unixpassword'],
  ynnnnnyn: ['sfupassword'],
  yyyyynnn: ['collected'],
  'yccyyn??': ['blocksinheritance'],
  // BloodHound.py writes a constant for the domain, and no value for other objects.
  ynnyynnn: [
    'applicationpolicies',
    'authenticationenabled',
    'authorizedsignatures',
    'certchain',
    'certthumbprint',
    'certthumbprints',
    'effectiveekus',
    'enrolleesuppliessubject',
    'hostunresolved',
    'isaclprotected',
    'isdc',
    'nosecurityextension',
    'requiresmanagerapproval',
    'schemaversion',
    'subjectaltrequiredns',
    'subjectaltrequiredomaindns',
    'subjectaltrequirespn',
    'subjectaltrequireupn',
  ],
  'ynny?nnn': ['certtemplateoid'],
  ynncynnn: ['unresolvedpublishedtemplates'],
  ynnccnnn: ['enrollmentagentrestrictionscollected', 'isuserspecifiessanenabledcollected'],
  ynnynnnn: [
    'adminsdholderprotected',
    'dsheuristics',
    'encryptedtextpwdallowed',
    'hasvulnerableendpoint',
    'lockoutthreshold',
    'machineaccountquota',
    'minpwdlength',
    'netbios',
    'smartcardrequired',
    'supportedencryptiontypes',
    'usedeskeyonly',
  ],
  ynnnnnnn: [
    'certificatemappingmethodsraw',
    'certificatepolicy',
    'gmsa',
    'hasenrollmentagentrestrictions',
    'hasura',
    'isreadonlydc',
    'isuserspecifiessanenabled',
    'ldapavailable',
    'ldapsavailable',
    'ldapsepa',
    'ldapsigning',
    'lmcompatibilitylevel',
    'msa',
    'restrictoutboundntlm',
    'roleseparationenabled',
    'schannelauthenticationenabled',
    'smbsigning',
    'strongcertificatebindingenforcementraw',
    'vulnerablenetlogonsecuritydescriptor',
    'vulnerablenetlogonsecuritydescriptorcollected',
    'webclientrunning',
  ],
  '?nnnnnnn': [
    'disabledextensions',
    'disabledextensionscollected',
    'keycredentiallink',
    'msds-revealondemandgroup',
    'rpcencryptionenforced',
    'spooler',
  ],
};

export interface CollectorField {
  readonly field: string;
  /** In the order of `COLLECTORS`. */
  readonly said: readonly Said[];
}

export const COLLECTOR_FIELDS: readonly CollectorField[] = Object.entries(BY_LETTERS)
  .flatMap(([letters, fields]) => fields.map((field) => ({ field, said: [...letters] as Said[] })))
  .sort((a, b) => (a.field < b.field ? -1 : 1));

/** Fields of the domain itself; missing fields of other objects prove nothing if only the domain has them. */
export const DOMAIN_FIELDS: ReadonlySet<string> = new Set([
  ...['dsheuristics', 'functionallevel', 'lockoutthreshold', 'machineaccountquota', 'minpwdlength'],
]);

/** A collector that writes one of these fields writes a value for every account. */
const OF_EVERY_ACCOUNT: readonly string[] = [
  ...['adminsdholderprotected', 'dontreqpreauth', 'encryptedtextpwdallowed', 'isaclprotected'],
  ...[
    'msa',
    'smartcardrequired',
    'supportedencryptiontypes',
    'usedeskeyonly',
    'pwdneverexpires',
    'sensitive',
  ],
];

/**
 * Determines whether the collector omitted a field that few objects have: true if all collectors whose fields match those of the
 * environment omit it.
 *
 * @param isSeen whether some object of the environment has the field
 */
export function isLeftOut(field: string, isSeen: (field: string) => boolean): boolean {
  const saidOf = (name: string): readonly Said[] => BY_FIELD.get(name) ?? [];
  const fitting = COLLECTORS.map((_, at) => at).filter((at) =>
    OF_EVERY_ACCOUNT.every((name) => {
      const said = saidOf(name)[at];
      return said === '?' || isSeen(name) === (said !== 'n');
    }),
  );
  return fitting.length > 0 && fitting.every((at) => saidOf(field)[at] === 'n');
}

const BY_FIELD: ReadonlyMap<string, readonly Said[]> = new Map(
  COLLECTOR_FIELDS.map(({ field, said }) => [field, said]),
);

/** Fields of Entra ID that rules and findings read. */
export const TENANT_FIELDS = [
  ...['appownerorganizationid', 'enablerbacauthorization', 'enabled', 'enduserassignmentgroupapprovers'],
  ...['enduserassignmentrequiresapproval', 'enduserassignmentrequiresjustification'],
  ...['enduserassignmentrequirescapauthenticationcontext', 'enduserassignmentrequiresmfa'],
  ...['enduserassignmentuserapprovers', 'expiredcredentialcount'],
  ...['isassignabletorole', 'ismanaged', 'ismembermanagementrestricted', 'lastsuccessfulsignindatetime'],
  'longestcredentialdays',
  ...['membershiprule', 'onpremid', 'onpremsyncenabled', 'operatingsystem', 'scopedtemplateid'],
  ...['serviceprincipaltype', 'signinaudience', 'subject', 'templateid', 'tenantid', 'usertype'],
  'validcredentialcount',
] as const;

/** Fields that no object of an environment has, with the titles of the findings that need them. */
export interface NotSaid {
  readonly fields: readonly string[];
  readonly findings: readonly string[];
}

/** Maximum number of findings in the short sentence. */
const FEW = 3;

/** @returns the number of missing fields and the first findings, without a full stop; `undefined` if nothing is missing */
export function notSaidSummary(environment: string, notSaid: readonly NotSaid[] = []): string | undefined {
  if (notSaid.length === 0) return undefined;
  const findings = [...new Set(notSaid.flatMap((one) => one.findings))];
  const more = findings.length > FEW ? ` and ${findings.length - FEW} more` : '';
  return `No object of ${environment} has these fields. Therefore, these findings are missing or incomplete: ${findings.slice(0, FEW).join(', ')}${more}`;
}

/** @returns all missing fields in one sentence without its full stop; `undefined` if nothing is missing */
export function notSaidSentence(environment: string, notSaid: readonly NotSaid[] = []): string | undefined {
  if (notSaid.length === 0) return undefined;
  const parts = notSaid.map(({ fields, findings }) => `${fields.join(' or ')} (${findings.join(', ')})`);
  return `No object of ${environment} has these fields, so the findings in parentheses are missing or incomplete: ${parts.join('; ')}`;
}
