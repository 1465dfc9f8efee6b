/** The findings that an acceptance is about. */

export interface ClosedFinding {
  readonly finding: string;
  readonly environment_id: string;
  readonly asset_group_tag_id: number;
  readonly source?: { readonly object_id: string };
  readonly target: { readonly object_id: string };
}

/** Findings by their numbers, or as a repair names them. */
export type Accepted =
  | { readonly findings: readonly { readonly id: number; readonly finding: string }[] }
  | { readonly closed: readonly ClosedFinding[] };

/** @returns a name of its own for each set of findings: titles are the same for many */
export const acceptDraftName = (of: Accepted): string =>
  `accept ${
    'findings' in of
      ? of.findings
          .map(({ id }) => id)
          .sort((a, b) => a - b)
          .join()
      : of.closed.map(identityOf).sort().join()
  }`;

const identityOf = ({ finding, environment_id, asset_group_tag_id, source, target }: ClosedFinding): string =>
  JSON.stringify([finding, environment_id, asset_group_tag_id, source?.object_id, target.object_id]);
