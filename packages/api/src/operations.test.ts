import { describe, expectTypeOf, test } from 'vitest';
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from './operations.ts';

describe('types by operation', () => {
  test('follow from the row of the operation', () => {
    expectTypeOf<AnswerOf<'CreateFileUploadJob'>['data']['id']>().toEqualTypeOf<number>();
    expectTypeOf<AnswerOf<'UploadFileToJob'>>().toEqualTypeOf<undefined>();
    expectTypeOf<BodyOf<'Login'>['username']>().toEqualTypeOf<string>();
    expectTypeOf<BodyOf<'Search'>>().toEqualTypeOf<undefined>();
    expectTypeOf<QueryOf<'GetShortestPath'>['only_traversable']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<ParamsOf<'GetUserEntity'>>().toEqualTypeOf<{ object_id: string }>();
  });
});
