/** Assistants that the user let read by single sign-on, and the end of each. */
import type { AnswerOf } from '@clew/api';
import { Answer } from '../../parts/Answer.tsx';
import { Name } from '../../parts/Name.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { call } from '../../service/client.ts';
import { describeError, useAnswer, useChange } from '../../service/queries.ts';
import type { Self } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { formatAge, formatMoment } from '../../text/formats.ts';

type Assistant = AnswerOf<'ListUserAssistants'>['data']['assistants'][number];

export function Assistants({ self }: { readonly self: Self }) {
  const params = { user_id: self.user.id };
  const query = useAnswer('ListUserAssistants', { params });
  const end = useChange(
    (id: number) => call('EndUserAssistant', { params: { ...params, assistant_id: id } }),
    { touched: ['ListUserAssistants'] },
  );
  const columns: Column<Assistant>[] = [
    { title: 'Calls itself', cell: ({ client_name }) => <Name text={client_name} /> },
    { title: 'At', cell: ({ redirect_uri }) => <Name text={placeOf(redirect_uri)} /> },
    { title: 'Since', cell: ({ created_at }) => formatMoment(created_at) },
    {
      title: 'Last used',
      cell: ({ last_used_at }) => (last_used_at === null ? 'never' : formatAge(last_used_at)),
    },
    { title: 'Until', cell: ({ expires_at }) => formatMoment(expires_at) },
    {
      title: 'Actions',
      cell: ({ id, client_name }) => (
        <button type="button" onClick={() => end.mutate(id)}>
          End it<span className="unseen"> {cleanText(client_name)}</span>
        </button>
      ),
    },
  ];
  return (
    <section className="card">
      <h2>Assistants</h2>
      {end.isError && <p role="alert">{describeError(end.error).text}</p>}
      <Answer query={query} what="the assistants">
        {({ data }) =>
          data.assistants.length === 0 ? (
            <p className="quiet">No assistant signed in by browser reads for you.</p>
          ) : (
            <Table caption="Assistants" columns={columns} rows={data.assistants} keyOf={({ id }) => id} />
          )
        }
      </Answer>
    </section>
  );
}

/** The host, or the program's own scheme. */
function placeOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? address : url.host || url.protocol;
}
