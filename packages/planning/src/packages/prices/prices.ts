/**
 * The price of a change: its work, and what it breaks. Both follow from the facts: removing a group of nearly all users from
 * administrators is cheap regardless of its size, and removing the group that administers most computers of its unit is
 * expensive. The price depends on nothing else, so it is the same in every search.
 *
 * Rule: `docs/plan.md#prices`.
 */
import { type AnalysisContext, environments, type Reads } from '@clew/analysis';
import { hasKind, NodeSet } from '@clew/graph';
import { NodeKind } from '@clew/model';
import { isAzureRight, isSynchronized } from '../../repairs/cloudRights.ts';
import type { Repair } from '../../repairs/repair.ts';
import { DEFAULT_COSTS, type RepairKind } from '../../repairs/repairKinds.ts';
import { Administration } from './administration.ts';
import { CertificatePrices } from './certificatePrices.ts';
import { EntrySources } from './entrySources.ts';
import { groupSizes } from './groupSizes.ts';
import { localAdministrators } from './localAdministrators.ts';
import { LogonPrices } from './logonPrices.ts';
import { MemberPrices } from './memberPrices.ts';
import { type Damage, damage, type OtherPrices, type Price, priceOf } from './reasons.ts';
import { RightPrices } from './rightPrices.ts';

/** Facts that prices read. Plans load them in addition to the facts of rules and findings. */
export const PRICE_READS: Reads = {
  edges: ['ProtectAdminGroups', 'Contains'],
  nodeProperties: [
    ...['enabled', 'hasspn', 'gmsa', 'msa', 'collected', 'admincount', 'operatingsystem'],
    ...['schemaversion', 'effectiveekus', 'enrolleesuppliessubject', 'requiresmanagerapproval'],
    ...['nosecurityextension', 'enrollmentflag', 'isaclprotected'],
  ],
  shared: [environments, groupSizes, localAdministrators],
};

export interface PriceInput {
  /** Costs of all kinds; a cost that differs from the default is the whole price. */
  readonly costs: Readonly<Record<RepairKind, number>>;
  /** Members of the zone and of more privileged zones. */
  readonly zone?: NodeSet | undefined;
  /** Returns true for changes that remove something a user called unneeded. */
  readonly isUnused?: ((repair: Repair) => boolean) | undefined;
  readonly otherPrices?: OtherPrices | undefined;
}

export class Prices {
  readonly sources: EntrySources;
  readonly #context: AnalysisContext;
  readonly #input: PriceInput;
  readonly #members: MemberPrices;
  readonly #logons: LogonPrices;
  readonly #rights: RightPrices;
  readonly #certificates: CertificatePrices;

  constructor(whole: AnalysisContext, input: PriceInput) {
    const context = whole.readingFor('prices', PRICE_READS);
    const zone = input.zone ?? NodeSet.empty(context.graph.nodeCount);
    const { readsNames } = input.otherPrices ?? {};
    const administration = new Administration(context, zone, readsNames);
    this.#context = context;
    this.#input = input;
    this.sources = new EntrySources(context, zone);
    this.#members = new MemberPrices(context, administration);
    this.#logons = new LogonPrices(context, administration);
    this.#rights = new RightPrices(context, administration, this.sources);
    this.#certificates = new CertificatePrices(context, administration);
  }

  of(repair: Repair): Price {
    const { kind, cost } = repair;
    const { costs, isUnused, otherPrices } = this.#input;
    const work = cost ?? costs[kind];
    const isOfOperators = cost !== undefined || work !== DEFAULT_COSTS[kind];
    if (isOfOperators) return priceOf(work, damage('work'));
    if (isUnused?.(repair) === true) return priceOf(work, damage('answered'));
    return priceOf(work, this.#damageOf(repair), otherPrices);
  }

  #damageOf(repair: Repair): Damage {
    const { kind, object, principal = object, edgeKinds } = repair;
    switch (kind) {
      case 'remove-member':
        return this.#members.ofGroup(principal, object);
      case 'remove-local-member':
        return this.#members.ofLocalGroup(principal, object);
      case 'remove-policy-member':
        return this.#members.ofPolicy(repair);
      case 'remove-logon-right':
        return this.#logons.ofLogonRight(principal, object);
      case 'keep-off':
        return this.#logons.ofSession(object, principal);
      case 'remove-permission':
      case 'change-owner':
      case 'remove-enrollment':
        return edgeKinds.every((name) => name === 'Enroll')
          ? this.#certificates.ofEnrollment(object, principal)
          : this.#rights.of(repair, principal);
      case 'template-subject':
      case 'template-approval':
      case 'template-security-extension':
        return this.#certificates.ofSetting(kind, object);
      case 'authority-web-enrollment':
        return damage('clients');
      case 'unpublish-template':
        return this.#certificates.ofPublication(principal);
      case 'remove-role': {
        // Administrators have separate accounts in the tenant; a synchronized account is an everyday account.
        const { graph } = this.#context;
        const isEveryday = !hasKind(graph, principal, NodeKind.AZGroup) && isSynchronized(graph, principal);
        return damage(isEveryday ? 'exception' : 'design');
      }
      case 'remove-relation':
        return damage(edgeKinds.some(isAzureRight) ? 'exception' : 'in-use');
      case 'unsynchronize':
        return damage('in-use');
      case 'move-object':
      case 'unlink-policy':
        return damage('design');
      default:
        return damage('work');
    }
  }
}
