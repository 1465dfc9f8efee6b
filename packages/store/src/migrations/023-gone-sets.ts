/**
 * Which edge sets were deleted lately, noted by the database itself, so that a worker that knows the sets of before need
 * not compare all keys. Statements that delete very many note nothing: then keys are compared. Housekeeping forgets notes
 * after a day. How it is used: `service/src/build/known`.
 */
import type { Migration } from './migration.ts';

const MOST_NOTED = 100_000;

export const goneSetsMigration: Migration = {
  name: '023-gone-sets',
  sql: `
create table gone_edge_set (
  transaction xid8 not null default pg_current_xact_id(),
  owner_id integer not null,
  aspect smallint not null,
  source_id smallint not null,
  noted_at timestamptz not null default now()
);
create index gone_edge_set_transaction on gone_edge_set (transaction);

create function note_gone_edge_sets() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select 1 from gone limit ${MOST_NOTED + 1}) as first_few) <= ${MOST_NOTED} then
    insert into gone_edge_set (owner_id, aspect, source_id) select owner_id, aspect, source_id from gone;
  end if;
  return null;
end $$;

create trigger note_gone_edge_sets after delete on edge_set
referencing old table as gone for each statement execute function note_gone_edge_sets();`,
};
