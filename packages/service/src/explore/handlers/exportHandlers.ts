/** The whole graph as a file. */
import { queryDataOf } from '@clew/queries';
import type { Handlers } from '../../operation/handler.ts';
import { jsonStream } from '../../operation/jsonStream.ts';
import { exportFilter } from '../export/exportFilter.ts';
import { exportPieces } from '../export/exportGraph.ts';
import type { QueryServices } from '../queryServices.ts';
import { visibilityOf } from '../visibility.ts';

export function exportHandlers(services: QueryServices): Handlers<'ExportGraph'> {
  return {
    async ExportGraph({ rawQuery }, { principal }) {
      const generation = services.generations.current();
      const filter = exportFilter(
        generation,
        visibilityOf(queryDataOf(generation), principal),
        rawQuery.getAll('environment'),
        rawQuery.getAll('kind'),
      );
      return {
        status: 200,
        mediaType: 'application/json',
        headers: { 'Content-Disposition': `attachment; filename="clew-graph-${generation.id}.json"` },
        stream: jsonStream(exportPieces(services.database, generation, filter)),
      };
    },
  };
}
