/**
 * Assigns described objects without an environment to the domain that they name: collectors write a name instead
 * of a SID that they could not resolve. Rule: `docs/reference/collections.md#properties`.
 */
import { NodeKind } from '@clew/model';
import type { MergeSession } from './statement.ts';

/** Objects of a file whose domain is unknown, or whose domain name is ambiguous. */
export interface Unplaced {
  readonly origin: number;
  readonly domain: string;
  readonly count: number;
}

export async function placeByDomainName(session: MergeSession): Promise<Unplaced[]> {
  const [{ some }] = await session.query<{ some: boolean }>(
    'select exists (select from stage_unplaced) as some',
  );
  if (!some) return [];
  await session.run(FIND_DOMAINS);
  await session.written.nodes(PLACE);
  return session.query<Unplaced & Record<string, unknown>>(LEFT);
}

export const unplacedReason = (domain: string, count: number): string =>
  `objects without the SID of their domain have no environment, because not exactly one domain is named ${JSON.stringify(domain.slice(0, 128))}: ${count}`;

const FIND_DOMAINS = `
create temporary table stage_domain on commit drop as
select name as domain, min(id) as id
from node
where kinds && array[${NodeKind.Domain}]::smallint[] and deleted_at is null
  and name in (select distinct domain from stage_unplaced)
group by name having count(*) = 1`;

const PLACE = `
update node
set environment_id = placed.environment_id,
    properties = node.properties || jsonb_build_object('domainsid', placed.sid)
from (
  select distinct on (said.id) said.id, stage_domain.id as environment_id, object_id.object_id as sid
  from stage_unplaced said join stage_domain using (domain) join object_id on object_id.id = stage_domain.id
  order by said.id, said.origin desc
) placed
where node.id = placed.id and node.environment_id is null`;

const LEFT = `
select said.origin, said.domain, count(distinct said.id)::integer as count
from stage_unplaced said join node on node.id = said.id
where node.environment_id is null
group by said.origin, said.domain order by said.origin, said.domain
limit 100`;
