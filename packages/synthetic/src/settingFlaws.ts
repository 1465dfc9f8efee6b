/** Flaws of shape 3 only that are values of one object: ages, encryption, marks. `membershipFlaws.ts` has flaws that are relationships. */
import type { Flaw, Site } from './flaw.ts';
import type { Block, DomainPlan } from './plan.ts';
import { below } from './random.ts';

const DAY_SECONDS = 86_400;

const every =
  (block: Block, one: number) =>
  (plan: DomainPlan): number =>
    plan.shape === 3 ? Math.ceil(plan.counts[block] / one) : 0;

const set = (site: Site, block: Block, properties: Readonly<Record<string, unknown>>): void => {
  Object.assign(site.overlay.change(site.some(block, 0).ObjectIdentifier).properties, properties);
};

/** @returns a time between `least` and twice `least` days before the collection */
const daysAgo = ({ plan, draw }: Site, least: number): number =>
  plan.collectedAt - (least + below(least, draw(1))) * DAY_SECONDS;

const notSeenSince = (time: number) => ({ lastlogon: time, lastlogontimestamp: time });

export const SETTING_FLAWS: readonly Flaw[] = [
  {
    name: 'controller-allows-weak-encryption',
    description: 'A controller accepts tickets with RC4 or DES',
    count: every('domainController', 3),
    plant: (site) => {
      const weak = site.draw(2) < 0.5 ? ['RC4-HMAC-MD5'] : ['DES-CBC-CRC', 'DES-CBC-MD5', 'RC4-HMAC-MD5'];
      set(site, 'domainController', {
        supportedencryptiontypes: [...weak, 'AES128-CTS-HMAC-SHA1-96', 'AES256-CTS-HMAC-SHA1-96'],
      });
    },
  },
  {
    name: 'managed-account-not-rotated',
    description: 'The password of a managed account did not change for a year',
    count: every('managedAccount', 4),
    plant: (site) => set(site, 'managedAccount', { pwdlastset: daysAgo(site, 300) }),
  },
  {
    name: 'managed-account-unused',
    description: 'No host uses a managed account anymore',
    count: every('managedAccount', 6),
    plant: (site) => {
      const time = daysAgo(site, 400);
      set(site, 'managedAccount', { ...notSeenSince(time), pwdlastset: time });
    },
  },
  {
    name: 'service-account-unused',
    description: 'A service account with rights has not been used for a year',
    count: every('serviceAccount', 8),
    plant: (site) => set(site, 'serviceAccount', notSeenSince(daysAgo(site, 400))),
  },
  {
    name: 'computer-made-in-advance',
    description: 'A computer account was made and never joined, with a password that is its name',
    count: every('leftoverComputer', 12),
    plant: (site) => {
      const made = daysAgo(site, 200);
      const never = { lastlogon: 0, lastlogontimestamp: -1 };
      const bare = { operatingsystem: null, serviceprincipalnames: [] };
      set(site, 'leftoverComputer', {
        ...{ ...never, ...bare, whencreated: made, pwdlastset: made, enabled: true },
      });
    },
  },
  {
    name: 'computer-password-old',
    description: 'A server in use has had its password for more than half a year',
    count: every('server', 25),
    plant: (site) => set(site, 'server', { pwdlastset: daysAgo(site, 200) }),
  },
  {
    name: 'disabled-computer-delegates',
    description: 'A computer that is disabled is trusted for unconstrained delegation',
    count: every('leftoverComputer', 40),
    plant: (site) => set(site, 'leftoverComputer', { enabled: false, unconstraineddelegation: true }),
  },
  {
    name: 'administrator-without-mark',
    description: 'A member of a privileged group does not have the mark of protection',
    count: every('tier0Admin', 4),
    plant: (site) => set(site, 'tier0Admin', { admincount: false }),
  },
];
