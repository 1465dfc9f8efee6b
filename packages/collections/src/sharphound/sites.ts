/** Sites. Kinds and links are those the collector writes; no converter of the field is known (unverified). */
import { directoryType } from './directoryType.ts';
import { readPolicyLinks } from './groupPolicy.ts';

export const sites = directoryType({ type: 'sites', kind: 'Site', read: readPolicyLinks });
