/** Desk, a ticket system: actions of agents start automations, which have rights elsewhere. */
import { blockId } from '../plan.ts';
import { gateUserId } from './gate.ts';
import { BOT } from './hub.ts';
import { nodeKind, relation, repair, step } from './members.ts';
import type { PayloadEdge, PayloadNode, Platform, PlatformPlan } from './platform.ts';
import { accountOf, personOfAgent } from './platform.ts';

const INSTANCE = 'DESK:AURORA';
const agentId = (agent: number): string => `desk:agent:${agent + 1}`;
const queueId = (queue: number): string => `desk:queue:${queue + 1}`;
const automationId = (queue: number): string => `desk:automation:${queue + 1}`;

function* nodes(plan: PlatformPlan): Generator<PayloadNode> {
  const environmentid = INSTANCE;
  yield {
    ...{ id: INSTANCE, kinds: ['Desk_Instance'] },
    properties: { name: 'AURORA DESK', environmentid, collected: true },
  };
  for (let agent = 0; agent < plan.agents; agent++)
    yield {
      ...{ id: agentId(agent), kinds: ['Desk_Agent'] },
      properties: { name: `${accountOf(plan, personOfAgent(plan, agent))} (desk)`, environmentid },
    };
  for (let queue = 0; queue < plan.queues; queue++) {
    yield {
      ...{ id: queueId(queue), kinds: ['Desk_Queue'] },
      properties: { name: `tickets of unit ${queue + 1}`, environmentid },
    };
    yield {
      ...{ id: automationId(queue), kinds: ['Desk_Automation'] },
      properties: { name: `automation of unit ${queue + 1}`, environmentid },
    };
  }
}

function* edges(plan: PlatformPlan): Generator<PayloadEdge> {
  const { agents, queues, domain } = plan;
  const edge = (start: string, kind: string, end: string): PayloadEdge => ({
    ...{ kind, start: { value: start }, end: { value: end } },
  });
  for (let agent = 0; agent < agents; agent++) {
    yield edge(gateUserId(personOfAgent(plan, agent)), 'Desk_SignsInAs', agentId(agent));
    yield edge(agentId(agent), 'Desk_Works', queueId(agent % queues));
    yield edge(agentId(agent), 'Desk_Reads', queueId((agent + 1) % queues));
  }
  yield edge(agentId(0), 'Desk_Administers', INSTANCE);
  for (let queue = 0; queue < queues; queue++) {
    yield edge(INSTANCE, 'Desk_Contains', queueId(queue));
    yield edge(queueId(queue), 'Desk_Triggers', automationId(queue));
    if (queue === 0) continue;
    const admin = blockId(domain, 'helpdeskAdmin', queue % domain.counts.helpdeskAdmin);
    yield {
      ...{ kind: 'Desk_ResetsPasswordOf', start: { value: automationId(queue) } },
      end: { value: admin, kind: 'User' },
    };
  }
  // A token that writes to the repository of a workflow is a flaw.
  if (!domain.hasFlaws) return;
  // Hub is a different source, whose payload may arrive later, so its account is identified by name.
  yield {
    ...{ kind: 'Desk_HoldsTokenOf', start: { value: automationId(0) } },
    end: { match_by: 'name', value: BOT, kind: 'Hub_User' },
  };
}

const definition = {
  schema: { name: 'desk', display_name: 'Desk', version: 'v1.0.0', namespace: 'Desk' },
  node_kinds: [
    nodeKind('Desk_Instance', 'Desk instance', 'headset', '#1f6feb'),
    nodeKind('Desk_Agent', 'Desk agent', 'user-pen', '#3fb950'),
    nodeKind('Desk_Queue', 'Desk queue', 'inbox', '#d29922'),
    nodeKind('Desk_Automation', 'Desk automation', 'robot', '#8957e5'),
  ],
  relationship_kinds: [
    step('Desk_SignsInAs', 'A user of the identity provider signs in as the agent.', 1, 'One sign-in'),
    step('Desk_Works', 'The agent changes tickets of the queue.', 0, 'Nothing to do'),
    step('Desk_Administers', 'The agent controls the instance.', 0, 'Nothing to do'),
    step('Desk_Contains', 'The instance has the queue.', 0, 'Nothing to do'),
    step('Desk_Triggers', 'Tickets of the queue start the automation.', 1, 'A ticket is written'),
    step(
      'Desk_ResetsPasswordOf',
      'The automation sets the password of the account.',
      2,
      'A ticket asks for it',
    ),
    step('Desk_HoldsTokenOf', 'The automation has a token of the account.', 2, 'It is in its settings'),
    relation('Desk_Reads', 'The agent reads tickets of the queue.'),
  ],
  environments: [
    { environment_kind: 'Desk_Instance', source_kind: 'DeskBase', principal_kinds: ['Desk_Agent'] },
  ],
  privilege_zone_rules: [
    {
      ...{ name: 'Desk instance', description: 'Its administrators control every automation' },
      ...{ zone: 'Tier Zero', enabled: true, allow_disable: true },
      cypher: 'MATCH (i:Desk_Instance) RETURN i',
    },
  ],
  repairs: [
    repair('Desk_Administers', 2, [
      'Remove {source} from the administrators of {target}',
      'Check that {target} has another administrator who can sign in. Then remove the role from {source} in the settings of {target}.',
      'The list of administrators no longer has {source}, and someone else on it can sign in.',
      '{source} can no longer change queues and automations of {target}.',
    ]),
    repair('Desk_HoldsTokenOf', 1, [
      'Revoke the token of {target} in {source}',
      'Revoke the token in the settings of {target}, and delete it from {source}.',
      'The automation gets an error when it uses the token.',
      'What the automation did with the token stops.',
    ]),
  ],
};

export const desk: Platform = {
  ...{ name: 'desk', definition, nodes, edges },
  metadata: { source_kind: 'DeskBase' },
};
