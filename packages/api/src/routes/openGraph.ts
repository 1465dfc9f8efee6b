/** OpenGraph: the appearance of custom node kinds, sources, schema extensions and kinds of edges. */
import Type from 'typebox';
import { LIST_BODY_BYTES } from '../route.ts';
import { dataOf } from '../schemas/common.ts';
import { InstalledExtension } from '../schemas/extensionDryRun.ts';
import { DescribedKinds } from '../schemas/kinds.ts';
import {
  CustomNode,
  CustomNodeConfig,
  DerivedRelationship,
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
    summary: 'Kinds that identify the sources of the graph; data of one can be deleted by its id',
    access: ['graphdb/Read'],
    responses: { 200: dataOf(Type.Object({ kinds: Type.Array(SourceKind) })) },
  },
  {
    method: 'GET',
    path: '/api/v2/extensions',
    operationId: 'ListExtensions',
    tag: 'OpenGraph',
    summary: 'Built-in and installed extensions',
    access: 'any',
    responses: { 200: dataOf(Type.Object({ extensions: Type.Array(ExtensionRecord) })) },
  },
  {
    method: 'PUT',
    path: '/api/v2/extensions',
    operationId: 'UpsertOpenGraphExtension',
    tag: 'OpenGraph',
    summary:
      'Install the definition of an extension or a bundle, or replace the one with the same name: everything or nothing',
    access: WRITE,
    query: Type.Object({
      dry_run: Type.Optional(
        Type.Boolean({
          description: 'Shows the effect and changes nothing; `id` is 0 if the extension is not installed',
        }),
      ),
    }),
    bodyKind: 'json',
    takesArchive: true,
    maxBodyBytes: LIST_BODY_BYTES,
    body: ExtensionDefinition,
    responses: { 200: dataOf(InstalledExtension), 201: dataOf(InstalledExtension) },
  },
  {
    method: 'DELETE',
    path: '/api/v2/extensions/{extension_id}',
    operationId: 'DeleteExtension',
    tag: 'OpenGraph',
    summary: 'Remove an extension; its data stays, but paths and findings no longer use it',
    access: WRITE,
    params: Type.Object({ extension_id: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) }),
    responses: { 204: null },
    errors: [404, 409],
  },
  {
    method: 'GET',
    path: '/api/v2/extensions/{extension_id}/derived-relationships',
    operationId: 'ListDerivedRelationships',
    tag: 'OpenGraph',
    summary: 'Relationships that an extension derives from others, and the results of the last run',
    access: ['graphdb/Read'],
    params: Type.Object({ extension_id: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }) }),
    responses: { 200: dataOf(Type.Array(DerivedRelationship)) },
    errors: [404],
  },
  {
    method: 'GET',
    path: '/api/v2/extensions-edges',
    operationId: 'ListEdgeKinds',
    tag: 'OpenGraph',
    summary: 'All kinds of edges, and their sources',
    access: 'any',
    query: Type.Object({
      schemas: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
      is_traversable: Type.Optional(Type.Boolean()),
    }),
    responses: { 200: dataOf(Type.Array(ListedEdgeKind)) },
  },
  {
    method: 'GET',
    path: '/api/v2/kinds',
    operationId: 'ListKinds',
    tag: 'OpenGraph',
    summary: 'All kinds of nodes and relationships: texts, appearance, and the attack effort of a step',
    access: ['graphdb/Read'],
    responses: { 200: dataOf(DescribedKinds) },
  },
  {
    method: 'GET',
    path: '/api/v2/custom-nodes',
    operationId: 'GetCustomNodes',
    tag: TAG,
    summary: 'List the appearance of custom node kinds',
    access: 'any',
    rateClass: 'wide',
    responses: { 200: dataOf(Type.Array(CustomNode)) },
  },
  {
    method: 'POST',
    path: '/api/v2/custom-nodes',
    operationId: 'CreateCustomNodes',
    tag: TAG,
    summary: 'Set the appearance of custom node kinds: all of them or none',
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
    summary: 'The appearance of one custom node kind',
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
    summary: 'Change the appearance of one custom node kind',
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
