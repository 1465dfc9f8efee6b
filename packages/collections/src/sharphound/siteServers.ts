/** Servers of sites: common members only; no converter of the field is known (unverified). */
import { directoryType } from './directoryType.ts';

export const siteServers = directoryType({ type: 'siteservers', kind: 'SiteServer' });
