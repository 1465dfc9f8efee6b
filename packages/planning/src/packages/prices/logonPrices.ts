/**
 * Prices of ending logons of accounts on computers, and of removing rights to log on.
 *
 * Rule: `docs/plan.md#prices`.
 */
import type { AnalysisContext } from '@clew/analysis';
import { hasKind } from '@clew/graph';
import { NodeKind } from '@clew/model';
import type { Administration } from './administration.ts';
import { isClient, isCrowded } from './hosts.ts';
import { sessionsOn } from './neighborFilters.ts';
import { type Damage, damage } from './reasons.ts';

export class LogonPrices {
  readonly #context: AnalysisContext;
  readonly #administration: Administration;

  constructor(context: AnalysisContext, administration: Administration) {
    this.#context = context;
    this.#administration = administration;
  }

  ofSession(host: number, account: number): Damage {
    const administration = this.#administration;
    if (administration.zone.has(account) && !administration.zone.has(host)) return damage('against-tier');
    const users = this.#users(host);
    const isCrowd = isCrowded(this.#context.graph, host);
    const isOwnClient = isClient(this.#context, host);
    // Helpdesk accounts work on clients, so their logons there are intended.
    if (isOwnClient && administration.administers(account, host)) return damage('in-use', users);
    if ((isOwnClient || isCrowd) && administration.isAdministrator(account))
      return damage('exception', users);
    return damage(isCrowd ? 'crowd' : 'in-use', users);
  }

  /** If the local group itself loses the right, none of its members can log on. */
  ofLogonRight(holder: number, host: number): Damage {
    if (hasKind(this.#context.graph, holder, NodeKind.ADLocalGroup))
      return damage('outage', this.#users(host));
    return this.#administration.isAgainstTier(holder, host)
      ? damage('against-tier')
      : damage('crowd', this.#users(host));
  }

  #users(host: number): { readonly sessions: number } {
    return { sessions: sessionsOn(this.#context.graph, host).length };
  }
}
