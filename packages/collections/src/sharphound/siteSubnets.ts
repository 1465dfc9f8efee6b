/** Subnets of sites: common members only; no other converter is known (unverified). */
import { directoryType } from './directoryType.ts';

export const siteSubnets = directoryType({ type: 'sitesubnets', kind: 'SiteSubnet' });
