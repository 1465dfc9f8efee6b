/** Sites, with the kinds and links of the collector; no other converter is known (unverified). */
import { directoryType } from './directoryType.ts';
import { readPolicyLinks } from './groupPolicy.ts';

export const sites = directoryType({ type: 'sites', kind: 'Site', read: readPolicyLinks });
