/** Members of definitions, as `docs/extensions.md` has them. */

export const nodeKind = (name: string, display_name: string, icon: string, color: string): object => ({
  ...{ name, display_name, icon, color, is_display_kind: true },
});

/** A step of attack paths. @param effort 0, 1, 2, 4 or 8 */
export const step = (name: string, description: string, effort: number, effort_reason: string): object => ({
  ...{ name, description, is_traversable: true, effort, effort_reason },
});

export const relation = (name: string, description: string): object => ({ name, description });

/** How a relationship is removed. */
export const repair = (
  relationship_kind: string,
  cost: number,
  [title, change, check, risk]: readonly [title: string, change: string, check: string, risk: string],
): object => ({ relationship_kind, object: 'source', cost, title, change, check, risk });

export const finding = (
  relationship_kind: string,
  environment_kind: string,
  display_name: string,
  [description, remediation]: readonly [string, string],
): object => ({
  name: `${relationship_kind}_IntoZone`,
  ...{ display_name, environment_kind, relationship_kind },
  remediation: { short_description: description, short_remediation: remediation },
});
