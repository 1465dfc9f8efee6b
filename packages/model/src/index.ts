export { ASPECTS, Aspect, type AspectName, type AspectTraits } from './aspects.ts';
export {
  ATTACK_EFFORTS,
  type AttackEffort,
  CUSTOM_KIND_EFFORT,
  EFFORT_BANDS,
  EFFORT_CLASSES,
  type EffortBand,
  type EffortTable,
  effortTable,
} from './attackEfforts.ts';
export { EdgeFlag } from './edgeFlags.ts';
export {
  EDGE_KINDS,
  EdgeKind,
  type EdgeKindName,
  type EdgeKindTraits,
  edgeKindById,
  edgeKindByName,
  LAST_EDGE_KIND,
  RETIRED_EDGE_KINDS,
  type TraversableKindName,
} from './edgeKinds.ts';
export { EDGE_CATEGORIES, EDGE_TEXTS, type EdgeCategory } from './edgeTexts.ts';
export { parseJson } from './exactJson.ts';
export {
  type EdgeFact,
  type EdgeSetFact,
  type MatchedEdgeFact,
  type NodeFact,
  type NodeMatcher,
  type ObjectFacts,
  OWNERLESS,
  type Properties,
  type PropertyValue,
  type ReadIssue,
} from './facts.ts';
export {
  displayKind,
  FIRST_CUSTOM_KIND,
  NODE_KINDS,
  NodeKind,
  type NodeKindName,
  type NodeKindTraits,
  nodeKindById,
  nodeKindByName,
  type Platform,
} from './nodeKinds.ts';
export {
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
  type RoleName,
  roleById,
  roleByName,
} from './permissions.ts';
export { RULES_MODES, type RulesMode } from './rulesMode.ts';
export { formatShare, shareOf } from './shares.ts';
export { UNREAD_PART_NAMES, UNREAD_PARTS, type UnreadPart, unreadSentence } from './unreadParts.ts';
export { type Criterion, DEFAULT_SELECTORS } from './zones/defaultSelectors.ts';
