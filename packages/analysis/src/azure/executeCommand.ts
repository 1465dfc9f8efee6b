/**
 * AZExecuteCommand: Intune administrators run scripts on Windows devices. Rule:
 * `docs/rules.md#azexecutecommand`.
 */
import type { Rule } from '../rule.ts';
import { RoleTemplate } from './roleTemplates.ts';
import { membersOf, TENANTS } from './tenants.ts';

export const executeCommand: Rule = {
  name: 'AZExecuteCommand',
  produces: ['AZExecuteCommand'],
  reads: { shared: [TENANTS], nodeProperties: ['operatingsystem'] },
  derive: (context, edges) => {
    const windows = context.properties.nodesMatching(
      'operatingsystem',
      (value) => typeof value === 'string' && value.toLowerCase().includes('windows'),
    );
    for (const tenant of context.use(TENANTS)) {
      edges.addProduct(
        'AZExecuteCommand',
        membersOf(tenant, RoleTemplate.intuneAdministrator),
        tenant.devices.and(windows),
      );
    }
  },
};
