/**
 * Determines the policies that apply to a computer, and their precedence: enforced ones from the top, then those of the nearest unit; in a
 * unit, the last link takes precedence. A unit that blocks inheritance excludes policies that are not enforced (MS-GPOL 3.2.5.1.5).
 */
import { type PolicyLink, readPolicyLinks } from './policyLinks.ts';

interface Unit {
  readonly links: readonly PolicyLink[];
  readonly isBlocking: boolean;
}

/** A comma between two parts of a name, not an escaped one. */
const PARENT = /,(?=(?:ou|dc|cn)=)/;

export class AppliedPolicies {
  readonly #units = new Map<string, Unit>();
  readonly #switchedOff = new Set<string>();
  /** Names of computers by their SIDs, in lower case. */
  readonly #computers = new Map<string, string>();

  addUnit(dn: string, links: string | undefined, isBlocking: boolean): void {
    const active = readPolicyLinks(links).filter(({ isDisabled }) => !isDisabled);
    this.#units.set(dn.toLowerCase(), { links: active, isBlocking });
  }

  addComputer(dn: string, sid: string): void {
    this.#computers.set(sid, dn.toLowerCase());
  }

  /** Records whether the computer part of the policy is disabled. */
  switchPolicy(policy: string, isOff: boolean): void {
    if (isOff) this.#switchedOff.add(policy.toLowerCase());
    else this.#switchedOff.delete(policy.toLowerCase());
  }

  holdsForComputers(policy: string): boolean {
    return !this.#switchedOff.has(policy.toLowerCase());
  }

  /** @returns names of the policies of a computer, in descending precedence */
  policiesOf(sid: string): readonly string[] {
    const nearest: string[] = [];
    const enforced: string[] = [];
    let isBlocked = false;
    for (const dn of this.#placesAbove(this.#computers.get(sid) ?? '')) {
      const unit = this.#units.get(dn);
      if (unit === undefined) continue;
      const active = [...unit.links].reverse().filter((link) => !this.#switchedOff.has(link.dn));
      enforced.unshift(...active.filter((link) => link.isEnforced).map((link) => link.dn));
      if (!isBlocked) nearest.push(...active.filter((link) => !link.isEnforced).map((link) => link.dn));
      isBlocked ||= unit.isBlocking;
    }
    return [...enforced, ...nearest];
  }

  /** @returns SIDs of the computers in a unit to which its link applies */
  computersBelow(unit: string, isEnforced: boolean): readonly string[] {
    const top = unit.toLowerCase();
    return [...this.#computers].flatMap(([sid, dn]) =>
      dn.endsWith(`,${top}`) && (isEnforced || !this.#isBlockedBelow(dn, top)) ? [sid] : [],
    );
  }

  #isBlockedBelow(dn: string, top: string): boolean {
    for (const place of this.#placesAbove(dn)) {
      if (place === top) return false;
      if (this.#units.get(place)?.isBlocking === true) return true;
    }
    return false;
  }

  *#placesAbove(dn: string): Generator<string> {
    let rest = dn;
    for (let at = rest.search(PARENT); at >= 0; at = rest.search(PARENT)) {
      rest = rest.slice(at + 1);
      yield rest;
    }
  }
}
