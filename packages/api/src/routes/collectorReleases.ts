/** Releases of collectors to download. */
import Type from 'typebox';
import {
  CollectorManifest,
  KennelEnterpriseManifest,
  KennelManifest,
  PublishedCollectorName,
} from '../schemas/collectors.ts';
import { dataOf } from '../schemas/common.ts';
import { defineRoutes } from './defineRoutes.ts';

const CollectorPath = Type.Object({ collector_type: PublishedCollectorName });
const ReleasePath = Type.Object({
  collector_type: PublishedCollectorName,
  release_tag: Type.String({ description: 'A version, or `latest`' }),
});

export const collectorReleaseRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/collectors/{collector_type}',
    operationId: 'GetCollectorManifest',
    tag: 'Collectors',
    summary: 'Versions of a collector that can be downloaded',
    access: 'any',
    rateClass: 'exempt',
    params: CollectorPath,
    responses: { 200: dataOf(CollectorManifest) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/collectors/{collector_type}/{release_tag}',
    operationId: 'DownloadCollector',
    tag: 'Collectors',
    summary: 'Download a collector',
    access: 'any',
    rateClass: 'exempt',
    params: ReleasePath,
    responses: { 200: null },
    errors: [404],
    otherMediaTypes: ['application/zip'],
  },
  {
    method: 'GET',
    path: '/api/v2/collectors/{collector_type}/{release_tag}/checksum',
    operationId: 'GetCollectorChecksum',
    tag: 'Collectors',
    summary: 'The SHA-256 of a collector, with its file name',
    access: 'any',
    rateClass: 'exempt',
    params: ReleasePath,
    responses: { 200: null },
    errors: [404],
    otherMediaTypes: ['text/plain'],
  },
  {
    method: 'GET',
    path: '/api/v2/kennel/manifest',
    operationId: 'GetKennelManifest',
    tag: 'Collectors',
    summary: 'All collectors that can be downloaded',
    access: 'any',
    editions: ['enterprise'],
    rateClass: 'exempt',
    responses: { 200: dataOf(KennelManifest) },
  },
  {
    method: 'GET',
    path: '/api/v2/kennel/enterprise-manifest',
    operationId: 'GetKennelEnterpriseManifest',
    tag: 'Collectors',
    summary: 'All enterprise collectors that can be downloaded',
    access: 'any',
    editions: ['enterprise'],
    rateClass: 'exempt',
    responses: { 200: dataOf(KennelEnterpriseManifest) },
  },
  {
    method: 'GET',
    path: '/api/v2/kennel/download/{asset_name}',
    operationId: 'GetKennelAsset',
    tag: 'Collectors',
    summary: 'Download a collector by its file name',
    access: 'any',
    editions: ['enterprise'],
    rateClass: 'exempt',
    params: Type.Object({ asset_name: Type.String({ description: 'Name as in a manifest' }) }),
    responses: { 200: null },
    otherMediaTypes: ['application/octet-stream'],
  },
]);
