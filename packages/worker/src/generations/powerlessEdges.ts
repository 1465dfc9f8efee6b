/**
 * Collected edges that give no power and are omitted from every graph: access policies of a key vault that uses role-based access control.
 * The store keeps them, and they return if the vault uses its policies again. Rule: `docs/findings.md#exclusions`.
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
