/**
 * Schema extensions: what the kinds of nodes and edges come from. The two directories are built in. Kinds of uploads
 * need no schema, and belong to none.
 */
import type { Extension } from '@clew/api';
import type { Platform } from '@clew/model';

/** Of the kinds and their meaning, not of the service. */
const SCHEMA_VERSION = 'v1.0.0';

type BuiltIn = NonNullable<Extension>;

const BUILT_IN: Readonly<Record<Platform, BuiltIn>> = {
  ad: {
    extension_id: 1,
    name: 'AD',
    display_name: 'Active Directory',
    namespace: 'AD',
    version: SCHEMA_VERSION,
  },
  azure: { extension_id: 2, name: 'AZ', display_name: 'Azure', namespace: 'AZ', version: SCHEMA_VERSION },
};

export const BUILT_IN_EXTENSIONS: readonly BuiltIn[] = Object.values(BUILT_IN);

/** @param platform of a built-in kind; kinds of uploads have none */
export function extensionOf(platform: Platform | undefined): Extension {
  return platform === undefined ? null : BUILT_IN[platform];
}
