/**
 * A generated forest for benchmarks: accounts, nested groups, access lists and local groups in the proportions of
 * large directories (about ten edges per object), and certificate services with many CAs, templates and lists of
 * enrollers. Every rule of Active Directory finds something in it.
 */
import { EdgeProperties, GraphBuilder, type JsonObject, NodeProperties } from '@clew/graph';
import { newRandom } from '@clew/graph/testing';
import { EdgeFlag, EdgeKind, type EdgeKindName, NodeKind, type NodeKindName } from '@clew/model';
import type { AnalysisInput } from '../src/index.ts';

export const SIZES = { small: 100_000, large: 1_000_000 } as const;

const DOMAINS = 4;
const CAS = 24;
const TEMPLATES = 240;

interface NewNode {
  readonly id: string;
  readonly kind: NodeKindName;
  readonly props: JsonObject;
}

export interface DirectoryWorld extends Omit<AnalysisInput, 'options'> {
  /** @returns number of a node by its object id. */
  node(id: string): number;
  readonly domains: readonly string[];
  readonly cas: number;
}

export function directoryWorld(scale: keyof typeof SIZES): DirectoryWorld {
  const world = new WorldBuilder(SIZES[scale]);
  world.addDomains();
  world.addPrincipals();
  world.addCertificateServices();
  return world.build();
}

class WorldBuilder {
  readonly #random = newRandom(1);
  readonly #nodes: NewNode[] = [];
  readonly #facts: { start: string; kind: number; end: string; flags: number }[] = [];
  readonly #size: number;
  readonly #groups: string[] = [];
  readonly #domains = Array.from({ length: DOMAINS }, (_, at) => `S-1-5-21-${at + 1}`);

  constructor(size: number) {
    this.#size = size;
  }

  addDomains(): void {
    for (const [at, sid] of this.#domains.entries()) {
      const fqdn = `D${at + 1}.CORP`;
      this.#node(sid, 'Domain', { domainsid: sid, collected: true, name: fqdn, functionallevel: '2016' });
      for (const suffix of ['513', '515', '512', '519', '525', '527']) this.#group(sid, `${sid}-${suffix}`);
      for (const suffix of ['S-1-5-11', 'S-1-1-0', 'S-1-5-32-544']) this.#group(sid, `${fqdn}-${suffix}`);
      this.#fact(`${sid}-513`, 'MemberOf', `${fqdn}-S-1-5-11`);
      this.#fact(`${sid}-515`, 'MemberOf', `${fqdn}-S-1-5-11`);
      this.#fact(`${fqdn}-S-1-5-11`, 'MemberOf', `${fqdn}-S-1-1-0`);
      for (const right of ['GetChanges', 'GetChangesAll', 'GetChangesInFilteredSet'] as const) {
        this.#fact(`${fqdn}-S-1-5-32-544`, right, sid);
      }
      // The last domain is a forest of its own.
      if (at > 0 && at < DOMAINS - 1) this.#fact(sid, 'SameForestTrust', this.#domains[0]);
      if (at > 0 && at < DOMAINS - 1) this.#fact(this.#domains[0], 'SameForestTrust', sid);
    }
  }

