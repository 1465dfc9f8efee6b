/** Prints what to repair first and how many critical findings are open: `node examples/first-repairs.ts`. */
import { connect } from './connect.ts';

const clew = connect();

const plan = await clew.plan({ limit: 3 });
for (const environment of plan.before)
  console.log(
    `${environment.environment_name}: ${environment.exposed_count} of ${environment.principal_count} can reach Tier Zero`,
  );
for (const [at, card] of plan.cards.entries()) {
  console.log(`${at + 1}. ${card.title}: ${card.effect.text}`);
  for (const { title, fix } of card.packages) console.log(`   ${title}. ${fix}`);
}

let critical = 0;
for await (const _ of clew.entries('ListAttackPathFindings', { query: { severity: 'eq:critical' } }))
  critical++;
console.log(`${critical} critical findings are open`);
