/** Servers of sites: common members only; no other converter is known (unverified). */
import { directoryType } from './directoryType.ts';

export const siteServers = directoryType({ type: 'siteservers', kind: 'SiteServer' });
