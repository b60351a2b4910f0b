// The admin's types of the API are those that the API description has now.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { printAdminTypes } from '../support/print-types.ts';

const FILE = join(import.meta.dirname, '../../src/admin/api/schema.d.ts');

test('the types of the API are up to date; `npm run admin-types` writes them', async () => {
  assert.ok((await printAdminTypes()) === readFileSync(FILE, 'utf8'));
});

test.run();
