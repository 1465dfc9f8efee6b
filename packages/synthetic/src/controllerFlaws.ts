/**
 * Flaws that only shape 3 has and that concern controllers: the place of their accounts, and accounts and groups of read-only controllers.
 */
import type { Flaw } from './flaw.ts';
import { blockId, type DomainPlan, orphanedKeyId, relativeId } from './plan.ts';
import { pick } from './random.ts';

const once = ({ shape }: DomainPlan): number => (shape === 3 ? 1 : 0);

/** Relative ids of krbtgt and the domain groups that Windows denies to read-only controllers. */
const DENIED = [512, 516, 517, 520, 521, 502] as const;

export const CONTROLLER_FLAWS: readonly Flaw[] = [
  {
    name: 'controller-outside-unit',
    description: 'A controller was moved to the servers of Tier 0, out of the unit whose policies protect it',
    count: once,
    isSingle: true,
    plant: ({ plan, overlay }) => {
      const last = blockId(plan, 'domainController', plan.counts.domainController - 1);
      overlay.change(last).place = 'TIER0/SERVERS';
    },
  },
  {
    name: 'denied-replication-incomplete',
    description: 'Windows default members are missing from the Denied RODC Password Replication Group',
    count: once,
    isSingle: true,
    plant: ({ plan, overlay, draw }) => {
      const { lostMembers } = overlay.change(relativeId(plan, 572));
      lostMembers.push(
        relativeId(plan, pick(DENIED, draw(0))),
        `${plan.forestSid}-${draw(1) < 0.5 ? 518 : 519}`,
      );
    },
  },
  {
    name: 'read-only-controller-key-orphaned',
    description: 'The key account of a read-only controller that no longer exists is still there',
    count: once,
    isSingle: true,
    plant: ({ plan, overlay }) => {
      overlay.change(orphanedKeyId(plan)).isAdded = true;
    },
  },
];
