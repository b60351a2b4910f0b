// `npm run admin-types`: writes the types of the API that the admin is a client of. `test/admin/api-types.test.ts` compares
// them with the API description.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printAdminTypes } from '../test/support/print-types.ts';

writeFileSync(join(import.meta.dirname, '../src/admin/api/schema.d.ts'), await printAdminTypes());
