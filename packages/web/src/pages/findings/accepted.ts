/** The findings of an acceptance. */
import type { findingFilters } from './filterChips.ts';

export interface ClosedFinding {
  readonly finding: string;
  readonly environment_id: string;
  readonly asset_group_tag_id: number;
  readonly source?: { readonly object_id: string };
  readonly target: { readonly object_id: string };
}

/** Findings by number, findings named by a repair, or all that match filters. */
export type Accepted =
  | { readonly findings: readonly { readonly id: number; readonly repair?: number | undefined }[] }
  /** A repair names some of its findings, and counts all of them. */
  | { readonly closed: readonly ClosedFinding[]; readonly count: number }
  | { readonly matching: ReturnType<typeof findingFilters> };

/** @returns a unique name for each set of findings, because titles are not unique */
export function acceptDraftName(of: Accepted): string {
  if ('matching' in of) return `accept matching ${JSON.stringify(of.matching)}`;
  const names =
    'findings' in of
      ? of.findings.map(({ id }) => id).sort((a, b) => a - b)
      : of.closed.map(identityOf).sort();
  return `accept ${names.join()}`;
}

const identityOf = ({ finding, environment_id, asset_group_tag_id, source, target }: ClosedFinding): string =>
  JSON.stringify([finding, environment_id, asset_group_tag_id, source?.object_id, target.object_id]);
