/** The service about itself. */
import Type from 'typebox';
import { withDefault } from '../parameters.ts';
import { dataOf } from '../schemas/common.ts';
import { DatapipeStatus, Health, Readiness, Version } from '../schemas/service.ts';
import { defineRoutes } from './defineRoutes.ts';

export const serviceRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/version',
    operationId: 'GetApiVersion',
    tag: 'API Info',
    summary: 'Versions of the API and the server',
    access: 'any',
    responses: { 200: dataOf(Version) },
  },
  {
    method: 'GET',
    path: '/api/v2/spec',
    operationId: 'GetApiSpec',
    tag: 'API Info',
    summary: 'This description in OpenAPI 3.0: YAML, or JSON when `Accept` or `format` asks for it',
    access: 'none',
    query: Type.Object({
      format: Type.Optional(Type.Union([Type.Literal('yaml'), Type.Literal('json')])),
      openapi: withDefault(
        Type.Union([Type.Literal('3.0'), Type.Literal('3.1')], { description: 'Version of OpenAPI' }),
        '3.0',
      ),
    }),
    responses: { 200: Type.Record(Type.String(), Type.Unknown()) },
    otherMediaTypes: ['text/x-yaml'],
  },
  {
    method: 'GET',
    path: '/api/v2/datapipe/status',
    operationId: 'GetDatapipeStatus',
    tag: 'Datapipe',
    summary: 'What the data pipe is doing, and when the last analysis ran',
    access: 'any',
    responses: { 200: dataOf(DatapipeStatus) },
  },
  {
    method: 'GET',
    path: '/api/v2/analysis/status',
    operationId: 'GetAnalysisStatus',
    tag: 'Analysis',
    summary: 'What the data pipe is doing (older path)',
    access: 'any',
    responses: { 200: dataOf(DatapipeStatus) },
  },
  {
    method: 'GET',
    path: '/api/v2/dog-tags',
    operationId: 'GetDogTags',
    tag: 'Config',
    summary: 'Switches that interfaces ask for at their start: none are set',
    access: 'any',
    responses: { 200: dataOf(Type.Record(Type.String(), Type.Unknown())) },
  },
  {
    method: 'GET',
    path: '/health',
    aliases: ['/healthz'],
    operationId: 'GetHealth',
    tag: 'Health',
    summary: 'The process answers',
    access: 'none',
    rateClass: 'exempt',
    responses: { 200: Health },
  },
  {
    method: 'GET',
    path: '/readyz',
    operationId: 'GetReadiness',
    tag: 'Health',
    summary: 'The service can do its work: 503 while it cannot',
    access: 'none',
    rateClass: 'exempt',
    responses: { 200: Readiness },
    errors: [503],
  },
  {
    method: 'GET',
    path: '/metrics',
    operationId: 'GetMetrics',
    tag: 'Health',
    summary: 'Prometheus metrics; without credentials only for callers on the same machine',
    access: 'none',
    rateClass: 'exempt',
    responses: { 200: null },
    otherMediaTypes: ['text/plain; version=0.0.4; charset=utf-8'],
    errors: [401, 403],
  },
]);
