/** The seeds of a zone selector: the nodes selected by its criterion. */
import { encodeText, getOrMake, NodeSet, textEndsWith, textStartsWith } from '@clew/graph';
import { type Criterion, DEFAULT_SELECTORS, type EdgeKindName } from '@clew/model';
import type { AnalysisContext, Reads, Shared } from '../analysisContext.ts';
import { membership } from '../directory/membership.ts';

const CRITERIA: readonly Criterion[] = DEFAULT_SELECTORS.map(({ criterion }) => criterion);

/** Inputs of criteria about memberships. */
export const MEMBER_CRITERION_READS: Reads = {
  nodeProperties: CRITERIA.flatMap((one) => (one.by === 'member-of' ? [one.flag] : [])),
  shared: [membership],
};

/** Inputs of all other criteria, which are the majority, while most changes affect memberships. */
export const OTHER_CRITERION_READS: Reads = {
  edges: ['DCFor', 'ServerIs', ...CRITERIA.flatMap((one) => (one.by === 'edge-from' ? [one.edge] : []))],
  nodeProperties: ['distinguishedname', ...CRITERIA.flatMap((one) => (one.by === 'text' ? [one.key] : []))],
};

/** Memo of the nodes selected by each criterion. */
const selectedByMembership: Shared<Map<Criterion, NodeSet>> = {
  name: 'criteria of zones that ask for members',
  reads: MEMBER_CRITERION_READS,
  build: () => new Map(),
};
const selectedOtherwise: Shared<Map<Criterion, NodeSet>> = {
  name: 'other criteria of zones',
  reads: OTHER_CRITERION_READS,
  build: () => new Map(),
};

export function selectNodes(context: AnalysisContext, criterion: Criterion): NodeSet {
  const selected = criterion.by === 'member-of' ? selectedByMembership : selectedOtherwise;
  const known = context.use(selected);
  return getOrMake(known, criterion, () =>
    select(context.readingFor(selected.name, selected.reads), criterion),
  );
}

function select(context: AnalysisContext, criterion: Criterion): NodeSet {
  const nodes = context.nodesOf(criterion.kind);
  const { objectIds, names } = context.graph;
  switch (criterion.by) {
    case 'kind':
      return nodes;
    case 'id-suffix': {
      const suffix = encodeText(criterion.suffix);
      return nodes.filter((node) => textEndsWith(objectIds, node, suffix));
    }
    case 'id-prefix': {
      const prefix = encodeText(criterion.prefix);
      return nodes.filter((node) => textStartsWith(objectIds, node, prefix));
    }
    case 'name-prefix': {
      const prefix = encodeText(criterion.prefix);
      return nodes.filter((node) => textStartsWith(names, node, prefix));
    }
    case 'dn-prefix':
      return nodes.and(
        context.properties.nodesMatching(
          'distinguishedname',
          (value) => typeof value === 'string' && value.startsWith(criterion.prefix),
        ),
      );
    case 'text':
      return nodes.and(
        context.properties.nodesMatching(
          criterion.key,
          (value) => typeof value === 'string' && value.toUpperCase() === criterion.value,
        ),
      );
    case 'member-of': {
      const suffix = encodeText(criterion.suffix);
      const groups = context.nodesOf('Group').filter((node) => textEndsWith(objectIds, node, suffix));
      const flagged = context.properties.nodesWhere(criterion.flag, true);
      return context.use(membership).expand(groups).or(flagged).and(nodes);
    }
    case 'edge-from':
      return startsOf(context, criterion.edge, context.nodesOf(criterion.endKind)).and(nodes);
    case 'server-of-controller': {
      const controllers = startsOf(context, 'DCFor', context.nodesOf('Domain')).and(
        context.nodesOf('Computer'),
      );
      return nodes.filter((server) => context.edges('ServerIs').startsOf(server).intersects(controllers));
    }
  }
}

function startsOf(context: AnalysisContext, edge: EdgeKindName, ends: NodeSet): NodeSet {
  const starts: number[] = [];
  context.edges(edge).forEach((start, _kind, end) => {
    if (ends.has(end)) starts.push(start);
  });
  return NodeSet.of(context.graph.nodeCount, starts);
}
