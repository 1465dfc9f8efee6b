/** A row for each kind of item: its content and its facts. */

/** Nodes as `KIND ID`, edges as `START KIND END`, edge sets as `ASPECT OWNER`. */
export interface Expected {
  readonly nodes?: readonly string[];
  readonly edges?: readonly string[];
  readonly sets?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

export type ItemRow = readonly [kind: string, what: string, data: object, expected: Expected];

export const tenant = { tenantId: 't-1', tenantName: 'Contoso' };
export const principal = (type: string, id: string) => ({ '@odata.type': `#microsoft.graph.${type}`, id });
export const assignment = (principalId: string, scope: string) => ({ properties: { principalId, scope } });
