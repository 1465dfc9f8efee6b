/** The header of a collection file: its description of the objects. */
export type CollectionFormat = 'sharphound' | 'azurehound' | 'opengraph';

export interface CollectionHeader {
  readonly format: CollectionFormat;
  /** `meta.type`; absent for OpenGraph. */
  readonly type?: string;
  /** `meta.version`; absent if the file does not have it. */
  readonly version?: number;
  /** `meta.methods`, all 64 bits; absent if the file does not have it. */
  readonly methods?: bigint;
  readonly collectorVersion?: string;
  /** `metadata.source_kind` of an OpenGraph file. */
  readonly sourceKind?: string;
  /** `metadata.case_sensitive_ids`: ids that differ only in case identify different objects; absent if the file does not have it. */
  readonly keepsCase?: boolean;
  /** Unknown names in `metadata`, quoted; absent when all are known. */
  readonly unknownMembers?: readonly string[];
  /** The file is cut off before `meta`: the type comes from its name, and nothing else is known. */
  readonly assumed?: true;
}

export const OPENGRAPH_HEADER: CollectionHeader = { format: 'opengraph' };
