/** OpenGraph: how own kinds of nodes look, which sources, schema extensions and kinds of edges there are. */
import Type from 'typebox';
import { LIST_BODY_BYTES } from '../route.ts';
import { dataOf } from '../schemas/common.ts';
import {
  CustomNode,
  CustomNodeConfig,
  ExtensionDefinition,
  ExtensionRecord,
  ListedEdgeKind,
  SourceKind,
} from '../schemas/openGraph.ts';
import { defineRoutes } from './defineRoutes.ts';

const WRITE = ['graphdb/Write', 'opengraph/Write'] as const;
const TAG = 'Custom Node Management';

const KindName = Type.Object({ kind_name: Type.String({ description: 'Name of the kind' }) });

export const openGraphRoutes = defineRoutes([
  {
    method: 'GET',
    path: '/api/v2/graphs/source-kinds',
    aliases: ['/api/v2/graphs/source_kinds'],
    operationId: 'GetSourceKinds',
    tag: 'OpenGraph',
    summary: 'Kinds by which the sources of the graph are known; data of one can be deleted by its id',
    access: ['graphdb/Read'],
    responses: { 200: dataOf(Type.Object({ kinds: Type.Array(SourceKind) })) },
  },
  {
    method: 'GET',
    path: '/api/v2/extensions',
    operationId: 'ListExtensions',
    tag: 'OpenGraph',
    summary: 'Extensions: the built-in ones, and those that were installed',
    access: 'any',
    responses: { 200: dataOf(Type.Object({ extensions: Type.Array(ExtensionRecord) })) },
  },
  {
    method: 'PUT',
    path: '/api/v2/extensions',
    operationId: 'UpsertOpenGraphExtension',
    tag: 'OpenGraph',
    summary:
      'Install the definition of an extension, or replace the one of the same name: all of it or nothing',
    access: WRITE,
    bodyKind: 'json',
    maxBodyBytes: LIST_BODY_BYTES,
    body: ExtensionDefinition,
    responses: { 200: dataOf(ExtensionRecord), 201: dataOf(ExtensionRecord) },
  },
  {
    method: 'DELETE',
    path: '/api/v2/extensions/{extension_id}',
    operationId: 'DeleteExtension',
    tag: 'OpenGraph',
    summary: 'Remove an extension; its data stays, and has no meaning to paths and findings any more',
    access: WRITE,
    params: Type.Object({ extension_id: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) }),
    responses: { 204: null },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/extensions-edges',
    operationId: 'ListEdgeKinds',
    tag: 'OpenGraph',
    summary: 'All kinds of edges, and what they come from',
    access: 'any',
    query: Type.Object({
      schemas: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
      is_traversable: Type.Optional(Type.Boolean()),
    }),
    responses: { 200: dataOf(Type.Array(ListedEdgeKind)) },
  },
  {
    method: 'GET',
    path: '/api/v2/custom-nodes',
    operationId: 'GetCustomNodes',
    tag: TAG,
    summary: 'List how own kinds of nodes look',
    access: 'any',
    rateClass: 'wide',
    responses: { 200: dataOf(Type.Array(CustomNode)) },
  },
  {
    method: 'POST',
    path: '/api/v2/custom-nodes',
    operationId: 'CreateCustomNodes',
    tag: TAG,
    summary: 'Say how own kinds of nodes look; all of them or none',
    access: WRITE,
    rateClass: 'wide',
    bodyKind: 'json',
    maxBodyBytes: LIST_BODY_BYTES,
    body: Type.Object({
      custom_types: Type.Record(Type.String({ minLength: 1, maxLength: 256 }), CustomNodeConfig, {
        minProperties: 1,
      }),
    }),
    responses: { 201: dataOf(Type.Array(CustomNode)) },
    errors: [409],
  },
  {
    method: 'GET',
    path: '/api/v2/custom-nodes/{kind_name}',
    operationId: 'GetCustomNode',
    tag: TAG,
    summary: 'How one own kind of nodes looks',
    access: 'any',
    rateClass: 'wide',
    params: KindName,
    responses: { 200: dataOf(CustomNode) },
    errors: [404],
  },
  {
    method: 'PUT',
    path: '/api/v2/custom-nodes/{kind_name}',
    operationId: 'UpdateCustomNode',
    tag: TAG,
    summary: 'Change how one own kind of nodes looks',
    access: WRITE,
    rateClass: 'wide',
    params: KindName,
    bodyKind: 'json',
    body: Type.Object({ config: CustomNodeConfig }),
    responses: { 200: dataOf(CustomNode) },
    errors: [404, 409],
  },
  {
    method: 'DELETE',
    path: '/api/v2/custom-nodes/{kind_name}',
    operationId: 'DeleteCustomNode',
    tag: TAG,
    summary: 'No longer supported: answers 410',
    access: WRITE,
    rateClass: 'wide',
    params: KindName,
    responses: {},
    errors: [410],
    deprecated: true,
  },
]);
