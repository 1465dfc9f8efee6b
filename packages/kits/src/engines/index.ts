/** The engines: the same files in every kit, so that an organization reviews and signs them once. */
import { ACCESS_LIST } from './accessList.ts';
import { ATTRIBUTE } from './attribute.ts';
import { CLOUD } from './cloud.ts';
import { LOCAL_GROUP } from './localGroup.ts';
import { MEMBER } from './member.ts';
import { MOVE } from './move.ts';
import { POLICY } from './policy.ts';
import { REGISTRY } from './registry.ts';

export const ENGINES = {
  AccessList: ACCESS_LIST,
  Attribute: ATTRIBUTE,
  Cloud: CLOUD,
  LocalGroup: LOCAL_GROUP,
  Member: MEMBER,
  Move: MOVE,
  Policy: POLICY,
  Registry: REGISTRY,
} as const;

export type EngineName = keyof typeof ENGINES;
