/**
 * Owns and WriteOwner: owners, and principals that may become owner, if ownership implies rights. A forest that enforces
 * BlockOwnerImplicitRights removes these from ordinary owners of computer objects.
 *
 * Rule: `docs/rules.md#owns`. Runs before the certificate rules, which read its edges.
 */
import { encodeText, NO_NODE, type NodeSet, textEndsWith } from '@clew/graph';
import { EdgeFlag, EdgeKind, type EdgeKindName } from '@clew/model';
import type { AnalysisContext, Reads } from '../analysisContext.ts';
import { CompositionBuilder } from '../composition.ts';
import type { EdgeSink } from '../derivedEdges.ts';
import { domains } from '../directory/domains.ts';
import { membership } from '../directory/membership.ts';
import type { Rule } from '../rule.ts';

/** Position of BlockOwnerImplicitRights in dSHeuristics. */
const BLOCK_OWNER_IMPLICIT_RIGHTS = 28;
const ADMINISTRATIVE_GROUPS = ['-512', '-519'].map(encodeText);

/** Inputs if no forest blocks implicit owner rights. */
const UNBLOCKED_READS: Reads = {
  edges: ['OwnsRaw', 'WriteOwnerRaw'],
  nodeProperties: ['dsheuristics', 'domainsid', 'gmsa', 'msa'],
  edgeProperties: { OwnsRaw: ['inheritancehash'], WriteOwnerRaw: ['inheritancehash'] },
  shared: [domains],
};
const READS: Reads = { ...UNBLOCKED_READS, shared: [domains, membership] };

export const ownership: Rule = {
  name: 'ownership',
  produces: ['Owns', 'WriteOwner'],
  reads: READS,
  readsWith: (context) => (restrictedTargets(context).isEmpty ? UNBLOCKED_READS : READS),
  derive: (context, edges) => {
    const exempt = restrictedTargets(context);
    const admins = exempt.isEmpty ? context.emptySet() : administrators(context);
    convert(context, edges, 'OwnsRaw', 'Owns', (owner, target) => !exempt.has(target) || admins.has(owner));
    convert(context, edges, 'WriteOwnerRaw', 'WriteOwner', (_writer, target) => !exempt.has(target));
  },
  compose: (_context, { start, kind, end }) => {
    const builder = new CompositionBuilder();
    builder.addEdge(start, kind === EdgeKind.Owns ? EdgeKind.OwnsRaw : EdgeKind.WriteOwnerRaw, end);
    return builder.build();
  },
};

function convert(
  context: AnalysisContext,
  edges: EdgeSink,
  raw: EdgeKindName,
  kind: EdgeKindName,
  holds: (start: number, end: number) => boolean,
): void {
  const base = context.nodesOf('Base');
  context.edges(raw).forEach((start, rawKind, end, flags) => {
    if (!base.has(start) || !holds(start, end)) return;
    const hash = context.edgeProperties.get(start, rawKind, end)?.inheritancehash;
    const inherited = flags & EdgeFlag.Inherited;
    edges.add(
      kind,
      start,
      end,
      EdgeFlag.Acl | EdgeFlag.HasAcl | inherited,
      typeof hash === 'string' && hash !== '' ? { inheritancehash: hash } : undefined,
    );
  });
}

/** Computers and managed service accounts of domains that enforce BlockOwnerImplicitRights. */
function restrictedTargets(context: AnalysisContext): NodeSet {
  const enforcing = context
    .use(domains)
    .nodes.filter(
      (domain) =>
        context.properties.text('dsheuristics', domain)?.[BLOCK_OWNER_IMPLICIT_RIGHTS] === '1' &&
        context.properties.text('domainsid', domain) !== undefined,
    );
  if (enforcing.isEmpty) return context.emptySet();
  return context
    .nodesOf('Computer')
    .or(context.properties.nodesWhere('gmsa', true))
    .or(context.properties.nodesWhere('msa', true))
    .filter((node) => {
      const domain = context.use(domains).of(node);
      return domain !== NO_NODE && enforcing.has(domain);
    });
}

/** Direct and indirect members of Domain Admins and Enterprise Admins of any domain. */
function administrators(context: AnalysisContext): NodeSet {
  const { objectIds } = context.graph;
  const groups = context
    .nodesOf('Base')
    .filter((node) => ADMINISTRATIVE_GROUPS.some((ending) => textEndsWith(objectIds, node, ending)));
  return context.use(membership).expand(groups);
}
