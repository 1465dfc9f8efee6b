/** Addresses of pages of the web interface, for links in answers. */
import type { ClewClient } from '@clew/client';

/** A page by the thing that it shows. */
export const pages = (client: ClewClient) => {
  const page = (path: string): string => `${client.transport.url}/ui/${path}`;
  return {
    fix: page('fix'),
    changes: page('changes'),
    data: page('data'),
    card: (number: number) => page(`fix/${number}`),
    finding: (id: number) => page(`finding/${id}`),
    report: (id: number) => page(`reports/${id}`),
    object: (id: string) => page(`explore?${new URLSearchParams({ object: id, selected: id })}`),
  };
};
