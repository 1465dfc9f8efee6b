/** The definition in the file of an edge kind. Kinds of extensions have the same members, as data. */
import type { EdgeCategory } from './edgeCategories.ts';
import type { StepEffort } from './effortClasses.ts';
import type { Platform } from './nodeDefinition.ts';

/** `collected`: from a file; `derived`: from analysis only; `both`: from either. */
export type EdgeOrigin = 'collected' | 'derived' | 'both';

export type EdgeTrait = 'traversable' | 'acl' | 'azureControl' | 'azureExecution' | 'experimental';

/** Displayed texts, one sentence each. */
export interface EdgeText {
  readonly category: EdgeCategory;
  /** Follows the name of the source: "... is a member of". */
  readonly phrase: string;
  readonly meaning: string;
  readonly removal: string;
}

interface CommonMembers extends EdgeText {
  /** Number in the store and in graph columns. Never renumber: it is persisted. */
  readonly id: number;
  readonly platform: Platform;
  readonly origin: EdgeOrigin;
}

interface TraversableEdge extends CommonMembers {
  readonly traits: readonly ['traversable', ...Exclude<EdgeTrait, 'traversable'>[]];
  /** Attack effort of one step over such an edge, and its reason. */
  readonly effort: StepEffort;
}

interface OtherEdge extends CommonMembers {
  readonly traits: readonly Exclude<EdgeTrait, 'traversable'>[];
  readonly effort?: undefined;
}

export type EdgeDefinition = TraversableEdge | OtherEdge;

/**
 * Markdown as lines. An empty line separates paragraphs, a line that begins with `- ` begins a list item, and every other line continues
 * the previous one.
 */
export type Lines = string | readonly string[];

/** The section of `docs/rules.md` on a derived kind; `npm run docs` writes it. */
export interface RuleText {
  /** The condition under which the edge exists. */
  readonly when: Lines;
  /** Source of the rule, unless its chapter gives one for all rules. */
  readonly source?: Lines;
  /** Describes how a defender removes it. */
  readonly removedBy: Lines;
}
