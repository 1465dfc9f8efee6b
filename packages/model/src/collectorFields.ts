/**
 * Fields of Active Directory that findings and rules read, and the collectors that write them, as their public sources say. A collector
 * that leaves a field out silences what needs it, which the service reports from the data itself (`not_said` of the posture).
 *
 * Rule: `docs/reference/collections.md#fields-by-collector`.
 */

/** With the state of the public source that was read; without one, only what others say of it is known. */
export const COLLECTORS = [
  ['SharpHound', 'SharpHoundCommon 1325837, and its documentation of August 2026'],
  ['BloodHound.py', '091780c (users, groups), 16e6c69 (trusts)'],
  ['RustHound-CE', '0ce4488 (users), 34e4b5b (computers)'],
  ['bofhound', '067a1ae (users), 47ce311 (computers)'],
  ['NetExec', ''],
  ['ADExplorerSnapshot', ''],
] as const satisfies readonly (readonly [name: string, source: string])[];

/** `y` writes it, `n` leaves it out, `?` was not looked at. */
type Said = 'y' | 'n' | '?';

/** One letter a collector, in the order of `COLLECTORS`. */
const BY_LETTERS: Readonly<Record<string, readonly string[]>> = {
  'yyyy??': [
    'admincount',
    'allowedtodelegate',
    'distinguishedname',
    'domainsid',
    'dontreqpreauth',
    'enabled',
    'hasspn',
    'lastlogon',
    'lastlogontimestamp',
    'name',
    'passwordnotreqd',
    'pwdlastset',
    'pwdneverexpires',
    'samaccountname',
    'sensitive',
    'sidhistory',
    'trustedtoauth',
    'unconstraineddelegation',
    'userpassword',
  ],
  'yyy???': ['logonscript', 'unicodepassword', 'unixpassword', 'whencreated', 'description'],
  'y?yy??': ['haslaps', 'isaclprotected', 'isdc', 'operatingsystem'],
  'yny???': ['adminsdholderprotected'],
  'ynyn??': ['encryptedtextpwdallowed', 'smartcardrequired', 'supportedencryptiontypes', 'usedeskeyonly'],
  'ynnn??': ['gmsa', 'msa'],
  'ynn???': ['sfupassword'],
  'y?nn??': [
    'hasura',
    'isreadonlydc',
    'ldapavailable',
    'ldapsavailable',
    'ldapsepa',
    'ldapsigning',
    'lmcompatibilitylevel',
    'restrictoutboundntlm',
    'smbsigning',
    'webclientrunning',
  ],
  'y??n??': [
    'certificatemappingmethodsraw',
    'strongcertificatebindingenforcementraw',
    'vulnerablenetlogonsecuritydescriptor',
    'vulnerablenetlogonsecuritydescriptorcollected',
  ],
  'y?????': [
    'applicationpolicies',
    'authenticationenabled',
    'authorizedsignatures',
    'blocksinheritance',
    'certchain',
    'certificatepolicy',
    'certtemplateoid',
    'certthumbprint',
    'certthumbprints',
    'collected',
    'dsheuristics',
    'effectiveekus',
    'enrolleesuppliessubject',
    'enrollmentagentrestrictionscollected',
    'functionallevel',
    'hasenrollmentagentrestrictions',
    'hasvulnerableendpoint',
    'hostunresolved',
    'isuserspecifiessanenabled',
    'isuserspecifiessanenabledcollected',
    'lockoutthreshold',
    'machineaccountquota',
    'minpwdlength',
    'nosecurityextension',
    'requiresmanagerapproval',
    'roleseparationenabled',
    'schannelauthenticationenabled',
    'subjectaltrequiredns',
    'subjectaltrequiredomaindns',
    'subjectaltrequirespn',
    'subjectaltrequireupn',
    'unresolvedpublishedtemplates',
  ],
  '??????': [
    'disabledextensions',
    'disabledextensionscollected',
    'keycredentiallink',
    'msds-revealondemandgroup',
    'netbios',
    'rpcencryptionenforced',
    'schemaversion',
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

/** Fields that no object of an environment has, with the titles of the findings that can say nothing without them. */
export interface NotSaid {
  readonly fields: readonly string[];
  readonly findings: readonly string[];
}

/** @returns a sentence without its full stop; nothing where all was said */
export function notSaidSentence(environment: string, notSaid: readonly NotSaid[] = []): string | undefined {
  if (notSaid.length === 0) return undefined;
  const parts = notSaid.map(({ fields, findings }) => `${fields.join(' or ')} (${findings.join(', ')})`);
  return `No object of ${environment} has these fields, so the findings in parentheses are silent: ${parts.join('; ')}`;
}
