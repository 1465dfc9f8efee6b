/** The header of a collection file: what `meta` says about the objects. */
export type CollectionFormat = 'sharphound' | 'azurehound' | 'opengraph';

export interface CollectionHeader {
  readonly format: CollectionFormat;
  /** `meta.type`; absent for OpenGraph. */
  readonly type?: string;
  /** `meta.version`; absent when the file does not say. */
  readonly version?: number;
  /** `meta.methods`, all 64 bits; absent when the file does not say. */
  readonly methods?: bigint;
  readonly collectorVersion?: string;
  /** `metadata.source_kind` of an OpenGraph file. */
  readonly sourceKind?: string;
  /** `metadata.case_sensitive_ids`: two ids that differ only in case are two objects; absent when the file does not say. */
  readonly keepsCase?: boolean;
  /** Unknown names in `metadata`, quoted; absent when all are known. */
  readonly unknownMembers?: readonly string[];
  /** The file is cut off before `meta`: the type is that of its name, and nothing else is known. */
  readonly assumed?: true;
}

export const OPENGRAPH_HEADER: CollectionHeader = { format: 'opengraph' };
