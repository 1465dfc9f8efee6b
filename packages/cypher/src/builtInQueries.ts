/** Questions that defenders ask, as queries. Lists end at 1,000 rows: what is longer is a project, not a list. */

export interface BuiltInQuery {
  /** Stable; for commands and links. */
  readonly key: string;
  readonly category: string;
  /** What it answers. */
  readonly question: string;
  readonly query: string;
}

const OF_TIER_ZERO = 'Tier Zero';
const ATTACK_PATHS = 'Attack paths';
const KERBEROS = 'Kerberos and passwords';
const HYGIENE = 'Accounts and machines';
const CERTIFICATES = 'Certificate services';
const RIGHTS = 'Rights';
const CLOUD = 'Entra ID and Azure';

const ROWS: readonly (readonly [key: string, category: string, question: string, query: string])[] = [
  [
    'tier-zero',
    OF_TIER_ZERO,
    'What is in Tier Zero?',
    'MATCH (n:Tag_Tier_Zero) RETURN n.name, labels(n)[0] AS kind, n.objectid ORDER BY kind, n.name LIMIT 1000',
  ],
  [
    'tier-zero-users-disabled',
    OF_TIER_ZERO,
    'Which accounts in Tier Zero are disabled, and could be taken out?',
    'MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = false RETURN u.name, u.lastlogontimestamp ORDER BY u.name LIMIT 1000',
  ],
  [
    'tier-zero-not-protected',
    OF_TIER_ZERO,
    'Which enabled users in Tier Zero are not in Protected Users?',
    "MATCH (u:User:Tag_Tier_Zero) WHERE u.enabled = true AND NOT EXISTS { (u)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-525' } RETURN u.name ORDER BY u.name LIMIT 1000",
  ],
  [
    'tier-zero-sessions',
    OF_TIER_ZERO,
    'On which computers outside of Tier Zero are its users signed in?',
    'MATCH p = (c:Computer)-[:HasSession]->(u:User:Tag_Tier_Zero) WHERE NOT c:Tag_Tier_Zero RETURN p LIMIT 1000',
  ],
  [
    'tier-zero-service-accounts',
    OF_TIER_ZERO,
    'Which accounts in Tier Zero have a service principal name?',
    'MATCH (u:User:Tag_Tier_Zero) WHERE u.hasspn = true AND u.enabled = true RETURN u.name, u.serviceprincipalnames ORDER BY u.name LIMIT 1000',
  ],
  [
    'domain-admins',
    OF_TIER_ZERO,
    'Who is a domain administrator, directly or through groups?',
    "MATCH p = (u:Base)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-512' AND (u:User OR u:Computer) RETURN p LIMIT 1000",
  ],
  [
    'paths-to-tier-zero',
    ATTACK_PATHS,
    'Who can reach Tier Zero, and how?',
    'MATCH p = shortestPath((s)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  ],
  [
    'paths-from-domain-users',
    ATTACK_PATHS,
    'What of Tier Zero can every user of a domain reach?',
    "MATCH p = shortestPath((s:Group)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s.objectid ENDS WITH '-513' RETURN p LIMIT 1000",
  ],
  [
    'paths-from-owned',
    ATTACK_PATHS,
    'What can be reached from what is marked as owned?',
    'MATCH p = shortestPath((s:Tag_Owned)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s <> t RETURN p LIMIT 1000',
  ],
  [
    'paths-from-roastable',
    ATTACK_PATHS,
    'Which accounts with a crackable ticket lead to Tier Zero?',
    'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true AND NOT u:Tag_Tier_Zero MATCH p = shortestPath((u)-[:ALL_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) RETURN p LIMIT 1000',
  ],
  [
    'direct-control-of-tier-zero',
    ATTACK_PATHS,
    'Who outside of Tier Zero holds a right over something in it?',
    'MATCH p = (s)-[r]->(t:Tag_Tier_Zero) WHERE NOT s:Tag_Tier_Zero AND r.traversable = true RETURN p LIMIT 1000',
  ],
  [
    'kerberoastable',
    KERBEROS,
    'Which enabled accounts give away tickets that can be cracked?',
    'MATCH (u:User) WHERE u.hasspn = true AND u.enabled = true RETURN u.name, u.pwdlastset, u:Tag_Tier_Zero AS tier_zero ORDER BY u.pwdlastset LIMIT 1000',
  ],
  [
    'no-preauthentication',
    KERBEROS,
    'Which enabled users need no pre-authentication?',
    'MATCH (u:User) WHERE u.dontreqpreauth = true AND u.enabled = true RETURN u.name ORDER BY u.name LIMIT 1000',
  ],
  [
    'unconstrained-delegation',
    KERBEROS,
    'Which computers that are no domain controllers keep the tickets of their visitors?',
    "MATCH (c:Computer) WHERE c.unconstraineddelegation = true AND NOT EXISTS { (c)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-516' } RETURN c.name ORDER BY c.name LIMIT 1000",
  ],
  [
    'constrained-delegation',
    KERBEROS,
    'Who may act for others, and where?',
    'MATCH p = (s)-[:AllowedToDelegate]->(c:Computer) RETURN p LIMIT 1000',
  ],
  [
    'password-never-expires',
    KERBEROS,
    'Which enabled users have a password that never expires?',
    'MATCH (u:User) WHERE u.enabled = true AND u.pwdneverexpires = true RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  ],
  [
    'password-not-required',
    KERBEROS,
    'Which enabled users need no password?',
    'MATCH (u:User) WHERE u.enabled = true AND u.passwordnotreqd = true RETURN u.name ORDER BY u.name LIMIT 1000',
  ],
  [
    'password-older-than-a-year',
    KERBEROS,
    'Which enabled users have had their password for more than a year?',
    'MATCH (u:User) WHERE u.enabled = true AND u.pwdlastset > 0 AND u.pwdlastset < datetime().epochseconds - 365 * 86400 RETURN u.name, u.pwdlastset ORDER BY u.pwdlastset LIMIT 1000',
  ],
  [
    'not-signed-in-for-90-days',
    HYGIENE,
    'Which enabled users have not signed in for 90 days?',
    'MATCH (u:User) WHERE u.enabled = true AND u.lastlogontimestamp > 0 AND u.lastlogontimestamp < datetime().epochseconds - 90 * 86400 RETURN u.name, u.lastlogontimestamp ORDER BY u.lastlogontimestamp LIMIT 1000',
  ],
  [
    'old-systems',
    HYGIENE,
    'Which enabled computers run a Windows that gets no updates?',
    "MATCH (c:Computer) WHERE c.enabled = true AND c.operatingsystem =~ '(?i).*windows.* (2000|2003|2008|2012|xp|vista|7|8|me).*' RETURN c.operatingsystem AS system, count(*) AS computers, collect(c.name)[0..10] AS some ORDER BY computers DESC LIMIT 1000",
  ],
  [
    'no-laps',
    HYGIENE,
    'Which enabled computers have no managed password of their local administrator?',
    'MATCH (c:Computer) WHERE c.enabled = true AND c.haslaps = false RETURN c.name, c.operatingsystem ORDER BY c.name LIMIT 1000',
  ],
  [
    'administrators-by-computer',
    HYGIENE,
    'Which computers have the most administrators?',
    'MATCH (a)-[:AdminTo]->(c:Computer) RETURN c.name, count(DISTINCT a) AS administrators ORDER BY administrators DESC LIMIT 100',
  ],
  [
    'largest-groups',
    HYGIENE,
    'Which groups have the most direct members?',
    'MATCH (m)-[:MemberOf]->(g:Group) RETURN g.name, count(m) AS members ORDER BY members DESC LIMIT 100',
  ],
  [
    'empty-groups',
    HYGIENE,
    'Which groups have no member?',
    'MATCH (g:Group) WHERE NOT (g)<-[:MemberOf]-() RETURN g.name ORDER BY g.name LIMIT 1000',
  ],
  [
    'replication-rights',
    RIGHTS,
    'Who can read all secrets of a domain?',
    'MATCH p = (s)-[:DCSync|GetChangesAll|GenericAll]->(d:Domain) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  ],
  [
    'rights-of-everyone',
    RIGHTS,
    'What may everyone, all signed-in users or all users of a domain change?',
    "MATCH p = (g:Group)-[r]->(t) WHERE r.isacl = true AND r.traversable = true AND (g.objectid ENDS WITH '-S-1-1-0' OR g.objectid ENDS WITH '-S-1-5-11' OR g.objectid ENDS WITH '-513') RETURN p LIMIT 1000",
  ],
  [
    'group-policy-control',
    RIGHTS,
    'Who outside of Tier Zero can change a group policy?',
    'MATCH p = (s)-[:GenericAll|GenericWrite|WriteDacl|WriteOwner|Owns]->(g:GPO) WHERE NOT s:Tag_Tier_Zero RETURN p LIMIT 1000',
  ],
  [
    'foreign-members',
    RIGHTS,
    'Which groups have members of another domain?',
    'MATCH p = (m:Base)-[:MemberOf]->(g:Group) WHERE m.domainsid <> g.domainsid RETURN p LIMIT 1000',
  ],
  [
    'trusts',
    RIGHTS,
    'Which domains trust which?',
    'MATCH p = (:Domain)-[:SameForestTrust|CrossForestTrust]->(:Domain) RETURN p LIMIT 1000',
  ],
  [
    'certificate-escalations',
    CERTIFICATES,
    'Who can use certificates to take over a domain?',
    'MATCH p = (s)-[:ADCSESC1|ADCSESC3|ADCSESC4|ADCSESC6a|ADCSESC6b|ADCSESC9a|ADCSESC9b|ADCSESC10a|ADCSESC10b|ADCSESC13|GoldenCert]->(d) RETURN p LIMIT 1000',
  ],
  [
    'templates-with-own-names',
    CERTIFICATES,
    'Which published templates let the applicant name the subject?',
    'MATCH (t:CertTemplate)-[:PublishedTo]->(ca:EnterpriseCA) WHERE t.enrolleesuppliessubject = true RETURN t.name, collect(DISTINCT ca.name) AS authorities, t.requiresmanagerapproval ORDER BY t.name LIMIT 1000',
  ],
  [
    'enrollment',
    CERTIFICATES,
    'Who may enrol in which template?',
    'MATCH (s)-[:Enroll|AllExtendedRights|GenericAll]->(t:CertTemplate)-[:PublishedTo]->(:EnterpriseCA) RETURN t.name, collect(DISTINCT s.name) AS principals ORDER BY t.name LIMIT 1000',
  ],
  [
    'privileged-roles',
    CLOUD,
    'Who holds a role of Tier Zero in Entra ID?',
    'MATCH p = (s)-[:AZHasRole|AZMemberOf*1..2]->(r:AZRole:Tag_Tier_Zero) RETURN p LIMIT 1000',
  ],
  [
    'service-principals-to-tier-zero',
    CLOUD,
    'Which applications can reach Tier Zero in the cloud?',
    'MATCH p = shortestPath((s:AZServicePrincipal)-[:AZ_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE s <> t RETURN p LIMIT 1000',
  ],
  [
    'synced-to-cloud',
    CLOUD,
    'Which accounts of the directory become cloud accounts in Tier Zero?',
    'MATCH p = (u:User)-[:SyncedToEntraUser]->(a:AZUser)-[:AZMemberOf|AZHasRole*1..3]->(t:Tag_Tier_Zero) RETURN p LIMIT 1000',
  ],
  [
    'owners-of-applications',
    CLOUD,
    'Who owns applications?',
    'MATCH p = (s)-[:AZOwns]->(a) WHERE a:AZApp OR a:AZServicePrincipal RETURN p LIMIT 1000',
  ],
];

export const BUILT_IN_QUERIES: readonly BuiltInQuery[] = ROWS.map(([key, category, question, query]) => ({
  key,
  category,
  question,
  query,
}));