  addPrincipals(): void {
    const count = Math.floor((this.#size * 0.94) / DOMAINS);
    for (const [at, sid] of this.#domains.entries()) {
      const groups = Array.from({ length: Math.floor(count * 0.12) }, (_, n) => `${sid}-G${n}`);
      for (const [n, group] of groups.entries()) {
        this.#group(sid, group);
        this.#groups.push(group);
        // Nested toward lower numbers, with a circle here and there.
        if (n > 0) this.#fact(group, 'MemberOf', groups[Math.floor(this.#random() * n)]);
        if (n % 500 === 1) this.#fact(groups[Math.floor(n / 2)], 'MemberOf', group);
        this.#access(at, group);
      }
      for (let n = 0; n < count * 0.55; n++) this.#account(at, `${sid}-U${n}`, 'User', groups);
      for (let n = 0; n < count * 0.3; n++) this.#computer(at, `${sid}-C${n}`, n, groups);
    }
  }

  addCertificateServices(): void {
    const [root] = this.#domains;
    this.#node('R', 'RootCA', { certthumbprint: 'R', certchain: ['R'] });
    this.#node('N', 'NTAuthStore', {
      certthumbprints: Array.from({ length: CAS }, (_, at) => `CA${at}`),
    });
    for (const sid of this.#domains.slice(0, 2)) this.#fact('R', 'RootCAFor', sid);
    for (const sid of this.#domains.slice(0, 2)) this.#fact('N', 'NTAuthStoreFor', sid);
    for (let at = 0; at < CAS; at++) {
      const ca = `CA${at}`;
      const certificate = { certthumbprint: ca, certchain: [ca, 'R'], domainsid: root };
      const registry = {
        ...{ isuserspecifiessanenabledcollected: true, isuserspecifiessanenabled: at % 3 === 0 },
        ...{ hasvulnerableendpoint: at % 4 === 0 },
      };
      this.#node(ca, 'EnterpriseCA', { ...certificate, ...registry });
      this.#fact(`${root}-C${at}`, 'HostsCAService', ca);
      if (at % 2 === 0) this.#fact('D1.CORP-S-1-5-11', 'Enroll', ca);
      else for (const group of this.#someGroups(6)) this.#fact(group, 'Enroll', ca);
    }
    for (let at = 0; at < TEMPLATES; at++) this.#template(at);
  }

  build(): DirectoryWorld {
    this.#nodes.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const builder = new GraphBuilder();
    const numbers = new Map<string, number>();
    const properties = new NodeProperties(this.#nodes.length);
    for (const [at, { id, kind, props }] of this.#nodes.entries()) {
      numbers.set(id, at);
      builder.addNode({ storeId: at, objectId: id, kinds: [NodeKind.Base, NodeKind[kind]] });
      properties.setAll(at, props);
    }
    const node = (id: string): number => {
      const number = numbers.get(id);
      if (number === undefined) throw new Error(`the world has no ${id}`);
      return number;
    };
    for (const { start, kind, end, flags } of this.#facts) {
      builder.addEdge(node(start), kind, node(end), flags);
    }
    const edgeProperties = new EdgeProperties();
    return { graph: builder.build(), properties, edgeProperties, node, domains: this.#domains, cas: CAS };
  }

  #account(
    domain: number,
    id: string,
    kind: NodeKindName,
    groups: readonly string[],
    props?: JsonObject,
  ): void {
    const sid = this.#domains[domain];
    this.#node(id, kind, { domainsid: sid, enabled: true, ...props });
    this.#fact(id, 'MemberOf', `${sid}-${kind === 'User' ? 513 : 515}`);
    // Low numbers are popular.
    for (let n = 0; n < 3; n++) {
      this.#fact(id, 'MemberOf', groups[Math.floor(this.#random() ** 3 * groups.length)]);
    }
    this.#access(domain, id);
  }

  #computer(domain: number, id: string, n: number, groups: readonly string[]): void {
    const registry: JsonObject =
      n < 8
        ? { isdc: true, certificatemappingmethodsraw: 31, strongcertificatebindingenforcementraw: 1 }
        : {};
    this.#account(domain, id, 'Computer', groups, {
      ...registry,
      ...{ haslaps: n % 2 === 0, restrictoutboundntlm: n % 5 === 0, smbsigning: n % 3 === 0 },
    });
    if (n < 8) this.#fact(id, 'DCFor', this.#domains[domain]);
    if (n % 5 !== 0) return;
    const local = `${id}-544`;
    this.#node(local, 'ADLocalGroup', {});
    this.#fact(local, 'LocalToComputer', id);
    for (const group of this.#someGroups(2)) this.#fact(group, 'MemberOfLocalGroup', local);
  }

  /** Entries that nearly every object inherits, an owner, and a delegation now and then. */
  #access(domain: number, id: string): void {
    const sid = this.#domains[domain];
    const acl = EdgeFlag.Acl | EdgeFlag.HasAcl;
    this.#fact(`${sid}-512`, 'OwnsRaw', id, acl);
    this.#fact(`${sid}-512`, 'GenericAll', id, acl | EdgeFlag.Inherited);
    this.#fact(`${sid}-519`, 'GenericAll', id, acl | EdgeFlag.Inherited);
    this.#fact(`D${domain + 1}.CORP-S-1-5-32-544`, 'WriteDacl', id, acl | EdgeFlag.Inherited);
    this.#fact(`D${domain + 1}.CORP-S-1-5-32-544`, 'WriteOwnerRaw', id, acl | EdgeFlag.Inherited);
    this.#fact(`${sid}-527`, 'AddKeyCredentialLink', id, acl | EdgeFlag.Inherited);
    if (this.#groups.length > 0 && this.#random() < 0.3) {
      this.#fact(this.#someGroups(1)[0], 'GenericWrite', id, acl);
    }
  }

  #template(at: number): void {
    const [root] = this.#domains;
    const template = `T${at}`;
    const agent = at % 10 === 0;
    this.#node(template, 'CertTemplate', {
      ...{ domainsid: root, schemaversion: at % 4 === 0 ? 1 : 2, requiresmanagerapproval: at % 7 === 0 },
      ...{ authorizedsignatures: at % 6 === 0 ? 1 : 0, authenticationenabled: true },
      ...{ schannelauthenticationenabled: true, enrolleesuppliessubject: at % 5 === 0 },
      ...{ nosecurityextension: at % 3 === 0, subjectaltrequireupn: at % 2 === 0 },
      ...{
        subjectaltrequirespn: false,
        subjectaltrequiredns: at % 2 === 1,
        subjectaltrequiredomaindns: false,
      },
      effectiveekus: [agent ? '1.3.6.1.4.1.311.20.2.1' : '1.3.6.1.5.5.7.3.2'],
      applicationpolicies: at % 6 === 0 ? ['1.3.6.1.4.1.311.20.2.1'] : [],
    });
    for (let n = 0; n < 4; n++) this.#fact(template, 'PublishedTo', `CA${(at * 7 + n * 5) % CAS}`);
    for (const group of this.#someGroups(2 + (at % 5))) this.#fact(group, 'Enroll', template);
    if (at % 3 === 0) this.#fact(`${root}-513`, 'Enroll', template);
    if (at % 4 === 0) this.#fact(`${root}-515`, 'Enroll', template);
    for (const group of this.#someGroups(2)) this.#fact(group, 'WriteDacl', template);
    for (const group of this.#someGroups(2)) this.#fact(group, 'GenericWrite', template);
  }

  #someGroups(count: number): string[] {
    return Array.from({ length: count }, () => {
      // Squared: the popular, and so the large, groups hold rights more often.
      return this.#groups[Math.floor(this.#random() ** 2 * this.#groups.length)];
    });
  }

  #group(sid: string, id: string): void {
    this.#node(id, 'Group', { domainsid: sid });
  }

  #node(id: string, kind: NodeKindName, props: JsonObject): void {
    this.#nodes.push({ id, kind, props });
  }

  #fact(start: string, kind: EdgeKindName, end: string, flags = 0): void {
    this.#facts.push({ start, kind: EdgeKind[kind], end, flags });
  }
}
