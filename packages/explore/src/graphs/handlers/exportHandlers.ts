/** The whole graph as a file. */
import type { OpenGraph } from '@clew/api';
import { dispositionOf, type Handlers, type JsonPieces, jsonStream, principalId } from '@clew/common';
import { queryDataOf } from '@clew/queries';
import type { Static } from 'typebox';
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
      const { source, slots } = services.exports;
      return slots.open(principalId(principal), () => {
        const pieces: JsonPieces<Static<typeof OpenGraph>> = exportPieces(source, generation, filter);
        return {
          status: 200 as const,
          mediaType: 'application/json',
          headers: { 'content-disposition': dispositionOf(`clew-graph-${generation.id}.json`) },
          stream: jsonStream(pieces),
        };
      });
    },
  };
}
