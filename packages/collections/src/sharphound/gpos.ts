/** Group policy objects. Rule: `docs/reference/collections.md#group-policies`. */
import type { DirectoryObject } from './directoryObject.ts';
import { directoryType } from './directoryType.ts';

export const gpos = directoryType({ type: 'gpos', kind: 'GPO', isContained: false, read: readStatus });

const STATUS = ['Enabled', 'User Configuration Disabled', 'Computer Configuration Disabled', 'Disabled'];

function readStatus({ properties }: DirectoryObject): void {
  const { gpostatus } = properties;
  if (gpostatus === undefined || gpostatus === null) return;
  const raw = String(gpostatus).trim();
  properties.gpostatusraw = raw;
  properties.gpostatus = (/^\d$/.test(raw) ? STATUS[Number(raw)] : undefined) ?? 'GPO Status does not exist';
}
