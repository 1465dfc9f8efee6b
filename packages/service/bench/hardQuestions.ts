/**
 * Queries that are hard for a planner: products of clauses, joins by value, many starts with one end, and counts of millions of pairs. Each
 * is written as one pattern first, and then in several clauses, as users write it.
 */

export interface HardQuestion {
  readonly name: string;
  /** The others are compared with the first. */
  readonly forms: readonly string[];
  /** Only the number of rows is compared, because with LIMIT any rows are valid. */
  readonly anyRows?: boolean;
  readonly isEmpty?: boolean;
  /** Returned as a graph, in which repeated parts occur once. */
  readonly asGraph?: boolean;
}

const CONTROL = 'AllExtendedRights|GenericAll|GenericWrite|Owns|WriteDacl|WriteOwner';
const ADMINISTRATORS = "{name:'DOMAIN ADMINS@AURORA.EXAMPLE'}";

const CLAUSES: readonly HardQuestion[] = [
  {
    name: 'memberships to a depth of three',
    forms: [
      'MATCH p=(n:User)-[:MemberOf*1..3]->(m:Group) RETURN count(p)',
      'MATCH (n:User),(m:Group) MATCH p=(n)-[:MemberOf*1..3]->(m) RETURN count(p)',
      'MATCH (n:User) WITH n MATCH (m:Group) WITH n, m MATCH p=(n)-[:MemberOf*1..3]->(m) RETURN count(p)',
    ],
  },
  {
    name: 'accounts of both directories',
    forms: [
      'MATCH (a:AZUser) WITH a.onpremid AS id MATCH (b:User {objectid: id}) RETURN count(*)',
      'MATCH (a:AZUser),(b:User) WHERE a.onpremid=b.objectid RETURN count(*)',
      'MATCH (b:User) MATCH (a:AZUser) WHERE a.onpremid=b.objectid RETURN count(*)',
    ],
  },
  {
    name: 'accounts with the same display name',
    forms: [
      'MATCH (a:AZUser),(b:User) WHERE a.displayname=b.displayname AND b.enabled RETURN count(*)',
      'MATCH (b:User) WHERE b.enabled MATCH (a:AZUser) WITH a, b WHERE a.displayname=b.displayname RETURN count(*)',
    ],
  },
  {
    name: 'names of groups in several domains',
    forms: [
      'MATCH (a:Group),(b:Group) WHERE a.samaccountname=b.samaccountname AND a.domainsid<>b.domainsid RETURN count(*)',
      'MATCH (a:Group) MATCH (b:Group) WITH a, b WHERE a.samaccountname=b.samaccountname AND a.domainsid<>b.domainsid RETURN count(*)',
    ],
  },
  {
    name: 'computers and the users in their sessions, of the same domain',
    forms: [
      'MATCH (c:Computer)-[:HasSession]->(u:User) WHERE c.domainsid=u.domainsid RETURN count(*)',
      'MATCH (c:Computer) MATCH (u:User) WHERE c.domainsid=u.domainsid MATCH (c)-[:HasSession]->(u) RETURN count(*)',
      'MATCH (c:Computer) WITH c MATCH (u:User) WITH c, u MATCH (c)-[:HasSession]->(u) WHERE c.domainsid=u.domainsid RETURN count(*)',
    ],
  },
  {
    name: 'shortest paths to an application',
    forms: [
      "MATCH p=shortestPath((n)-[*1..]->(g:AZServicePrincipal {displayname:'FILES11'})) WHERE NOT n.displayname='FILES11' AND n<>g RETURN length(p), n",
      "MATCH (n) WHERE NOT n.displayname='FILES11' WITH n MATCH p=shortestPath((n)-[*1..]->(g:AZServicePrincipal {displayname:'FILES11'})) WHERE n<>g RETURN length(p), n",
      "MATCH (n) WHERE NOT n.displayname='FILES11' WITH DISTINCT n MATCH p=shortestPath((n)-[*1..]->(g:AZServicePrincipal {displayname:'FILES11'})) WHERE n<>g RETURN length(p), n",
    ],
  },
  {
    name: 'shortest paths of computers to domain administrators',
    forms: [
      `MATCH p=shortestPath((c:Computer)-[*1..]->(g:Group ${ADMINISTRATORS})) RETURN count(p)`,
      `MATCH (c:Computer) MATCH (g:Group ${ADMINISTRATORS}) MATCH p=shortestPath((c)-[*1..]->(g)) RETURN count(p)`,
      `MATCH (g:Group ${ADMINISTRATORS}) WITH collect(g) AS all UNWIND all AS g MATCH (c:Computer) MATCH p=shortestPath((c)-[*1..]->(g)) RETURN count(p)`,
    ],
  },
  {
    name: 'lengths of shortest attack paths of users to domains',
    forms: [
      "MATCH p=shortestPath((u:User)-[:AD_ATTACK_PATHS*1..]->(d:Domain {name:'AURORA.EXAMPLE'})) RETURN length(p) AS l, count(*) ORDER BY l",
      "MATCH (d:Domain {name:'AURORA.EXAMPLE'}) MATCH (u:User) MATCH p=shortestPath((u)-[:AD_ATTACK_PATHS*1..]->(d)) WITH length(p) AS l, count(*) AS n RETURN l, n ORDER BY l",
    ],
  },
  {
    name: 'shortest attack paths of enabled users to Tier Zero, LIMIT 1000',
    anyRows: true,
    forms: [
      'MATCH p=shortestPath((u:User)-[:AD_ATTACK_PATHS*1..]->(t:Tag_Tier_Zero)) WHERE u.enabled AND u<>t RETURN p LIMIT 1000',
      'MATCH (u:User) WHERE u.enabled MATCH (t:Tag_Tier_Zero) MATCH p=shortestPath((u)-[:AD_ATTACK_PATHS*1..]->(t)) WHERE u<>t RETURN p LIMIT 1000',
    ],
  },
  {
    name: 'all shortest paths of accounts with a service to domain administrators',
    forms: [
      `MATCH p=allShortestPaths((u:User {hasspn:true})-[:AD_ATTACK_PATHS*1..]->(g:Group ${ADMINISTRATORS})) RETURN count(p)`,
      `MATCH (u:User {hasspn:true}) MATCH (g:Group ${ADMINISTRATORS}) MATCH p=allShortestPaths((u)-[:AD_ATTACK_PATHS*1..]->(g)) RETURN count(p)`,
    ],
  },
  {
    name: 'groups of computers that users are in, too',
    forms: [
      'MATCH (c:Computer)-[:MemberOf*1..]->(g:Group) WITH DISTINCT g MATCH (u:User)-[:MemberOf*1..]->(g) RETURN DISTINCT g',
      'MATCH (c:Computer)-[:MemberOf*1..]->(g:Group) WITH g MATCH (u:User)-[:MemberOf*1..]->(g) RETURN DISTINCT g',
      'MATCH (c:Computer)-[:MemberOf*1..]->(g:Group) MATCH (u:User)-[:MemberOf*1..]->(g) RETURN DISTINCT g',
    ],
  },
  {
    name: 'users that reach Tier Zero',
    forms: [
      'MATCH (u:User)-[:AD_ATTACK_PATHS*1..]->(:Tag_Tier_Zero) RETURN count(DISTINCT u)',
      'MATCH (u:User) WHERE EXISTS { (u)-[:AD_ATTACK_PATHS*1..]->(:Tag_Tier_Zero) } RETURN count(u)',
      'MATCH (u:User) MATCH (t:Tag_Tier_Zero) MATCH (u)-[:AD_ATTACK_PATHS*1..]->(t) RETURN count(DISTINCT u)',
      'MATCH (u:User) WITH collect(u) AS all MATCH (u:User) WHERE NOT EXISTS { (u)-[:AD_ATTACK_PATHS*1..]->(:Tag_Tier_Zero) } WITH all, count(u) AS none RETURN size(all) - none',
    ],
  },
  {
    name: 'users that do not reach Tier Zero',
    forms: [
      'MATCH (u:User) WHERE NOT EXISTS { (u)-[:AD_ATTACK_PATHS*1..]->(:Tag_Tier_Zero) } RETURN count(u)',
      'MATCH (u:User) WHERE NOT (u)-[:AD_ATTACK_PATHS*1..]->(:Tag_Tier_Zero) RETURN count(u)',
      'MATCH (u:User) WITH u WHERE NOT EXISTS { MATCH (u)-[:AD_ATTACK_PATHS*1..]->(t) WHERE t:Tag_Tier_Zero } RETURN count(u)',
    ],
  },
  {
    name: 'control over policies, LIMIT 25',
    anyRows: true,
    isEmpty: true,
    forms: [
      `MATCH p=(u:User)-[:${CONTROL}*1..]->(g:GPO) RETURN p LIMIT 25`,
      `MATCH (u:User) MATCH (g:GPO) MATCH p=(u)-[:${CONTROL}*1..]->(g) RETURN p LIMIT 25`,
    ],
  },
  {
    name: 'control over computers, LIMIT 25',
    anyRows: true,
    forms: [
      `MATCH p=(u:User)-[:${CONTROL}|MemberOf*1..]->(g:Computer) RETURN p LIMIT 25`,
      `MATCH (u:User) MATCH (g:Computer) MATCH p=(u)-[:${CONTROL}|MemberOf*1..]->(g) RETURN p LIMIT 25`,
    ],
  },
  {
    name: 'memberships of names that fit, on either end',
    forms: [
      "MATCH p=(n:Base)-[:MemberOf*1..]->(m:Group) WHERE n.name =~ '(?i)^(ADMIN|BACKUP|PRINT|SERVER).*' OR m.objectid =~ '.*-(512|516|517|518|519|520|521|498)' RETURN count(p)",
      "MATCH (n:Base) MATCH (m:Group) MATCH p=(n)-[:MemberOf*1..]->(m) WITH p, n, m WHERE n.name =~ '(?i)^(ADMIN|BACKUP|PRINT|SERVER).*' OR m.objectid =~ '.*-(512|516|517|518|519|520|521|498)' RETURN count(p)",
    ],
  },
  {
    name: 'members of groups in other domains',
    forms: [
      'MATCH (n:User)-[:MemberOf]->(g:Group) WHERE n.domainsid <> g.domainsid RETURN count(*)',
      'MATCH (n:User) MATCH (g:Group) WHERE n.domainsid <> g.domainsid MATCH (n)-[:MemberOf]->(g) RETURN count(*)',
    ],
  },
  {
    name: 'computers with sessions of domain administrators',
    forms: [
      "MATCH (c:Computer)-[:HasSession]->(u:User)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-512' RETURN count(DISTINCT c)",
      "MATCH (g:Group) WHERE g.objectid ENDS WITH '-512' MATCH (c:Computer)-[:HasSession]->(u:User) MATCH (u)-[:MemberOf*1..]->(g) RETURN count(DISTINCT c)",
      "MATCH (c:Computer)-[:HasSession]->(u:User) WITH c, u MATCH (u)-[:MemberOf*1..]->(g:Group) WHERE g.objectid ENDS WITH '-512' RETURN count(DISTINCT c)",
    ],
  },
  {
    name: 'computers that no one administers',
    forms: [
      'MATCH (c:Computer) WHERE NOT ()-[:AdminTo]->(c) RETURN count(c)',
      'MATCH (c:Computer) WHERE COUNT { ()-[:AdminTo]->(c) } = 0 RETURN count(c)',
    ],
  },
];

