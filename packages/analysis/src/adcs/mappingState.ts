/**
 * Determines how the domain controllers of a forest map certificates to accounts. One lenient controller in any domain of the forest is
 * enough; nothing is assumed unless the registry of a controller was collected.
 *
 * Rule: `docs/rules.md#certificate-services`.
 */
import { getOrMake, NodeSet } from '@clew/graph';
import type { AnalysisContext, Shared } from '../analysisContext.ts';
import { domains } from '../directory/domains.ts';

/** StrongCertificateBindingEnforcement: missing (compatibility), off, compatibility. 2 is full enforcement. */
const WEAK_BINDINGS: readonly number[] = [-1, 0, 1];

/** CertificateMappingMethods: UPN in the subject alternative name. A missing value (-1) does not count. */
const UPN_MAPPING = 0x4;

export class MappingState {
  readonly #context: AnalysisContext;
  readonly #controllers = new Map<number, NodeSet>();

  constructor(context: AnalysisContext) {
    this.#context = context;
  }

  /** @returns domain controllers of the domain's forest that do not enforce strong certificate binding */
  weakBindingControllers(domain: number): NodeSet {
    return this.#controllersOf(domain).filter((controller) => {
      const binding = this.#context.properties.number('strongcertificatebindingenforcementraw', controller);
      return binding !== undefined && WEAK_BINDINGS.includes(binding);
    });
  }

  /** @returns domain controllers of the domain's forest that map certificate UPNs over Schannel */
  upnMappingControllers(domain: number): NodeSet {
    return this.#controllersOf(domain).filter((controller) => {
      const methods = this.#context.properties.number('certificatemappingmethodsraw', controller);
      return methods !== undefined && methods !== -1 && (methods & UPN_MAPPING) !== 0;
    });
  }

  #controllersOf(domain: number): NodeSet {
    return getOrMake(this.#controllers, domain, () => {
      const controllerFor = this.#context.edges('DCFor');
      const forest = [...this.#context.use(domains).forestOf(domain)];
      return NodeSet.union(
        this.#context.graph.nodeCount,
        forest.map((member) => controllerFor.startsOf(member)),
      );
    });
  }
}

export const mappingState: Shared<MappingState> = {
  name: 'certificate mapping state',
  reads: {
    edges: ['DCFor'],
    nodeProperties: ['strongcertificatebindingenforcementraw', 'certificatemappingmethodsraw'],
    shared: [domains],
  },
  build: (context) => new MappingState(context),
};
