// The scenarios for the files outside the repository.
import { audit } from './audit.ts';
import type { DataScenario } from './enumerate.ts';
import { dataFolder, privateFile } from './files.ts';
import { outbox } from './outbox.ts';
import { settings } from './settings.ts';
import { submissions } from './submissions.ts';

export const DATA_SCENARIOS = { outbox, audit, settings, submissions, dataFolder, privateFile };

/** Finds a scenario by a name from outside. */
export function findDataScenario(name: string): DataScenario<unknown> | undefined {
  return (DATA_SCENARIOS as unknown as Record<string, DataScenario<unknown>>)[name];
}
