/** Keys of findings that one change repairs, as SQL over columns of findings. Rule: `docs/findings.md#order`. */

/**
 * Key of the changes that one person makes in one step: the work package of the plan that closes it; else the one change that
 * closes several; else the rights of one type that a principal holds, or one setting of the objects of an environment. Until
 * there is a plan, paths over certificate services into one domain are one: one template or setting closes most of them.
 */
export const repairKeyText = `case when plan_package is not null then 'repair ' || plan_card || ' ' || plan_package
  when plan_repair is not null then 'change ' || plan_repair
  when kind = 'list' then 'setting ' || finding || ' ' || environment_id
  when plan_open is null and finding like '%ADCSESC%' then 'certificates ' || finding || ' ' || environment_id
  else 'rights ' || finding || ' ' || source_id end`;

/** Key of findings that are similar in a list: of one type, severity and zone, and repaired by the same changes. A digest: it names nothing. */
export const similarKeyText = `md5(finding || ' ' || severity || ' ' || tag_id || ' ' || ${repairKeyText})`;
