/** Parts of files that several collectors write in the same way. */
import { type Account, idIn, OTHER_FOREST, rightsOn, type SourceForest } from './sourceForest.ts';

export const acesOf = (forest: SourceForest, id: string): object[] =>
  rightsOn(forest, id).map(([PrincipalSID, PrincipalType, RightName]) => ({
    ...{ RightName, IsInherited: false, PrincipalSID, PrincipalType },
  }));

export const typed = ([ObjectIdentifier, ObjectType]: readonly [string, string]): object => ({
  ...{ ObjectIdentifier, ObjectType },
});

export const NOTHING_CHANGED = {
  ...{ AffectedComputers: [], DcomUsers: [], LocalAdmins: [], PSRemoteUsers: [], RemoteDesktopUsers: [] },
};

/** The link of the only policy. */
export const linksIn = (forest: SourceForest): object[] => [
  { IsEnforced: false, GUID: idIn(forest, 'POLICY') },
];

/** An answer of the web enrollment of the CA. */
export const endpoint = (Result: object): object => ({
  Result: { Url: 'https://srv1/certsrv/', ...Result },
  ...{ Collected: true, FailureReason: null },
});

/** Fields of users and computers. */
export const ACCOUNT_FIELDS = [
  ...[
    'whencreated',
    'unconstraineddelegation',
    'enabled',
    'trustedtoauth',
    'lastlogon',
    'lastlogontimestamp',
  ],
];
/** Fields of a domain. */
export const DOMAIN_FIELDS = [
  ...['name', 'domain', 'domainsid', 'distinguishedname', 'description', 'functionallevel', 'highvalue'],
  ...['isaclprotected', 'collected', 'whencreated'],
];

const TRUST = { TargetDomainName: 'OTHER.EXAMPLE', TargetDomainSid: OTHER_FOREST, IsTransitive: true };
/** A trust in both directions with another forest, with its direction and type as numbers. */
export const NUMBERED_TRUST = { ...TRUST, TrustDirection: 3, TrustType: 2, SidFilteringEnabled: true };
/** The same with names. */
export const NAMED_TRUST = {
  ...{ ...TRUST, TrustDirection: 'Bidirectional', TrustType: 'Forest', SidFilteringEnabled: true },
  TrustAttributes: 8,
};

/** The fields of a template that RustHound-CE and bofhound write. */
export const TEMPLATE_FIELDS = [
  ...['description', 'whencreated', 'schemaversion', 'displayname', 'oid', 'enrollmentflag', 'ekus'],
  ...['requiresmanagerapproval', 'nosecurityextension', 'certificatenameflag', 'enrolleesuppliessubject'],
  ...['subjectaltrequireupn', 'subjectaltrequiredns', 'subjectaltrequiredomaindns', 'subjectaltrequirespn'],
  ...['certificateapplicationpolicy', 'authorizedsignatures', 'applicationpolicies', 'issuancepolicies'],
  ...['effectiveekus', 'authenticationenabled'],
];

/** The SQL servers that run as the user. @param hostOf the computer of a service principal name */
export const sqlServers = ({ services }: Account, hostOf: (service: string) => string): object[] =>
  services
    .filter((service) => service.startsWith('MSSQL'))
    .map((service) => ({ ComputerSID: hostOf(service), Port: 1433, Service: 'SQLAdmin' }));
