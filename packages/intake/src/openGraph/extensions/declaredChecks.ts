/** Custom checks in the form that graphs carry: their finding types, and the last results of their queries. */
import type { DeclaredCheck } from '@clew/graph';
import { edgeKindByName } from '@clew/model';
import type { Statements, StoredCheckDefinition } from '@clew/store';

/** Numbers of kinds that are not built in, by name. */
export interface KindNumbers {
  readonly nodes: ReadonlyMap<string, number>;
  readonly edges: ReadonlyMap<string, number>;
}

interface Row {
  readonly name: string;
  readonly definition: StoredCheckDefinition;
  readonly platform: string | null;
  readonly offenders: readonly number[];
}

/** Enabled checks, sorted by name. */
const CHECKS = `
select name, definition,
       (select lower(extension.definition -> 'schema' ->> 'display_name') from extension where id = extension_id) as platform,
       array(select node_id from custom_check_offender where check_id = custom_check.id order by node_id) as offenders
from custom_check where enabled order by name`;

/** @param client connection in the snapshot from which the graph is loaded */
export async function readDeclaredChecks(
  client: Statements,
  { edges }: KindNumbers,
): Promise<DeclaredCheck[]> {
  const { rows } = await client.query<Row>(CHECKS);
  return rows.map(({ name, definition, platform, offenders }) => {
    const { title, category, severity, remediation, techniques, owner, repair } = definition;
    const removed = (repair?.relationship_kinds ?? []).flatMap((kindName) => {
      const kind = edgeKindByName(kindName)?.id ?? edges.get(kindName);
      return kind === undefined ? [] : [{ kind, kindName }];
    });
    return {
      ...{ id: name, title, category, techniques, owner, platform: platform ?? 'custom' },
      ...(severity === 'impact' && { isByImpact: true }),
      ...(severity !== 'exposure' && severity !== 'impact' && { severity }),
      shortDescription: remediation.short_description,
      longDescription: remediation.long_description,
      shortRemediation: remediation.short_remediation,
      longRemediation: remediation.long_remediation,
      ...(repair !== undefined &&
        removed.length > 0 && {
          repairedBy: {
            kinds: removed.map(({ kind }) => kind),
            names: removed.map(({ kindName }) => kindName),
            direction: repair.direction,
          },
        }),
      offenders: Uint32Array.from(offenders),
    };
  });
}
