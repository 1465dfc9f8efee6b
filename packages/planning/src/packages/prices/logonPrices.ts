/**
 * Prices of keeping accounts off computers, and of rights to log on.
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
    // A helpdesk works on clients: its logons there are what it is for.
    if (isOwnClient && administration.administers(account, host)) return damage('in-use', users);
    if ((isOwnClient || isCrowd) && administration.isAdministrator(account))
      return damage('exception', users);
    return damage(isCrowd ? 'crowd' : 'in-use', users);
  }

  /** Without the right of the local group itself, none of its members logs on. */
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