const COUNTS: readonly HardQuestion[] = [
  {
    name: 'largest groups with nested members',
    forms: [
      'MATCH (u:User)-[:MemberOf*1..]->(g:Group) RETURN g.name, count(DISTINCT u) AS n ORDER BY n DESC, g.name LIMIT 10',
      'MATCH (g:Group) MATCH (u:User) MATCH (u)-[:MemberOf*1..]->(g) RETURN g.name, count(DISTINCT u) AS n ORDER BY n DESC, g.name LIMIT 10',
      'MATCH (u:User)-[:MemberOf*1..]->(g:Group) WITH g, count(DISTINCT u) AS n RETURN g.name, n ORDER BY n DESC, g.name LIMIT 10',
      'MATCH (u:User)-[:MemberOf*1..]->(g:Group) WITH DISTINCT u, g RETURN g.name, count(u) AS n ORDER BY n DESC, g.name LIMIT 10',
    ],
  },
  {
    name: 'users with the most rights of administrators',
    forms: [
      'MATCH (u:User)-[:MemberOf*0..]->()-[:AdminTo]->(c:Computer) RETURN u.name, count(DISTINCT c) AS n ORDER BY n DESC, u.name LIMIT 10',
      'MATCH (u:User)-[:MemberOf*0..]->(g) MATCH (g)-[:AdminTo]->(c:Computer) RETURN u.name, count(DISTINCT c) AS n ORDER BY n DESC, u.name LIMIT 10',
      'MATCH (g)-[:AdminTo]->(c:Computer) WITH g, c MATCH (u:User)-[:MemberOf*0..]->(g) RETURN u.name, count(DISTINCT c) AS n ORDER BY n DESC, u.name LIMIT 10',
    ],
  },
  {
    name: 'accounts with a service and the most rights of administrators',
    forms: [
      'MATCH (u:User)-[:MemberOf*0..]->()-[:AdminTo]->(c:Computer) WHERE u.hasspn AND u.enabled RETURN u.name, count(DISTINCT c) AS n ORDER BY n DESC, u.name LIMIT 10',
      'MATCH (u:User) WHERE u.hasspn MATCH (u)-[:MemberOf*0..]->(g) WHERE u.enabled MATCH (g)-[:AdminTo]->(c:Computer) RETURN u.name, count(DISTINCT c) AS n ORDER BY n DESC, u.name LIMIT 10',
    ],
  },
  {
    name: 'computers with the most administrators',
    forms: [
      'MATCH (u:User)-[:MemberOf*0..]->()-[:AdminTo]->(c:Computer) RETURN c.name, count(DISTINCT u) AS n ORDER BY n DESC, c.name LIMIT 10',
      'MATCH (c:Computer) MATCH (g)-[:AdminTo]->(c) MATCH (u:User)-[:MemberOf*0..]->(g) RETURN c.name, count(DISTINCT u) AS n ORDER BY n DESC, c.name LIMIT 10',
    ],
  },
  {
    name: 'users in more than twenty groups',
    forms: [
      'MATCH (u:User)-[:MemberOf*1..]->(g:Group) WITH u, count(DISTINCT g) AS n WHERE n > 20 RETURN count(u)',
      'MATCH (u:User) MATCH (g:Group) MATCH (u)-[:MemberOf*1..]->(g) WITH u, count(DISTINCT g) AS n WHERE n > 20 RETURN count(u)',
      'MATCH (u:User)-[:MemberOf*1..]->(g:Group) WITH u, collect(DISTINCT g) AS all WHERE size(all) > 20 RETURN count(u)',
    ],
  },
  {
    name: 'computers below policies',
    forms: [
      'MATCH (g:GPO)-[:GPLink]->(o)-[:Contains*1..]->(c:Computer) RETURN g.name, count(DISTINCT c) AS n ORDER BY n DESC, g.name LIMIT 10',
      'MATCH (g:GPO)-[:GPLink]->(o) MATCH (c:Computer) MATCH (o)-[:Contains*1..]->(c) RETURN g.name, count(DISTINCT c) AS n ORDER BY n DESC, g.name LIMIT 10',
    ],
  },
  {
    name: 'users below organizational units',
    forms: [
      'MATCH (o:OU)-[:Contains*1..]->(u:User) RETURN o.name, count(u) AS n ORDER BY n DESC, o.name LIMIT 10',
      'MATCH (o:OU) MATCH (u:User) MATCH (o)-[:Contains*1..]->(u) RETURN o.name, count(u) AS n ORDER BY n DESC, o.name LIMIT 10',
    ],
  },
  {
    name: 'users that may enroll',
    forms: [
      'MATCH (u:User)-[:MemberOf*0..]->()-[:Enroll|GenericAll|AllExtendedRights]->(t:CertTemplate)-[:PublishedTo]->(:EnterpriseCA) RETURN t.name, count(DISTINCT u) AS n ORDER BY n DESC, t.name LIMIT 10',
      'MATCH (t:CertTemplate)-[:PublishedTo]->(:EnterpriseCA) MATCH (g)-[:Enroll|GenericAll|AllExtendedRights]->(t) MATCH (u:User)-[:MemberOf*0..]->(g) RETURN t.name, count(DISTINCT u) AS n ORDER BY n DESC, t.name LIMIT 10',
    ],
  },
  {
    name: 'relationships by type',
    forms: [
      'MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS n ORDER BY n DESC, type',
      'MATCH (a)-[r]->(b) WITH type(r) AS type, a RETURN type, count(*) AS n ORDER BY n DESC, type',
    ],
  },
  {
    name: 'objects that have control of others, as a graph',
    asGraph: true,
    forms: [
      'MATCH (b)-[a]->(r) RETURN DISTINCT b',
      'MATCH (b)-[a]->(r) RETURN b',
      'MATCH (b) MATCH (b)-[a]->(r) RETURN b',
    ],
  },
  {
    name: 'groups that users are in, as a graph',
    asGraph: true,
    forms: [
      'MATCH (u:User)-[:MemberOf*1..]->(t:Group) RETURN DISTINCT t',
      'MATCH (u:User)-[:MemberOf*1..]->(t:Group) RETURN t',
      'MATCH (u:User) MATCH (t:Group) MATCH (u)-[:MemberOf*1..]->(t) RETURN t',
    ],
  },
  {
    name: 'synchronized accounts with resources of Entra ID',
    forms: [
      'MATCH (u:User)-[:SyncedToEntraUser]->(a:AZUser)-[:AZMemberOf*0..]->()-[r]->(t:AZBase) RETURN count(DISTINCT u)',
      'MATCH (u:User)-[:SyncedToEntraUser]->(a:AZUser) MATCH (a)-[:AZMemberOf*0..]->(g) MATCH (g)-[r]->(t:AZBase) RETURN count(DISTINCT u)',
      'MATCH (g)-[r]->(t:AZBase) WITH g MATCH (a:AZUser)-[:AZMemberOf*0..]->(g) WITH a MATCH (u:User)-[:SyncedToEntraUser]->(a) RETURN count(DISTINCT u)',
    ],
  },
  {
    name: 'administrators of computers, those without any counted, too',
    forms: [
      'MATCH (c:Computer) OPTIONAL MATCH (a)-[:AdminTo]->(c) RETURN c.name, count(a) AS n ORDER BY n DESC, c.name LIMIT 10',
      'MATCH (c:Computer) WITH c OPTIONAL MATCH (a)-[:AdminTo]->(c) WITH c, count(a) AS n RETURN c.name, n ORDER BY n DESC, c.name LIMIT 10',
    ],
  },
];

export const HARD_QUESTIONS: readonly HardQuestion[] = [...CLAUSES, ...COUNTS];
