export { ASPECTS, Aspect, type AspectName, type AspectTraits } from './aspects.ts';
export {
  ATTACK_EFFORTS,
  CUSTOM_KIND_EFFORT,
  EFFORT_BANDS,
  type EffortBand,
  type EffortTable,
  effortTable,
  effortWords,
  stepEffortWords,
} from './attackEfforts.ts';
export {
  COLLECTOR_FIELDS,
  COLLECTORS,
  type CollectorField,
  DOMAIN_FIELDS,
  isLeftOut,
  type NotSaid,
  notSaidSentence,
  notSaidSummary,
  type Said,
  TENANT_COLLECTOR,
  TENANT_FIELDS,
} from './collectorFields.ts';
export { COST_SUM_UNIT, COST_UNIT, costLevel, costText, costWords, MAX_COST_LEVEL } from './costs.ts';
export { counted, countedBe, numberText, principalsText } from './counted.ts';
export { decisionsSentence } from './decisions.ts';
export { EdgeFlag, UNANIMOUS_FLAGS } from './edgeFlags.ts';
export {
  EDGE_DEFINITIONS,
  EDGE_KINDS,
  EdgeKind,
  type EdgeKindName,
  type EdgeKindTraits,
  edgeKindById,
  edgeKindByName,
  edgeText,
  LAST_EDGE_KIND,
  phrasesText,
  RETIRED_EDGE_KINDS,
  type TraversableKindName,
} from './edgeKinds.ts';
export { endAfter } from './endAfter.ts';
export { parseJson } from './exactJson.ts';
export { exposureBase } from './exposureBase.ts';
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
export { hiddenFall } from './hiddenFall.ts';
export { jsonFault } from './jsonFault.ts';
export { EDGE_CATEGORIES, type EdgeCategory } from './kinds/edgeCategories.ts';
export type { EdgeDefinition, EdgeText, RuleText } from './kinds/edgeDefinition.ts';
export { type AttackEffort, EFFORT_CLASSES } from './kinds/effortClasses.ts';
export type {
  NodeAppearance,
  NodeClass,
  NodeDefinition,
  NodeLook,
  NodeShape,
  Platform,
} from './kinds/nodeDefinition.ts';
export { kindTitle, kindWords } from './kindWords.ts';
export { type MentionRange, mentionsIn } from './mentions.ts';
export { minuteText } from './minuteText.ts';
export { likelyName, nearestNames } from './nearestNames.ts';
export {
  displayKind,
  FIRST_CUSTOM_KIND,
  NODE_DEFINITIONS,
  NODE_KINDS,
  type NodeIconName,
  NodeKind,
  type NodeKindName,
  type NodeKindTraits,
  nodeKindById,
  nodeKindByName,
} from './nodeKinds.ts';
export { othersReachText } from './othersReach.ts';
export {
  PERMISSIONS,
  type Permission,
  ROLES,
  type Role,
  type RoleName,
  roleById,
  roleByName,
} from './permissions.ts';
export { DEFAULT_GOAL } from './planGoal.ts';
export { PROPERTY_NAMES } from './propertyNames.ts';
export { reachSentence } from './reachSentence.ts';
export { type EnvironmentFall, exposureSentence, fallSentence, removedBy } from './relationshipFalls.ts';
export { propertyWords, type RepairedProperty } from './repairedProperties.ts';
export { RULES_MODES, type RulesMode } from './rulesMode.ts';
export { formatShare, shareOf } from './shares.ts';
export { type Technique, techniqueAddress, techniqueName } from './techniques.ts';
export { readTime, TIME_FORMS } from './times.ts';
export { UNREAD_PART_NAMES, UNREAD_PARTS, type UnreadPart, unreadSentence } from './unreadParts.ts';
export { escapedJson, replaceUnsafe } from './unsafeText.ts';
export {
  MAX_PATH_STEPS,
  MAX_SIMULATED,
  remainingText,
  simulatedCards,
  stepsOfPaths,
  type WatchedStep,
  watchedText,
} from './watchedPaths.ts';
export { type Criterion, DEFAULT_SELECTORS } from './zones/defaultSelectors.ts';
