/** The same queries in five forms each: equal values, counts, reachability, lists, paths as graphs, types and labels. */
import type { HardQuestion } from './hardQuestions.ts';

const REACH = '[:AD_ATTACK_PATHS*1..]';
const WIDE = 'MemberOf|GenericAll|GenericWrite|AdminTo|HasSession';

/** @param ids object ids of some users */
export function equalQuestions(ids: readonly string[]): readonly HardQuestion[] {
  const listed = ids.map((id) => `'${id}'`);
  return [
    {
      name: 'ids of both directories, in any case of letters',
      forms: [
        'MATCH (a:AZUser), (b:User) WHERE toUpper(a.onpremid) = toUpper(b.objectid) RETURN count(*)',
        'MATCH (a:AZUser) MATCH (b:User) WHERE toUpper(b.objectid) = toUpper(a.onpremid) RETURN count(*)',
        'MATCH (a:AZUser), (b:User) WITH a, b WHERE toUpper(a.onpremid) = toUpper(b.objectid) RETURN count(*)',
        "MATCH (a), (b) WHERE a:AZUser AND 'User' IN labels(b) AND toUpper(a.onpremid) = toUpper(b.objectid) RETURN count(*)",
        'MATCH (a:AZUser) OPTIONAL MATCH (b:User) WHERE toUpper(b.objectid) = toUpper(a.onpremid) WITH a, b WHERE b IS NOT NULL RETURN count(*)',
      ],
    },
    {
      name: 'names of both directories before the at sign',
      forms: [
        "MATCH (a:AZUser), (b:User) WHERE split(a.name, '@')[0] = split(b.name, '@')[0] RETURN count(*)",
        "MATCH (a:AZUser) MATCH (b:User) WHERE split(b.name, '@')[0] = split(a.name, '@')[0] RETURN count(*)",
        "MATCH (a:AZUser), (b:User) WITH * WHERE split(a.name, '@')[0] = split(b.name, '@')[0] RETURN count(*)",
        "MATCH (b:User) WITH b MATCH (a:AZUser) WHERE split(a.name, '@')[0] = split(b.name, '@')[0] RETURN count(*)",
        "MATCH (a), (b) WHERE a:AZUser AND b:User AND split(a.name, '@')[0] = split(b.name, '@')[0] RETURN count(*)",
      ],
    },
    {
      name: 'groups with users in them, by name',
      forms: [
        'MATCH (u:User)-[:MemberOf*1..]->(g:Group) RETURN count(DISTINCT g)',
        'MATCH (u:User)-[:MemberOf*1..]->(g:Group) RETURN count(DISTINCT g.objectid)',
        'MATCH p = shortestPath((u:User)-[:MemberOf*1..]->(g:Group)) RETURN count(DISTINCT g)',
        'MATCH (g:Group) WHERE EXISTS { (:User)-[:MemberOf*1..]->(g) } RETURN count(g)',
        'MATCH (g:Group) OPTIONAL MATCH p = (u:User)-[:MemberOf*1..]->(g) WITH g, count(p) AS c WHERE c > 0 RETURN count(g)',
      ],
    },
    {
      name: 'users that lead to Tier Zero',
      forms: [
        `MATCH (u:User) WHERE EXISTS { (u)-${REACH}->(:Tag_Tier_Zero) } RETURN count(u)`,
        `MATCH (u:User)-${REACH}->(t:Tag_Tier_Zero) RETURN count(DISTINCT u)`,
        `MATCH p = shortestPath((u:User)-${REACH}->(t:Tag_Tier_Zero)) RETURN count(DISTINCT u)`,
        `MATCH (u:User) OPTIONAL MATCH p = shortestPath((u)-${REACH}->(t:Tag_Tier_Zero)) WITH u, count(p) AS c WHERE c > 0 RETURN count(u)`,
        `MATCH (u:User) OPTIONAL MATCH p = (u)-${REACH}->(t:Tag_Tier_Zero) WITH u, count(DISTINCT t) > 0 AS leads WHERE leads RETURN count(u)`,
      ],
    },
    {
      name: `${ids.length} users by id`,
      forms: [
        `MATCH (n:User) WHERE n.objectid IN [${listed.join(', ')}] RETURN n`,
        `MATCH (n:User) WHERE ${listed.map((id) => `n.objectid = ${id}`).join(' OR ')} RETURN n`,
        `MATCH (n) WHERE n:User AND (${listed.map((id) => `${id} = n.objectid`).join(' OR ')}) RETURN n`,
        `UNWIND [${listed.join(', ')}] AS id MATCH (n:User {objectid: id}) RETURN n`,
        `WITH [${listed.join(', ')}] AS ids MATCH (n:User) WHERE n.objectid IN ids RETURN n`,
      ],
    },
    {
      name: 'trails of domain users to groups and computers, as a graph',
      asGraph: true,
      forms: [
        `MATCH p = (a {name: 'DOMAIN USERS@AURORA.EXAMPLE'})-[:${WIDE}*1..5]->(b:Group) RETURN p`,
        `MATCH p = (b:Group)<-[:${WIDE}*1..5]-(a {name: 'DOMAIN USERS@AURORA.EXAMPLE'}) RETURN p`,
        `MATCH (a {name: 'DOMAIN USERS@AURORA.EXAMPLE'}), (b:Group) MATCH p = (a)-[:${WIDE}*1..5]->(b) RETURN p`,
        `MATCH p = (a)-[:${WIDE}*1..5]->(b) WHERE a.name = 'DOMAIN USERS@AURORA.EXAMPLE' AND b:Group RETURN p`,
        `MATCH p = (a {name: 'DOMAIN USERS@AURORA.EXAMPLE'})-[:${WIDE}*1..5]->(b) WHERE 'Group' IN labels(b) RETURN nodes(p)`,
      ],
    },
    {
      name: 'memberships of users',
      forms: [
        'MATCH (u:User)-[:MemberOf]->(g:Group) RETURN count(g)',
        "MATCH (u:User)-[r]->(g:Group) WHERE type(r) = 'MemberOf' RETURN count(g)",
        "MATCH (u:User)-[r]->(g:Group) WHERE type(r) IN ['MemberOf'] RETURN count(g)",
        'MATCH (u)-[r]->(g) WHERE r:MemberOf AND u:User AND g:Group RETURN count(g)',
        "MATCH (u)-[r:MemberOf]->(g) WHERE 'User' IN labels(u) AND 'Group' IN labels(g) RETURN count(g)",
      ],
    },
    {
      name: 'relationships',
      forms: [
        'MATCH ()-[r]->() RETURN count(r)',
        'MATCH ()-[r]->() RETURN count(*)',
        'MATCH (a)-[r]->(b) RETURN count(r)',
        'MATCH ()-[r]->() RETURN count(DISTINCT r)',
        'MATCH ()<-[r]-() RETURN count(r)',
      ],
    },
  ];
}
