/** AZExecuteCommand: Intune administrators can run scripts on Windows devices. Rule: `docs/rules.md#azexecutecommand`. */
import type { NodeSet } from '@clew/graph';
import type { AnalysisContext } from '../analysisContext.ts';
import type { Rule } from '../rule.ts';
import { RoleTemplate } from './roleTemplates.ts';
import { holdingsOf, membersOf, TENANTS } from './tenants.ts';

export const executeCommand: Rule = {
  name: 'AZExecuteCommand',
  produces: ['AZExecuteCommand'],
  reads: { shared: [TENANTS], nodeProperties: ['operatingsystem'] },
  derive: (context, edges) => {
    const windows = windowsOf(context);
    for (const tenant of context.use(TENANTS)) {
      edges.addProduct(
        'AZExecuteCommand',
        membersOf(tenant, RoleTemplate.intuneAdministrator),
        tenant.devices.and(windows),
      );
    }
  },
  *ways(context) {
    const windows = windowsOf(context);
    for (const tenant of context.use(TENANTS)) {
      const ends = [...tenant.devices.and(windows)];
      for (const { holder, needs } of holdingsOf(tenant, RoleTemplate.intuneAdministrator))
        yield { kind: 'AZExecuteCommand', starts: [holder], ends, needs };
    }
  },
};

const windowsOf = ({ properties }: AnalysisContext): NodeSet =>
  properties.nodesMatching(
    'operatingsystem',
    (value) => typeof value === 'string' && value.toLowerCase().includes('windows'),
  );
