/**
 * Edges that were collected and give no power, so no graph has them: what the access policies of a key vault say where
 * the vault decides by roles. The store keeps them; once the vault looks at its policies again, they are back.
 * Rule: `docs/findings.md#what-is-left-out`.
 */
import { EdgeKind } from '@clew/model';

const POLICY_KINDS: ReadonlySet<number> = new Set([
  EdgeKind.AZGetSecrets,
  EdgeKind.AZGetKeys,
  EdgeKind.AZGetCertificates,
]);

export class PowerlessEdges {
  readonly #vaults = new Set<number>();

  /** @param node number of a vault with role-based authorization */
  addRoleBasedVault(node: number): void {
    this.#vaults.add(node);
  }

  has(kind: number, end: number): boolean {
    return POLICY_KINDS.has(kind) && this.#vaults.has(end);
  }
}
