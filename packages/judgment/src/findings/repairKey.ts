/** SQL expressions over columns of findings for the key of the change that repairs them. Rule: `docs/findings.md#order`. */

/**
 * Key of the changes that one person makes in one step: the work package of the plan that closes the finding; otherwise the one change that
 * closes several findings; otherwise the rights of one type that a principal holds, or one setting of the objects of an environment. Until
 * there is a plan, paths through certificate services into one domain share a key, because one template or setting closes most of them.
 */
export const repairKeyText = `case when plan_package is not null then 'repair ' || plan_card || ' ' || plan_package
  when plan_repair is not null then 'change ' || plan_repair
  when kind = 'list' then 'setting ' || finding || ' ' || environment_id
  when plan_open is null and finding like '%ADCSESC%' then 'certificates ' || finding || ' ' || environment_id
  else 'rights ' || finding || ' ' || source_id end`;

/** Key of similar findings in a list: same type, severity, zone and changes. A digest that reveals no names. */
export const similarKeyText = `md5(finding || ' ' || severity || ' ' || tag_id || ' ' || ${repairKeyText})`;
