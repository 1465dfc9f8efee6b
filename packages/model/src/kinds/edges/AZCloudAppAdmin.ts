import type { EdgeDefinition } from '../edgeDefinition.ts';
import { AZAppAdmin } from './AZAppAdmin.ts';

export const AZCloudAppAdmin = { ...AZAppAdmin, id: 141 } as const satisfies EdgeDefinition;
